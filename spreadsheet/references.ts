/** A merged range, from its first row and column to its last, both included. */
export interface MergedRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** `AB` for 28. */
export function columnName(column: number): string {
  const rest = Math.floor((column - 1) / 26);
  return (rest > 0 ? columnName(rest) : '') + String.fromCharCode(65 + ((column - 1) % 26));
}

/** 28 for `AB`; NaN for anything but one to three capital letters. */
export function columnNumber(name: string): number {
  if (!/^[A-Z]{1,3}$/u.test(name)) return Number.NaN;
  return Array.from(name).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Reads `A1:C3`; undefined for anything else, such as `C3:A1`. */
export function parseRange(reference: string): MergedRange | undefined {
  const match = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/u.exec(reference);
  if (match === null) return undefined;
  const [, first = '', top, last = '', bottom] = match;
  const range = {
    left: columnNumber(first),
    top: Number(top),
    right: columnNumber(last),
    bottom: Number(bottom),
  };
  return range.left <= range.right && range.top <= range.bottom ? range : undefined;
}
