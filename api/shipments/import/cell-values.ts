import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { parseId } from '../../../domain/ids.ts';
import { iriOf } from '../../../domain/iri.ts';
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
export type CellReading = { readonly value: unknown } | { readonly fault: string };

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
const AS_TEXT = 'Format the column as text and write it again';

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
    pickup_point: (cell) =>
      readRecord(
        cell,
        'pickup_point',
        context.findPickupPoint,
        'the code or the id of one of your pickup points',
      ),
    merchant: (cell) =>
      readRecord(cell, 'merchant', context.findMerchant, 'the name of one of your merchants, or its id'),
    earliest_time: (cell) => readTime(cell, false),
    latest_time: (cell) => readTime(cell, true),
  } satisfies Record<string, CellReader>;
}

/** Text without its margins. */
function plainText(cell: Cell): string {
  return typeof cell === 'string' ? cell.trim() : cellText(cell);
}

function isDate(cell: Cell): cell is { readonly date: string } {
  return typeof cell === 'object' && 'date' in cell;
}

function readReference(cell: Cell): CellReading {
  if (isDate(cell)) {
    return { fault: `the spreadsheet program turned the value into a date (${cellText(cell)}). ${AS_TEXT}.` };
  }
  if (typeof cell === 'number' && Math.abs(cell) > LARGEST_EXACT) {
    return { fault: `spreadsheets keep 15 digits of a number; the others are lost. ${AS_TEXT}.` };
  }
  return { value: plainText(cell) };
}

function readPhone(cell: Cell): CellReading {
  if (typeof cell === 'number' && !Number.isInteger(cell)) {
    return {
      fault: `${cell} is not a phone number. ${AS_TEXT} in international format, for example +213661234567.`,
    };
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
  const why =
    typeof cell === 'number'
      ? 'the cell is a number, so a leading + or 0 may be lost'
      : 'the country is missing';
  return { fault: `${why} (${text}). ${AS_TEXT} in international format, for example +213661234567.` };
}

function readPostalCode(cell: Cell): CellReading {
  if (isDate(cell)) return readReference(cell);
  const text = plainText(cell);
  if (typeof cell !== 'number' || text.length >= SHORTEST_SAFE_POSTAL_CODE) return { value: text };
  return {
    fault: `the cell is a number, so a leading 0 may be lost (${text}). ${AS_TEXT} with all its digits.`,
  };
}

function readDecimal(cell: Cell, { hint }: { readonly hint: string }): CellReading {
  const reading = numberOf(cell, false);
  // Sums of decimals carry noise in the 16th digit.
  if (reading.kind === 'number') return { value: Number(reading.value.toPrecision(15)) };
  return { fault: `“${cellText(cell)}” is not a number. Write ${hint}, without a unit.` };
}

function readMoney(cell: Cell): CellReading {
  const reading = numberOf(cell, true);
  if (reading.kind === 'ambiguous') {
    return {
      fault: `“${cellText(cell)}” can be read in two ways. Write thousands without a separator: 1234 or 1.23.`,
    };
  }
  if (reading.kind === 'unknown') {
    return {
      fault: `“${cellText(cell)}” is not an amount. Write only digits, without a currency: 1250.50.`,
    };
  }
  const cents = Math.round(reading.value * 100);
  if (!Number.isSafeInteger(cents)) return { fault: 'the amount is too large. Write a smaller one.' };
  if (Math.abs(reading.value * 100 - cents) > 1e-4) {
    return { fault: `${reading.value} has more than 2 decimals. Round it to 2 decimals.` };
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
    return { fault: `the cell lists ${values.length} values. Write each option once.` };
  }
  return { value: values.map((value) => knownWord(value, words)) };
}

/** A record as `find` knows it, by its IRI, or by its id; another text is a fault that says `what` to write. */
function readRecord(
  cell: Cell,
  kind: 'pickup_point' | 'merchant',
  find: ((text: string) => string | undefined) | undefined,
  what: string,
): CellReading {
  const text = plainText(cell);
  const known = find?.(text);
  if (known !== undefined) return { value: known };
  if (text.startsWith('/')) return { value: text };
  const id = parseId<typeof kind>(text);
  if (id !== undefined) return { value: iriOf(kind, id) };
  return { fault: `“${text}” names no ${kind.replace('_', ' ')}, or more than one. Write ${what}.` };
}

function timeReader(timezone: string): (cell: Cell, endOfDay: boolean) => CellReading {
  const toIso = wallClockIn(timezone);
  const readText = dateTextReader();
  return (cell, endOfDay) => {
    if (typeof cell === 'number') {
      return {
        fault: `the cell is a plain number (${cell}). Format it as a date, or write for example 2026-03-12 14:00.`,
      };
    }
    const text = isDate(cell) ? cell.date.slice(11) : plainText(cell).replace(INVISIBLE, '');
    if (readMoment(text) !== undefined) return { value: text };
    const reading = isDate(cell) ? readDateCell(cell.date) : readText(text);
    if (reading.kind === 'instant') return { value: reading.iso };
    if (reading.kind === 'wall_clock') {
      const { clock, hasTime } = reading;
      return { value: toIso(hasTime || !endOfDay ? clock : { ...clock, hour: 23, minute: 59, second: 59 }) };
    }
    const fault = reading.kind === 'ambiguous' ? 'can be read as two dates' : 'is not a date and time';
    return { fault: `“${text}” ${fault}. Write it as 2026-03-12 or 2026-03-12 14:00.` };
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
