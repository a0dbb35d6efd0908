import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { parseId } from '../../../domain/ids.ts';
import { iriOf } from '../../../domain/iri.ts';
import type { Said } from '../../../domain/messages.ts';
import { say } from '../../../domain/messages.ts';
import { formatAmount } from '../../../domain/money.ts';
import { parsePhoneNumber } from '../../../domain/phone-number.ts';
import { cellText } from '../../../spreadsheet/cell.ts';
import type { Cell } from '../../../spreadsheet/cell.ts';
import { dateTextReader } from '../../../spreadsheet/date-text.ts';
import type { DateReading } from '../../../spreadsheet/date-text.ts';
import { MAX_LISTED_VALUES } from '../../../spreadsheet/limits.ts';
import { readNumberText } from '../../../spreadsheet/number-text.ts';
import { wallClockIn } from '../../../spreadsheet/time-zone.ts';
import { readMoment } from '../../schema/schema-moments.ts';

/** The value for the JSON body, or what is wrong with the cell and how to fix it. */
export type CellReading = { readonly value: unknown } | { readonly fault: Said };

export interface CellContext {
  /** IANA name, of the organization: dates without an offset are read in it. */
  readonly timezone: string;
  /** Whether the service wrote the sheet: its texts and numbers are taken as they are, margins too. */
  readonly isExport?: boolean;
  /** Finds the IRI of a pickup point by its code or name, in the caller's organization; undefined if there is none. */
  readonly findPickupPoint?: (text: string) => string | undefined;
  /** Finds the IRI of a merchant by its name, in the same way. */
  readonly findMerchant?: (text: string) => string | undefined;
}

/** Reads a cell of a column: the words that it may hold, and what has to be written. */
export type CellReader = (
  cell: Cell,
  column: { readonly words?: readonly string[]; readonly hint: string },
) => CellReading;

/** How the cells of a column are read. */
export type CellKind = keyof ReturnType<typeof readersOfPeople>;

/** Numbers of up to 15 digits survive a spreadsheet; longer ones end in zeros. */
const LARGEST_EXACT = 999_999_999_999_999;
/** Shorter numbers may be national ones that lost their zero; no complete one of ours is shorter. */
const SHORTEST_INTERNATIONAL_DIGITS = 11;
/** Most countries have five digits; a shorter number may have lost its zero. */
const SHORTEST_SAFE_POSTAL_CODE = 5;
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
/** Characters of a cell that its fault quotes. */
const MAX_QUOTED = 100;

/** Makes the readers of all kinds of cells; the formats behind them are set up once. */
export function cellReaders(context: CellContext): Readonly<Record<CellKind, CellReader>> {
  const readers = readersOfPeople(context);
  if (context.isExport !== true) return readers;
  const { text, email, reference, postal_code, decimal } = readers;
  return {
    ...readers,
    text: asWritten('string', text),
    email: asWritten('string', email),
    reference: asWritten('string', reference),
    postal_code: asWritten('string', postal_code),
    decimal: asWritten('number', decimal),
  };
}

/** Reads a cell of the type that the export writes as it stands, any other as people write it. */
function asWritten(type: 'string' | 'number', readTyped: CellReader): CellReader {
  return (cell, column) => (typeof cell === type ? { value: cell } : readTyped(cell, column));
}

/** What people write, with the margins and marks that they add. */
function readersOfPeople(context: CellContext) {
  const readTime = timeReader(context.timezone);
  return {
    text: (cell) => ({ value: isDate(cell) ? cellText(cell) : plainText(cell) }),
    email: (cell) => ({
      value: plainText(cell)
        .replace(INVISIBLE, '')
        .replace(/^mailto:([^?]*).*$/iu, '$1'),
    }),
    reference: readReference,
    phone: readPhone,
    postal_code: readPostalCode,
    decimal: readDecimal,
    money: readMoney,
    enumeration: (cell, { words = [] }) => ({ value: knownWord(plainText(cell), words) }),
    list: (cell, { words = [] }) => readList(plainText(cell), words),
    pickup_point: (cell) => readRecord(cell, 'pickup_point', context.findPickupPoint, 'cell_no_pickup_point'),
    merchant: (cell) => readRecord(cell, 'merchant', context.findMerchant, 'cell_no_merchant'),
    earliest_time: (cell) => readTime(cell, false),
    latest_time: (cell) => readTime(cell, true),
  } satisfies Record<string, CellReader>;
}

/** Text without its margins. */
function plainText(cell: Cell): string {
  return typeof cell === 'string' ? cell.trim() : cellText(cell);
}

/** What the cell holds, for its fault. */
function quoted(cell: Cell): { readonly value: string } {
  const characters = Array.from(cellText(cell));
  const isLong = characters.length > MAX_QUOTED;
  return { value: isLong ? `${characters.slice(0, MAX_QUOTED - 1).join('')}…` : characters.join('') };
}

function isDate(cell: Cell): cell is { readonly date: string } {
  return typeof cell === 'object' && 'date' in cell;
}

function readReference(cell: Cell): CellReading {
  if (isDate(cell)) {
    return { fault: say('cell_became_date', quoted(cell)) };
  }
  if (typeof cell === 'number' && Math.abs(cell) > LARGEST_EXACT) {
    return { fault: say('cell_digits_lost') };
  }
  return { value: plainText(cell) };
}

