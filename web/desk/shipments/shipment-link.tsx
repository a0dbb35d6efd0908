import type { ReactNode } from 'react';
import { Link, useLocation, useSearch } from 'wouter';

/** A link that opens a shipment's drawer over the screen as it is; it can be opened in another tab and sent to a colleague. */
export function ShipmentLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const [path] = useLocation();
  const parameters = new URLSearchParams(useSearch());
  parameters.set('shipment', id);
  return (
    <Link href={`${path}?${parameters.toString()}`}>
      <bdi dir="ltr">{children}</bdi>
    </Link>
  );
}
