/** A wall clock without a zone; months from 1. */
export interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Clocks change on quarter hours; asking ICU for each cell of an import would take longer than reading it. */
const QUARTER_HOUR_MS = 15 * MINUTE_MS;

/**
 * Makes a function that turns a wall clock of an IANA time zone into ISO 8601 with its offset. A time that
 * occurs twice when clocks go back is the first of the two; one that clocks skip is moved on by the gap.
 *
 * @throws RangeError for an unknown time zone.
 */
export function wallClockIn(timezone: string): (clock: WallClock) => string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
  const known = new Map<number, number>();
  const offsetMinutesAt = (instantMs: number): number => {
    const quarter = Math.floor(instantMs / QUARTER_HOUR_MS);
    const offset = known.get(quarter) ?? readOffset(format, instantMs);
    known.set(quarter, offset);
    return offset;
  };
  return (clock) => {
    const localMs = utcMs(clock);
    const before = offsetMinutesAt(localMs - DAY_MS);
    const after = offsetMinutesAt(localMs + DAY_MS);
    const exact = [before, after].find((offset) => offsetMinutesAt(localMs - offset * MINUTE_MS) === offset);
    const instantMs = localMs - (exact ?? before) * MINUTE_MS;
    return formatInstant(instantMs, offsetMinutesAt(instantMs));
  };
}

/** False for the 30th of February and 25 o'clock. */
export function isOnCalendar(clock: WallClock): boolean {
  const { year, month, day, hour, minute, second } = clock;
  const parts = isoText(clock).split(/[-T:]/u).map(Number);
  return [year, month, day, hour, minute, second].every((part, index) => part === parts[index]);
}

/** Writes a wall clock as ISO 8601, without an offset. */
export function isoText(clock: WallClock): string {
  return new Date(utcMs(clock)).toISOString().slice(0, 19);
}

function utcMs({ year, month, day, hour, minute, second }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function readOffset(format: Intl.DateTimeFormat, instantMs: number): number {
  const name = format.formatToParts(instantMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const match = /GMT([+-])(\d{2}):(\d{2})/u.exec(name);
  // Plain «GMT» is how no offset is written.
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}

function formatInstant(instantMs: number, offsetMinutes: number): string {
  const local = new Date(instantMs + offsetMinutes * MINUTE_MS).toISOString().slice(0, 19);
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  const pad = (value: number): string => value.toString().padStart(2, '0');
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`;
}
