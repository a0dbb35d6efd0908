import { isTrue, readXml } from './xml.ts';
import type { ZipPart } from './zip.ts';

/** What a cell style makes of a value: the number itself, text as it stands, a date, or a number written into `template`. */
export type NumberFormat =
  | { readonly kind: 'number' }
  | { readonly kind: 'text' }
  | { readonly kind: 'date' }
  /** A code such as `00000` or `0#" "##" "##"`, without its quotes: each 0 and # is the place of one digit. */
  | { readonly kind: 'digits'; readonly template: string };

const PLAIN: NumberFormat = { kind: 'number' };
/** The built-in code for text, and its letter. */
const TEXT_FORMAT_ID = 49;
const TEXT_CODE = '@';

/** Only codes that begin with a forced digit: `# ##0` and `0" kg"` show amounts, not digits in places. */
const DIGITS = /^[ ()/-]*0[ ()/-]*[0#][0# ()/-]*$/u;
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

/** Writes a whole number as its cell shows it, leading zeros too; undefined for a number that does not fit such a code. */
export function showDigits(value: number, template: string): string | undefined {
  const places = template.match(/[0#]/gu)?.length ?? 0;
  const digits = value.toString().padStart(places, '0');
  if (!Number.isSafeInteger(value) || value < 0 || digits.length > places) return undefined;
  let next = 0;
  return template.replace(/[0#]/gu, () => digits.charAt(next++)).trim();
}

function formatOf(id: number, code: string | undefined): NumberFormat {
  if (id === TEXT_FORMAT_ID || code === TEXT_CODE) return { kind: 'text' };
  if (code === undefined) {
    return DATE_FORMAT_IDS.some(([first, last]) => id >= first && id <= last) ? { kind: 'date' } : PLAIN;
  }
  const letters = code
    .replace(/"[^"]*"|\\.|_.|\*./gsu, '')
    .replace(/\[(?:h+|m+|s+)\]/giu, 'h')
    .replace(/\[[^\]]*\]|general|standard/giu, '');
  if (/[ymdhs]/iu.test(letters)) return { kind: 'date' };
  const template = code.replace(/"([^"]*)"|\\(.)/gsu, '$1$2');
  return DIGITS.test(template) ? { kind: 'digits', template } : PLAIN;
}
