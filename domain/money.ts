/**
 * Amounts are strings with two decimals on the wire and integer minor units inside
 * (contract «Resources and their fields», interpretation 3). No other file does arithmetic on amounts.
 */

const AMOUNT = /^(\d{1,10})\.(\d{2})$/;

/** The wire form of an amount, for schemas: up to ten digits, a point, two decimals. */
export const AMOUNT_PATTERN = AMOUNT.source;

/** Reads `"1250.50"` as 125050 cents; undefined for anything but digits, a point and two decimals. */
export function parseAmount(text: string): number | undefined {
  const match = AMOUNT.exec(text);
  if (match === null) return undefined;
  return Number(`${match[1]}${match[2]}`);
}

/** Writes 125050 cents as `"1250.50"`. Throws a RangeError for a value that is not a whole number of cents. */
export function formatAmount(amountCents: number): string {
  if (!Number.isSafeInteger(amountCents)) throw new RangeError(`not whole cents: ${amountCents}`);
  const digits = Math.abs(amountCents).toString().padStart(3, '0');
  return `${amountCents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
