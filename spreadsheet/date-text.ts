import { isoText, isOnCalendar } from './time-zone.ts';
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

/** ISO 8601 with its own offset: the dash before a year or an hour is none. */
const WITH_OFFSET = /^(\d{4}-\d{1,2}-\d{1,2}[T ]\d{1,2}:[\d:.,]+) ?(Z|[+-]\d{2}:?\d{2})$/iu;
const TIME = /[T,\s]\s*(?:à |at )?(\d{1,2})(?:[:h](\d{2})?(?::(\d{2})(?:[.,]\d+)?)?)?\s?([ap]\.?m\.?)?$/iu;
const MONTH_LANGUAGES = ['en', 'fr', 'ar-DZ', 'ar-MA', 'ar-TN', 'ar-EG', 'ar-SY'];
const UNKNOWN: DateReading = { kind: 'unknown' };

/**
 * Makes a reader of dates in ISO form and in the regional forms that allow one reading only
 * (issue of the import): 2026-03-12, 12.03.2026, 25/03/2026, 3/25/2026, 12 mars 2026, March 12, 2026, each
 * with a time or without.
 */
export function dateTextReader(): (text: string) => DateReading {
  const months = monthNames();
  return (text) => {
    const plain = westernDigits(text).trim().replace(/\s+/gu, ' ');
    const [, local = plain, offset] = WITH_OFFSET.exec(plain) ?? [];
    const time = TIME.exec(local);
    const isTime = time !== null && /[:h]|[ap]\.?m/iu.test(time[0]);
    const date = readDate(isTime ? local.slice(0, time.index) : local, months);
    if (date === 'ambiguous' || date === undefined) return { kind: date ?? 'unknown' };
    const clock = { ...date, ...(isTime ? clockTime(time) : MIDNIGHT) };
    if (!isOnCalendar(clock)) return UNKNOWN;
    if (offset === undefined) return { kind: 'wall_clock', clock, hasTime: isTime };
    const zone = offset.toUpperCase().replace(/(\d{2})(\d{2})$/u, '$1:$2');
    return { kind: 'instant', iso: `${isoText(clock)}${zone}` };
  };
}

/** ٣ and ۳ are 3: the last hexadecimal digit of their code points. */
export function westernDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) => String(digit.charCodeAt(0) & 0xf));
}

interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const MIDNIGHT = { hour: 0, minute: 0, second: 0 };

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
