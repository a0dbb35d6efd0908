const MINUTE_MS = 60_000;
const STEP_MINUTES = 30;
const DAY_MINUTES = 1_440;

/** Begin and end of each kind of window, in minutes from now. */
const WINDOWS = {
  past: [-270, -60],
  now: [-90, 60],
  soon: [30, 150],
  later: [150, 330],
} as const satisfies Record<string, readonly [number, number]>;
export type WindowKind = keyof typeof WINDOWS;

/** When a shipment is wanted. */
export interface Window {
  readonly scheduledAfter: string;
  readonly scheduledBefore: string;
}

/**
 * Makes a window around now on whole half hours. None begins after today in the time zone, so that at 23:00 too the board of
 * today has all of them. `shiftSteps` moves it by half hours.
 */
export function windowAround(kind: WindowKind, now: Date, timezone: string, shiftSteps: number): Window {
  const [from, to] = WINDOWS[kind];
  const shiftMinutes = shiftSteps * STEP_MINUTES;
  const minuteOfDay = localMinuteOfDay(now, timezone);
  // The minute of the day on whole half hours, and the last one that a window may begin at.
  const base = Math.floor(minuteOfDay / STEP_MINUTES) * STEP_MINUTES;
  const begin = Math.min(base + from + shiftMinutes, DAY_MINUTES - STEP_MINUTES);
  // What is late stays late, however it is moved.
  const end = kind === 'past' ? base + to : begin + to - from;
  const at = (minute: number): string => {
    const moment = new Date(now.getTime() + (minute - minuteOfDay) * MINUTE_MS);
    moment.setUTCSeconds(0, 0);
    return moment.toISOString();
  };
  return { scheduledAfter: at(begin), scheduledBefore: at(end) };
}

function localMinuteOfDay(now: Date, timeZone: string): number {
  const options = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const [hour = 0, minute = 0] = new Intl.DateTimeFormat('en', options).format(now).split(':').map(Number);
  return hour * 60 + minute;
}