function readPhone(cell: Cell): CellReading {
  if (typeof cell === 'number' && !Number.isInteger(cell)) {
    return { fault: say('cell_no_phone_number', quoted(cell)) };
  }
  const text = plainText(cell)
    .replace(INVISIBLE, '')
    .replace(/^00(?=[1-9])/u, '+');
  const digits = text.replace(/[\s().\-/]/gu, '');
  if (digits.startsWith('+'))
    return { value: parsePhoneNumber(text) ?? (text.includes('(0)') ? text : digits) };
  if (!/^\d+$/u.test(digits) || digits.startsWith('0')) return { value: text };
  const isComplete =
    digits.length >= SHORTEST_INTERNATIONAL_DIGITS &&
    parsePhoneNumberFromString(`+${digits}`)?.isValid() === true;
  if (isComplete) return { value: `+${digits}` };
  const fault = typeof cell === 'number' ? 'cell_phone_is_number' : 'cell_phone_without_country';
  return { fault: say(fault, quoted(text)) };
}

function readPostalCode(cell: Cell): CellReading {
  if (isDate(cell)) return readReference(cell);
  const text = plainText(cell);
  if (typeof cell !== 'number' || text.length >= SHORTEST_SAFE_POSTAL_CODE) return { value: text };
  return { fault: say('cell_postal_code_is_number', quoted(text)) };
}

function readDecimal(cell: Cell, { hint }: { readonly hint: string }): CellReading {
  const reading = numberOf(cell, false);
  // Sums of decimals carry noise in the 16th digit.
  if (reading.kind === 'number') return { value: Number(reading.value.toPrecision(15)) };
  return { fault: say('cell_no_number', { ...quoted(cell), hint }) };
}

function readMoney(cell: Cell): CellReading {
  const reading = numberOf(cell, true);
  if (reading.kind === 'ambiguous') return { fault: say('cell_ambiguous_amount', quoted(cell)) };
  if (reading.kind === 'unknown') return { fault: say('cell_no_amount', quoted(cell)) };
  const cents = Math.round(reading.value * 100);
  if (!Number.isSafeInteger(cents)) return { fault: say('cell_large_amount') };
  if (Math.abs(reading.value * 100 - cents) > 1e-4) {
    return { fault: say('cell_amount_decimals', quoted(reading.value)) };
  }
  return { value: formatAmount(cents) };
}

function numberOf(cell: Cell, mayGroup: boolean): ReturnType<typeof readNumberText> {
  if (typeof cell === 'number') return { kind: 'number', value: cell };
  return typeof cell === 'string' ? readNumberText(plainText(cell), mayGroup) : { kind: 'unknown' };
}

/** The word that is meant, whatever its case and marks; else the text as it is, for the body's rules to reject. */
function knownWord(text: string, words: readonly string[]): string {
  if (words.includes(text)) return text;
  const key = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return words.find((word) => key(word) === key(text)) ?? text;
}

function readList(text: string, words: readonly string[]): CellReading {
  const parts = text.split(/[;,،؛|\n]/u).map((part) => part.trim());
  const values = parts.filter((part) => part !== '');
  if (values.length > MAX_LISTED_VALUES) {
    return { fault: say('cell_too_many_values', { count: values.length }) };
  }
  return { value: values.map((value) => knownWord(value, words)) };
}

/** A record as `find` knows it, by its IRI, or by its id; another text is this fault. */
function readRecord(
  cell: Cell,
  kind: 'pickup_point' | 'merchant',
  find: ((text: string) => string | undefined) | undefined,
  fault: 'cell_no_pickup_point' | 'cell_no_merchant',
): CellReading {
  const text = plainText(cell);
  const known = find?.(text);
  if (known !== undefined) return { value: known };
  if (text.startsWith('/')) return { value: text };
  const id = parseId<typeof kind>(text);
  if (id !== undefined) return { value: iriOf(kind, id) };
  return { fault: say(fault, quoted(text)) };
}

function timeReader(timezone: string): (cell: Cell, endOfDay: boolean) => CellReading {
  const toIso = wallClockIn(timezone);
  const readText = dateTextReader();
  return (cell, endOfDay) => {
    if (typeof cell === 'number') return { fault: say('cell_date_is_number', quoted(cell)) };
    const text = isDate(cell) ? cell.date.slice(11) : plainText(cell).replace(INVISIBLE, '');
    if (readMoment(text) !== undefined) return { value: text };
    const reading = isDate(cell) ? readDateCell(cell.date) : readText(text);
    if (reading.kind === 'instant') return { value: reading.iso };
    if (reading.kind === 'wall_clock') {
      const { clock, hasTime } = reading;
      return { value: toIso(hasTime || !endOfDay ? clock : { ...clock, hour: 23, minute: 59, second: 59 }) };
    }
    const fault = reading.kind === 'ambiguous' ? 'cell_ambiguous_date' : 'cell_no_date';
    return { fault: say(fault, quoted(text)) };
  };
}

/** A date cell at midnight is a day; one before 1905 is a time to which no day was written. */
function readDateCell(date: string): DateReading {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = date.split(/[-T:]/u).map(Number);
  if (year < 1905) return { kind: 'unknown' };
  return {
    kind: 'wall_clock',
    clock: { year, month, day, hour, minute, second },
    hasTime: !date.endsWith('T00:00:00'),
  };
}
