import { locale } from './words.ts';

/** Formats of one locale and time zone are made once: Intl's are slow to make. */
const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>();

function dateFormat(
  name: string,
  options: Intl.DateTimeFormatOptions,
  language = locale(),
): Intl.DateTimeFormat {
  const key = `${language} ${name} ${options.timeZone ?? ''}`;
  const known = made.get(key);
  if (known instanceof Intl.DateTimeFormat) return known;
  const format = new Intl.DateTimeFormat(language, options);
  made.set(key, format);
  return format;
}

/** `14:05`, in the organization's time zone. */
export function formatTime(moment: string | Date, timeZone: string): string {
  return dateFormat('time', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(
    new Date(moment),
  );
}

/** `Thu 14:05`: a time of another day of the week. */
export function formatWeekdayTime(moment: string | Date, timeZone: string): string {
  const options = {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  } as const;
  return dateFormat('weekday', options).format(new Date(moment));
}

/** `12 Mar 2026, 14:05`. */
export function formatDateTime(moment: string | Date, timeZone: string): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone } as const;
  return dateFormat('moment', options).format(new Date(moment));
}

/** `12 Mar 2026`, the day of a moment. */
export function formatDate(moment: string | Date, timeZone: string): string {
  return dateFormat('date', { dateStyle: 'medium', timeZone }).format(new Date(moment));
}

/** A calendar day `2026-03-12` as `Thursday 12 March`. */
export function formatDay(day: string): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return dateFormat('day', options).format(new Date(`${day}T12:00:00Z`));
}

/** The calendar day of a moment in a time zone, `2026-03-12`. */
export function dayOf(moment: Date, timeZone: string): string {
  return dateFormat('calendar day', { timeZone }, 'en-CA').format(moment);
}

/** An amount of the API (`'250.00'`) with its currency, as it is written in the language. */
export function formatAmount(amount: string, currency: string): string {
  const key = `${locale()} ${currency}`;
  const known = made.get(key);
  const format =
    known instanceof Intl.NumberFormat
      ? known
      : new Intl.NumberFormat(locale(), { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  made.set(key, format);
  return format.format(Number(amount));
}

export function formatNumber(value: number): string {
  return numberFormat('number', {}).format(value);
}

/** `2.5 kg`, with the unit as the language writes it. */
export function formatWeight(kilograms: number): string {
  const options = { style: 'unit', unit: 'kilogram', maximumFractionDigits: 3 } as const;
  return numberFormat('weight', options).format(kilograms);
}

function numberFormat(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale()} ${name}`;
  const known = made.get(key);
  const format = known instanceof Intl.NumberFormat ? known : new Intl.NumberFormat(locale(), options);
  made.set(key, format);
  return format;
}

/** Words one after the other, with the comma of the language. */
export function formatList(words: readonly string[]): string {
  return words.join(locale().startsWith('ar') ? '، ' : ', ');
}

const AGES = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** How long ago a moment is: `3 minutes ago`. */
export function formatAge(moment: string | Date, nowMs: number): string {
  const passedMs = nowMs - new Date(moment).getTime();
  const [unit, unitMs] = AGES.find(([, ms]) => Math.abs(passedMs) >= ms) ?? ['second', 1_000];
  const key = `${locale()} age`;
  const known = made.get(key);
  const format =
    known instanceof Intl.RelativeTimeFormat
      ? known
      : new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style: 'short' });
  made.set(key, format);
  return format.format(-Math.trunc(passedMs / unitMs), unit);
}
