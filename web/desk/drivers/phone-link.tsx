/** A phone number that can be called; numbers read from left to right in every language. */
export function PhoneLink({ number }: { readonly number: string }) {
  return (
    <a href={`tel:${number}`}>
      <bdi dir="ltr">{number}</bdi>
    </a>
  );
}
