import type { BoardDriver } from './rows.ts';

const nameOrder = new Intl.Collator(undefined, { numeric: true });
const sortName = ({ lastName, firstName }: BoardDriver) => `${lastName} ${firstName}`;

export function driverName({ firstName, lastName }: BoardDriver): string {
  return `${firstName} ${lastName}`.trim();
}

/** The order of drivers by their last names. */
export function byName(one: BoardDriver, other: BoardDriver): number {
  return nameOrder.compare(sortName(one), sortName(other));
}
