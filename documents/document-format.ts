import type { DocumentLocale, DocumentParty } from './document-data.ts';

const NO_BREAK_SPACE = '\u00a0';

interface NumberMarks {
  readonly group: string;
  readonly decimal: string;
}

const MARKS = {
  en: { group: ',', decimal: '.' },
  fr: { group: NO_BREAK_SPACE, decimal: ',' },
  // Read alike by people of both languages: labels carry no language.
  neutral: { group: NO_BREAK_SPACE, decimal: '.' },
} as const satisfies Record<DocumentLocale | 'neutral', NumberMarks>;

export type NumberStyle = keyof typeof MARKS;

const MONTHS = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  fr: ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.'],
} as const satisfies Record<DocumentLocale, readonly string[]>;

/** An amount of hundredths with two decimals and grouped thousands, without its currency. */
export function formatAmount(cents: number, style: NumberStyle): string {
  const { group, decimal } = MARKS[style];
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const sign = cents < 0 ? '\u2212' : '';
  return `${sign}${groupThousands(digits.slice(0, -2), group)}${decimal}${digits.slice(-2)}`;
}

/** As `formatAmount`, followed by the ISO 4217 code. */
export function formatMoney(cents: number, currency: string, style: NumberStyle): string {
  return `${formatAmount(cents, style)}${NO_BREAK_SPACE}${currency}`;
}

/** A count or a weight: grouped thousands, as many decimals as it has. */
export function formatNumber(value: number, style: NumberStyle): string {
  const { group, decimal } = MARKS[style];
  const [whole = '0', fraction] = String(value).split('.');
  const grouped = groupThousands(whole, group);
  return fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
}

/** A weight in kilograms, to be printed after the size of the package; nothing for none. */
export function formatWeight(weightGrams: number | null, style: NumberStyle): string {
  return weightGrams === null ? '' : ` · ${formatNumber(weightGrams / 1_000, style)} kg`;
}

/** Postal code and city; empty without an address. Set left to right: sorters look for the code on the left. */
export function formatTown(address: DocumentParty['address']): string {
  return [address?.postalCode, address?.city].join(' ').trim();
}

function groupThousands(digits: string, group: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/gu, group);
}

/** Date and time of day in an IANA time zone, with its offset. Throws a RangeError for a time zone that does not exist. */
export function formatInstant(instant: Date, timezone: string, locale: DocumentLocale): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  const month = MONTHS[locale][Number(part('month')) - 1] ?? '';
  const offset = part('timeZoneName').replace(/^GMT$/u, 'GMT+00:00').replace('GMT', 'UTC');
  return `${Number(part('day'))} ${month} ${part('year')}, ${part('hour')}:${part('minute')} (${offset})`;
}
