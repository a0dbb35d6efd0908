import type { ReactNode } from 'react';
import { Link, useLocation, useSearch } from 'wouter';

/** A link that opens a record of this section; it can be opened in another tab and sent to a colleague. */
export function EditLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const [path] = useLocation();
  const parameters = new URLSearchParams(useSearch());
  parameters.set('edit', id);
  return (
    <Link href={`${path}?${parameters.toString()}`}>
      <bdi>{children}</bdi>
    </Link>
  );
}
