import type { BoardDay } from '../../../domain/board.ts';
import { dayOf } from '../../shared/format.ts';

const DAY_MS = 86_400_000;

/** The day of a board in its organization's time zone. `date` is `YYYY-MM-DD`. */
export function boardDay(date: string, timeZone: string, now: Date): BoardDay {
  const next = new Date(Date.parse(`${date}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return {
    date,
    startsAt: startOf(date, timeZone),
    endsAt: startOf(next, timeZone),
    isToday: dayOf(now, timeZone) === date,
  };
}

/** The day before or after. */
export function otherDay(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The moment at which a day begins in a time zone: asked twice, since the clocks may be changed on that day. */
function startOf(date: string, timeZone: string): Date {
  const wanted = Date.parse(`${date}T00:00:00Z`);
  const first = wanted - offsetMs(new Date(wanted), timeZone);
  return new Date(wanted - offsetMs(new Date(first), timeZone));
}

/** How far a time zone's wall clock is ahead of UTC at a moment. */
function offsetMs(moment: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
  });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '00';
  const wall = `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}Z`;
  return Date.parse(wall) - Math.trunc(moment.getTime() / 1_000) * 1_000;
}
