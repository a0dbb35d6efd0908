import type { ShipmentStatus, TaskStatus, TaskType } from './enumerations.ts';
import type { PickupPointId } from './ids.ts';
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
    return conflict(`The shipment is ${shipment.status} and can no longer be changed.`, shipment.status);
  }
  if (isMerchantUser && shipment.status !== 'pending_approval') {
    return conflict('The shipment has been approved; ask a dispatcher to change it.', shipment.status);
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
  return conflict(
    'The pickup point can only be changed to another point, and only while the pickup is pending.',
    pickup?.status ?? shipment.status,
  );
}

/** Task statuses that freeze the fee: the parcel has been picked up or is on its way (interpretation 21). */
const FEE_FREEZING: readonly TaskStatus[] = ['picked_up', 'delivery_in_progress', 'in_transit', 'delivered'];

/** Whether an edit computes the fee again. */
export function isFeeRecalculable(shipment: EditedShipment): boolean {
  return !shipment.tasks.some(({ status }) => FEE_FREEZING.includes(status));
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
