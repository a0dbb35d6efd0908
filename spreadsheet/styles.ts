import { isTrue, readXml } from './xml.ts';
import type { ZipPart } from './zip.ts';

/** How a number is shown by a cell style, as far as it changes what the number means. */
export type NumberFormat =
  | { readonly kind: 'number' }
  | { readonly kind: 'date' }
  /** A code such as `00000` or `0#" "##" "##`: digits in fixed places, leading zeros shown. */
  | { readonly kind: 'digits'; readonly places: readonly DigitPlace[] };

/** `0` is always shown, `#` only when there is a digit; anything else is shown as it is. */
type DigitPlace = { readonly digit: '0' | '#' } | { readonly literal: string };

const PLAIN: NumberFormat = { kind: 'number' };

/** The built-in codes for dates and times (ECMA-376 part 1 §18.8.30, the East Asian ones too). */
const DATE_FORMAT_IDS: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** Reads the looks of all cell styles, in the order in which cells name them. */
export async function readStyles(part: ZipPart | undefined): Promise<readonly NumberFormat[]> {
  if (part === undefined) return [];
  const codes = new Map<string, string>();
  const formatIds: string[] = [];
  let inCellStyles = false;
  await readXml(part.unpack(), part.name, {
    open: (name, attributes) => {
      const { numFmtId: id = '0', formatCode: code = '', applyNumberFormat: applies } = attributes;
      if (name === 'numFmt') codes.set(id, code);
      if (name === 'cellXfs') inCellStyles = true;
      if (name === 'xf' && inCellStyles) formatIds.push(applies === undefined || isTrue(applies) ? id : '0');
    },
    close: (name) => {
      if (name === 'cellXfs') inCellStyles = false;
    },
  });
  const formats = new Map<string, NumberFormat>();
  return formatIds.map((id) => {
    const format = formats.get(id) ?? formatOf(Number(id), codes.get(id));
    formats.set(id, format);
    return format;
  });
}

/** Writes a whole number as its cell shows it; undefined for a number that does not fit such a code. */
export function showDigits(value: number, places: readonly DigitPlace[]): string | undefined {
  if (!Number.isSafeInteger(value) || value < 0) return undefined;
  let digits = value.toString();
  let shown = '';
  for (const [index, place] of [...places.entries()].reverse()) {
    if ('literal' in place) {
      shown = place.literal + shown;
      continue;
    }
    const isFirst = !places.slice(0, index).some((earlier) => 'digit' in earlier);
    const digit = isFirst ? digits : digits.slice(-1);
    digits = isFirst ? '' : digits.slice(0, -1);
    shown = (digit === '' && place.digit === '0' ? '0' : digit) + shown;
  }
  return shown.trim();
}

function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) {
    return DATE_FORMAT_IDS.some(([first, last]) => id >= first && id <= last) ? { kind: 'date' } : PLAIN;
  }
  const letters = code
    .replace(/"[^"]*"|\\.|_.|\*./gsu, '')
    .replace(/\[(?:h+|m+|s+)\]/giu, 'h')
    .replace(/\[[^\]]*\]|general|standard/giu, '');
  if (/[ymdhs]/iu.test(letters)) return { kind: 'date' };
  return digitFormat(code) ?? PLAIN;
}

/** Only codes that begin with a forced digit: `# ##0` and `0" kg"` show amounts, not digits in places. */
function digitFormat(code: string): NumberFormat | undefined {
  const places: DigitPlace[] = [];
  let end = 0;
  for (const match of code.matchAll(/([0#])|"([^"\p{L}]*)"|\\([^\p{L}])|([ \-/()])/gsuy)) {
    end = match.index + match[0].length;
    const [, digit, quoted, escaped, plain] = match;
    if (digit === '0' || digit === '#') places.push({ digit });
    else places.push({ literal: quoted ?? escaped ?? plain ?? '' });
  }
  const digits = places.filter((place) => 'digit' in place);
  if (end !== code.length || digits.length < 2 || digits[0]?.digit !== '0') return undefined;
  return { kind: 'digits', places };
}
