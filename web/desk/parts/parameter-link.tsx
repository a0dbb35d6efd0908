import type { ReactNode } from 'react';
import { Link, useLocation, useSearch } from 'wouter';

interface Props {
  /** The parameter of the address that it sets; the others stay. */
  readonly name: string;
  readonly value: string;
  readonly children: ReactNode;
}

/** A link to this screen with one more parameter: it opens a drawer, and can be opened in another tab. */
export function ParameterLink({ name, value, children }: Props) {
  const parameters = new URLSearchParams(useSearch());
  const [path] = useLocation();
  parameters.set(name, value);
  return <Link href={`${path}?${parameters.toString()}`}>{children}</Link>;
}
