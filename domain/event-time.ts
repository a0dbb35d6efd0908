import type { Said } from './messages.ts';
import { say } from './messages.ts';

/**
 * Moments of events. Those that we set are in whole microseconds since 1970 (UTC), because receivers order and de-duplicate
 * by them and a JavaScript date would cut them to milliseconds (interpretation 43). Those that callers give are dates.
 */

const MICROSECONDS_PER_MILLISECOND = 1_000;

/** Writes a moment as ISO 8601 with microseconds and offset: `2026-03-01T09:30:00.123456+00:00`. */
export function formatEventTime(epochMicroseconds: number): string {
  const milliseconds = Math.floor(epochMicroseconds / MICROSECONDS_PER_MILLISECOND);
  const microseconds = epochMicroseconds - milliseconds * MICROSECONDS_PER_MILLISECOND;
  const toTheMillisecond = new Date(milliseconds).toISOString().slice(0, -1);
  return `${toTheMillisecond}${microseconds.toString().padStart(3, '0')}+00:00`;
}

/**
 * How far from now the `occurredAt` of a caller may lie (interpretation 29): back for what a phone without a network kept,
 * ahead for clocks that are fast.
 */
export const OCCURRED_AT_LIMITS = { backSeconds: 7 * 86_400, aheadSeconds: 300 } as const;

const BACK = durationText(OCCURRED_AT_LIMITS.backSeconds);
const AHEAD = durationText(OCCURRED_AT_LIMITS.aheadSeconds);

/** The rule of `occurredAt` in words, for its documentation. */
export const OCCURRED_AT_RULE = `Up to ${BACK} back; up to ${AHEAD} ahead counts as now.`;

/** Says what is wrong with the moment that a caller gives, and by how much; undefined where it is within the limits. */
export function occurredAtProblem(occurredAt: Date, now: Date): Said | undefined {
  const aheadSeconds = (occurredAt.getTime() - now.getTime()) / 1_000;
  if (aheadSeconds > OCCURRED_AT_LIMITS.aheadSeconds) {
    const difference = durationText(beyond(aheadSeconds, OCCURRED_AT_LIMITS.aheadSeconds));
    return say('too_far_ahead', { limit: AHEAD, difference });
  }
  if (-aheadSeconds > OCCURRED_AT_LIMITS.backSeconds) {
    const difference = durationText(beyond(-aheadSeconds, OCCURRED_AT_LIMITS.backSeconds));
    return say('too_far_back', { limit: BACK, difference });
  }
  return undefined;
}

/** The moment that counts of one that a caller gives: now, where it lies ahead. */
export function countedMoment(occurredAt: Date, now: Date): Date {
  return occurredAt < now ? occurredAt : now;
}

/** The nearest whole second that is still beyond the limit, so that no message contradicts itself. */
function beyond(seconds: number, limitSeconds: number): number {
  return Math.max(Math.round(seconds), limitSeconds + 1);
}

/** Whole seconds in words: `8 days 2 hours 1 second`. */
function durationText(seconds: number): string {
  const units = [
    ['day', Math.floor(seconds / 86_400)],
    ['hour', Math.floor(seconds / 3_600) % 24],
    ['minute', Math.floor(seconds / 60) % 60],
    ['second', seconds % 60],
  ] as const;
  return units
    .flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`]))
    .join(' ');
}
