import type { ShipmentId } from './ids.ts';
import type { Priority } from './enumerations.ts';

/** Hours to deliver, by priority (interpretation 23); an organization may have its own. */
export type DeadlineHours = Readonly<Record<Priority, number>>;

export const DEFAULT_DEADLINE_HOURS: DeadlineHours = { urgent: 4, high: 24, normal: 48, low: 72 };

const HOUR_MS = 3_600_000;

/**
 * The moment by which the parcel should be delivered (contract «Scheduling», interpretation 23).
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

/**
 * Workflows whose deadlines fall into the same minute wake at this rate. A workflow that wakes costs some five times what
 * recording its deadline does; where the crowd is large, the reconciler records first (decision 0018).
 */
const WAKING_WORKFLOWS_PER_SECOND = 2;
/** Even a lone deadline is spread a little, since most deadlines are whole minutes. */
const MIN_SPREAD_SECONDS = 2;
/** The last workflow of a crowd wakes within this time. */
export const MAX_DEADLINE_SPREAD_SECONDS = 3_600;
/** A larger crowd is spread over the longest time in any case, so counting stops there. */
export const MAX_DEADLINE_CROWD = MAX_DEADLINE_SPREAD_SECONDS * WAKING_WORKFLOWS_PER_SECOND;
/** A missed deadline that its workflow has not recorded after this time is recorded by the reconciler. */
export const DEADLINE_GRACE_SECONDS = 10;

/**
 * When the workflow wakes for its deadline: at the due time plus an offset that depends on the shipment's id alone. The
 * offsets of `crowd` shipments that are due within the same minute fill the time that the bounded rate needs for them.
 */
export function deadlineRecordAt(due: Date, shipmentId: ShipmentId, crowd: number): Date {
  const wanted = Math.max(MIN_SPREAD_SECONDS, crowd / WAKING_WORKFLOWS_PER_SECOND);
  const spreadSeconds = Math.min(MAX_DEADLINE_SPREAD_SECONDS, wanted);
  const fraction = Number.parseInt(shipmentId.slice(-8), 16) / 0x1_0000_0000;
  return new Date(due.getTime() + Math.floor(fraction * spreadSeconds * 1_000));
}
