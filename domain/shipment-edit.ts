import type { ShipmentStatus, TaskStatus, TaskType } from './enumerations.ts';
import type { PickupPointId } from './ids.ts';
import { say } from './messages.ts';
import type { Problem } from './problem.ts';
import { conflict } from './problem.ts';
import type { ShipmentRequest } from './shipment.ts';
import { isTerminalShipment } from './shipment-status.ts';

/** What the rules of an edit look at. */
export interface EditedShipment {
  readonly status: ShipmentStatus;
  readonly pickupPointId: PickupPointId | null;
  readonly tasks: readonly { readonly type: TaskType; readonly status: TaskStatus }[];
}

/**
 * Whether a shipment may be edited at all (contract «Additional rules»; interpretation 38: a merchant's own only while
 * it awaits approval).
 */
export function editProblem(shipment: EditedShipment, isMerchantUser: boolean): Problem | undefined {
  if (isTerminalShipment(shipment.status)) {
    return conflict(
      say('shipment_fixed', { shipmentStatus: shipment.status, change: 'changed' }),
      shipment.status,
    );
  }
  if (isMerchantUser && shipment.status !== 'pending_approval') {
    return conflict(say('approved_already'), shipment.status);
  }
  return undefined;
}

/** The pickup point changes only to another point and only while the pickup is pending (interpretation 21). */
export function pickupPointChangeProblem(
  shipment: EditedShipment,
  to: PickupPointId | null,
): Problem | undefined {
  if (to === shipment.pickupPointId || shipment.status === 'pending_approval') return undefined;
  const pickup = shipment.tasks.find(({ type }) => type === 'pickup');
  if (pickup?.status === 'pending' && shipment.pickupPointId !== null && to !== null) return undefined;
  return conflict(say('pickup_point_fixed'), pickup?.status ?? shipment.status);
}

/** Task statuses in which no driver has the task and none had it in this attempt. */
const UNASSIGNED: readonly TaskStatus[] = ['waiting_for_pickup', 'pending'];

/** Whether an edit may change the fee and who pays it: while no task is assigned (interpretation 21). */
export function isFeeOpen(shipment: Pick<EditedShipment, 'tasks'>): boolean {
  return shipment.tasks.every(({ status }) => UNASSIGNED.includes(status));
}

type PricedFields = Pick<ShipmentRequest, 'packageSize' | 'weightGrams' | 'priority' | 'recipient'>;

/** What has a price, each as a value that can be compared. A landmark only helps the driver. */
const PRICED: readonly ((request: PricedFields) => string | number | null)[] = [
  ({ packageSize }) => packageSize,
  ({ weightGrams }) => weightGrams,
  ({ priority }) => priority,
  ({ recipient }) => recipient.address.street,
  ({ recipient }) => recipient.address.city,
  ({ recipient }) => recipient.address.postalCode,
  ({ recipient }) => recipient.address.latitude,
  ({ recipient }) => recipient.address.longitude,
];

/** Whether something that has a price differs; nothing else ever changes a fee (interpretation 21). */
export function isPricedChange(before: PricedFields, after: PricedFields): boolean {
  return PRICED.some((valueOf) => valueOf(before) !== valueOf(after));
}

type DeadlineFields = Pick<ShipmentRequest, 'priority' | 'scheduledAfter' | 'scheduledBefore'>;

/** Whether an edit computes the deadline again: priority or schedule change after the approval (interpretation 23). */
export function isDeadlineRecalculable(
  before: DeadlineFields & Pick<EditedShipment, 'status'>,
  after: DeadlineFields,
): boolean {
  if (before.status === 'pending_approval') return false;
  return (
    before.priority !== after.priority ||
    before.scheduledAfter?.getTime() !== after.scheduledAfter?.getTime() ||
    before.scheduledBefore?.getTime() !== after.scheduledBefore?.getTime()
  );
}
