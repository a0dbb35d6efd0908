const WALL_CLOCK = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** The parts of a moment on a wall clock in the zone, as UTC milliseconds. */
function wallClockMs(moment: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US-u-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** The value of a `datetime-local` field, `2026-03-12T14:05`, for a moment as a wall clock in the zone shows it. */
export function toWallClock(moment: string | Date, timeZone: string): string {
  return new Date(wallClockMs(new Date(moment), timeZone)).toISOString().slice(0, 16);
}

/**
 * The moment, as ISO 8601, at which a wall clock in the zone shows `2026-03-12T14:05`. Of an hour that comes twice the first is
 * meant; one that the clocks skip is read as the hour after it. Undefined for what is no such value.
 */
export function fromWallClock(value: string, timeZone: string): string | undefined {
  // Browsers read much that is no such value, an empty text too.
  const shownMs = WALL_CLOCK.test(value) ? Date.parse(`${value}:00Z`) : Number.NaN;
  if (Number.isNaN(shownMs)) return undefined;
  // The zone's offset may differ a day before and after a change of the clocks: both are tried, the earlier moment first.
  const offsets = [-86_400_000, 86_400_000].map((awayMs) => {
    const near = shownMs + awayMs;
    return wallClockMs(new Date(near), timeZone) - near;
  });
  const moments = offsets.map((offsetMs) => shownMs - offsetMs).sort((one, other) => one - other);
  const exact = moments.find((ms) => wallClockMs(new Date(ms), timeZone) === shownMs);
  return new Date(exact ?? Math.max(...moments)).toISOString();
}
