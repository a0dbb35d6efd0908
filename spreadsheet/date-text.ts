import { isOnCalendar } from './time-zone.ts';
import type { WallClock } from './time-zone.ts';

/** A date as a person typed it. */
export type DateReading =
  | { readonly kind: 'wall_clock'; readonly clock: WallClock; readonly hasTime: boolean }
  /** The text names its own offset: ISO 8601, passed on as it is. */
  | { readonly kind: 'instant'; readonly iso: string }
  /** Two dates fit, such as 3 April and 4 March. */
  | { readonly kind: 'ambiguous' }
  | { readonly kind: 'unknown' };

/** Reads the month names that users of this service type. */
type MonthNames = ReadonlyMap<string, number>;

const ISO =
  /^(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})$/iu;
const TIME = /[T,\s]\s*(?:à |at )?(\d{1,2})(?:[:h](\d{2})?(?::(\d{2})(?:[.,]\d+)?)?)?\s?([ap]\.?m\.?)?$/iu;
const MONTH_LANGUAGES = ['en', 'fr', 'ar-DZ', 'ar-MA', 'ar-TN', 'ar-EG', 'ar-SY'];
const UNKNOWN: DateReading = { kind: 'unknown' };
/** Arabic-Indic and Persian digits. */
const ZEROS_OF_DIGITS = [0x660, 0x6f0];

/**
 * Makes a reader of dates in ISO form and in the regional forms that allow one reading only
 * (issue of the import): 2026-03-12, 12.03.2026, 25/03/2026, 3/25/2026, 12 mars 2026, March 12, 2026, each
 * with a time or without.
 */
export function dateTextReader(): (text: string) => DateReading {
  const months = monthNames();
  return (text) => {
    const plain = westernDigits(text).trim().replace(/\s+/gu, ' ');
    const iso = readIso(plain);
    if (iso) return iso;
    const time = TIME.exec(plain);
    const isTime = time !== null && /[:h]|[ap]\.?m/iu.test(time[0]);
    const date = readDate(isTime ? plain.slice(0, time.index) : plain, months);
    if (date === 'ambiguous' || date === undefined) return { kind: date ?? 'unknown' };
    const clock = { ...date, ...(isTime ? clockTime(time) : MIDNIGHT) };
    return isOnCalendar(clock) ? { kind: 'wall_clock', clock, hasTime: isTime } : UNKNOWN;
  };
}

/** ٣ and ۳ are 3. */
export function westernDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = ZEROS_OF_DIGITS.find((first) => code >= first && code < first + 10) ?? code;
    return String(code - zero);
  });
}

interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const MIDNIGHT = { hour: 0, minute: 0, second: 0 };

function readIso(text: string): DateReading | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part || 0));
  const clock = { year, month, day, hour, minute, second };
  if (!isWallClock(clock) || !isOnCalendar(clock)) return UNKNOWN;
  const pad = (value: number): string => value.toString().padStart(2, '0');
  const zone = (match[7] ?? 'Z').toUpperCase().replace(/^([+-]\d{2})(\d{2})$/u, '$1:$2');
  const date = `${clock.year}-${pad(clock.month)}-${pad(clock.day)}`;
  return {
    kind: 'instant',
    iso: `${date}T${pad(clock.hour)}:${pad(clock.minute)}:${pad(clock.second)}${zone}`,
  };
}

function isWallClock(
  clock: Record<keyof WallClock, number | undefined>,
): clock is Record<keyof WallClock, number> {
  return Object.values(clock).every((part) => part !== undefined);
}

function clockTime(time: RegExpExecArray): Pick<WallClock, 'hour' | 'minute' | 'second'> {
  const [, hour, minute, second, half] = time;
  const isAfternoon = half?.toLowerCase().startsWith('p') ?? false;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  return { hour: hours, minute: Number(minute ?? 0), second: Number(second ?? 0) };
}

function readDate(text: string, months: MonthNames): CalendarDay | 'ambiguous' | undefined {
  const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/u.exec(text);
  if (yearFirst) return calendarDay(yearFirst[1], yearFirst[3], yearFirst[4]);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/u.exec(text);
  // With dots the day always stands first; with slashes and dashes it depends on the country.
  if (dotted) return calendarDay(dotted[3], dotted[2], dotted[1]);
  const yearLast = /^(\d{1,2})([-/])(\d{1,2})\2(\d{4})$/u.exec(text);
  if (yearLast) return dayOrMonthFirst(yearLast);
  return namedMonth(text, months);
}

function dayOrMonthFirst([, first, , second, year]: RegExpExecArray): CalendarDay | 'ambiguous' {
  if (Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second)) return 'ambiguous';
  return Number(second) > 12 ? calendarDay(year, first, second) : calendarDay(year, second, first);
}

function namedMonth(text: string, months: MonthNames): CalendarDay | undefined {
  // A weekday before the date says nothing new: «jeudi 12 mars 2026», «Thu, March 12, 2026».
  const words = text
    .toLowerCase()
    .split(/[\s,،/-]+/u)
    .filter((word) => word !== '');
  const [first, second, year] = words.slice(-3);
  if (first === undefined || second === undefined || !/^\d{4}$/u.test(year ?? '') || words.length > 4)
    return undefined;
  const isMonthFirst = months.has(monthKey(first));
  const month = months.get(monthKey(isMonthFirst ? first : second));
  const day = /^(\d{1,2})(?:er|st|nd|rd|th)?$/u.exec(isMonthFirst ? second : first)?.[1];
  return month === undefined || day === undefined ? undefined : calendarDay(year, month, day);
}

function calendarDay(
  year: string | undefined,
  month: string | number | undefined,
  day: string | undefined,
): CalendarDay {
  return { year: Number(year), month: Number(month), day: Number(day) };
}

/** The names of the months come from the ICU data of Node, long and short. */
function monthNames(): MonthNames {
  const names = new Map<string, number>();
  for (const language of MONTH_LANGUAGES) {
    for (const width of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' });
      for (let month = 1; month <= 12; month++) {
        names.set(monthKey(format.format(Date.UTC(2026, month - 1, 15))), month);
      }
    }
  }
  return names;
}

function monthKey(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');
}
