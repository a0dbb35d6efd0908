import { westernDigits } from './date-text.ts';

/** A number as a person typed it. */
export type NumberReading =
  | { readonly kind: 'number'; readonly value: number }
  /** `1,234` is 1234 for some and 1.234 for others. */
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'unknown' };

const UNKNOWN: NumberReading = { kind: 'unknown' };

/**
 * Reads `2.5`, `2,5`, `1 234,50`, `1,234.50`, `1.234,50` and their Arabic-Indic forms.
 *
 * @param mayGroup whether thousands are to be expected; if not, a single mark is always the decimal one.
 */
export function readNumberText(text: string, mayGroup: boolean): NumberReading {
  const plain = westernDigits(text)
    .replace(/[\u066c\u2019']/gu, ' ')
    .replace(/\u066b/gu, ',')
    .replace(/\s+/gu, ' ')
    .trim();
  const single = /^([+-]?)(\d+)(?:([.,])(\d+))?$/u.exec(plain);
  if (single) {
    const [, sign = '', whole = '', mark, fraction = ''] = single;
    const looksGrouped = mark !== undefined && fraction.length === 3 && /^[1-9]\d{0,2}$/u.test(whole);
    if (mayGroup && looksGrouped) return { kind: 'ambiguous' };
    return { kind: 'number', value: Number(`${sign}${whole}.${fraction || '0'}`) };
  }
  const grouped = /^([+-]?\d{1,3}([ .,])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/u.exec(plain);
  if (!mayGroup || grouped === null) return UNKNOWN;
  const [, whole = '', , fraction = '0'] = grouped;
  return { kind: 'number', value: Number(`${whole.replace(/[ .,]/gu, '')}.${fraction}`) };
}
