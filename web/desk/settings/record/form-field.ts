/** What a form holds while it is typed: texts by the field's name. A checkbox is `yes` or empty. */
export type FormValues = Readonly<Record<string, string>>;

/** One field of a form of the settings. */
export interface FormField {
  /** Its name in the values: the path of the API's field, `address.street`, so that violations find it. */
  readonly name: string;
  readonly label: string;
  /** A `place` is two numbers of the values, `latitude` and `longitude` below its name, with the texts next to them as the address. */
  readonly kind?:
    | 'text'
    | 'email'
    | 'phone'
    | 'amount'
    | 'number'
    | 'url'
    | 'password'
    | 'check'
    | 'choice'
    | 'merchant'
    | 'driver'
    | 'place';
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** Of a choice. Of a merchant or driver the first is none, and the others are the names that are known. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** Fields of one group stand below its title. */
  readonly group?: string;
}

/** A text of the form, empty where the field is not filled in. */
export function textOf(values: FormValues, name: string): string {
  return (values[name] ?? '').trim();
}

/** A text, or null where it is empty: the API's absent. */
export function optionalText(values: FormValues, name: string): string | null {
  const text = textOf(values, name);
  return text === '' ? null : text;
}

/** An amount as people type it, with a comma or a point. */
export function amountText(values: FormValues, name: string): string {
  return textOf(values, name).replace(',', '.').replaceAll(/\s/g, '');
}

/** A number; NaN, which is sent as null and so rejected at its field, where it is none. */
export function numberOf(values: FormValues, name: string): number {
  const text = amountText(values, name);
  return text === '' ? Number.NaN : Number(text);
}

/** The fields of a body that differ from what was read: an edit sends nothing that the person has not changed. */
export function changesOf<Body extends object>(before: Body, after: Body): Partial<Body> {
  const changes: Partial<Body> = {};
  for (const key in after) {
    if (JSON.stringify(after[key]) !== JSON.stringify(before[key])) changes[key] = after[key];
  }
  return changes;
}

/** Whether two forms say the same. */
export function isSame(one: FormValues, other: FormValues): boolean {
  return Object.keys({ ...one, ...other }).every((name) => (one[name] ?? '') === (other[name] ?? ''));
}
