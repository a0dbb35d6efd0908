const MS_PER_DAY = 86_400_000;
const MS_PER_MINUTE = 60_000;
const MS_PER_SECOND = 1_000;
const MINUTES_PER_HOUR = 60;
/** Days from 1970 to the first one that is written with more than four digits. */
const FIRST_LONG_DAY = 2_932_897;

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
/** Days as they were written: the moments of an answer are of few. */
const dayTexts = new Map<number, string>();
const MOST_DAYS = 1_000;

/** Writes a moment as `toISOString` does, in a fifth of its time: a board has 40,000 of them. */
export function writeMoment(moment: Date): string {
  const ms = moment.getTime();
  const day = Math.floor(ms / MS_PER_DAY);
  // Times before 1970, after the year 9999, and invalid dates.
  if (!(day >= 0 && day < FIRST_LONG_DAY)) return moment.toISOString();
  const minutes = Math.floor((ms - day * MS_PER_DAY) / MS_PER_MINUTE);
  const hour = TWO_DIGITS[Math.floor(minutes / MINUTES_PER_HOUR)] ?? '';
  const minute = TWO_DIGITS[minutes % MINUTES_PER_HOUR] ?? '';
  const second = TWO_DIGITS[Math.floor(ms / MS_PER_SECOND) % MINUTES_PER_HOUR] ?? '';
  return `${dayTexts.get(day) ?? newDayText(day, moment)}T${hour}:${minute}:${second}.${String(ms % MS_PER_SECOND).padStart(3, '0')}Z`;
}

function newDayText(day: number, moment: Date): string {
  if (dayTexts.size >= MOST_DAYS) dayTexts.clear();
  const text = moment.toISOString().slice(0, 10);
  dayTexts.set(day, text);
  return text;
}
