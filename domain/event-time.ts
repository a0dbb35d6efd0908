/**
 * Moments of events in whole microseconds since 1970 (UTC), because receivers order and
 * de-duplicate by them and a JavaScript date would cut them to milliseconds (interpretation 43).
 */

const MICROSECONDS_PER_MILLISECOND = 1_000;

/** Writes a moment as ISO 8601 with microseconds and offset: `2026-03-01T09:30:00.123456+00:00`. */
export function formatEventTime(epochMicroseconds: number): string {
  const milliseconds = Math.floor(epochMicroseconds / MICROSECONDS_PER_MILLISECOND);
  const microseconds = epochMicroseconds - milliseconds * MICROSECONDS_PER_MILLISECOND;
  const toTheMillisecond = new Date(milliseconds).toISOString().slice(0, -1);
  return `${toTheMillisecond}${microseconds.toString().padStart(3, '0')}+00:00`;
}
