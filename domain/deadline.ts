import type { Priority } from './enumerations.ts';

/** Hours to deliver by priority (gap 23); an organization may have its own. */
export type DeadlineHours = Readonly<Record<Priority, number>>;

export const DEFAULT_DEADLINE_HOURS: DeadlineHours = { urgent: 4, high: 24, normal: 48, low: 72 };

const HOUR_MS = 3_600_000;

/**
 * The moment by which the parcel should be delivered (contract «Scheduling», gap 23).
 * Without scheduledAfter: hours by priority from `from`, the creation or the approval.
 * With it: scheduledBefore if given, else the hours from scheduledAfter. scheduledBefore
 * alone has no effect.
 */
export function deliveryDeadline(request: {
  readonly priority: Priority;
  readonly scheduledAfter: Date | null;
  readonly scheduledBefore: Date | null;
  readonly from: Date;
  readonly hours: DeadlineHours;
}): Date {
  const { priority, scheduledAfter, scheduledBefore, from, hours } = request;
  if (scheduledAfter !== null && scheduledBefore !== null) return scheduledBefore;
  return new Date((scheduledAfter ?? from).getTime() + hours[priority] * HOUR_MS);
}
