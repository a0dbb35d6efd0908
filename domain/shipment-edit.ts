import type { ShipmentStatus, TaskStatus, TaskType } from './enumerations.ts';
import type { PickupPointId } from './ids.ts';
import type { Problem } from './problem.ts';
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
    return {
      kind: 'conflict',
      detail: `The shipment is ${shipment.status} and can no longer be changed.`,
      currentStatus: shipment.status,
    };
  }
  if (isMerchantUser && shipment.status !== 'pending_approval') {
    return {
      kind: 'conflict',
      detail: 'The shipment has been approved; ask a dispatcher to change it.',
      currentStatus: shipment.status,
    };
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
  return {
    kind: 'conflict',
    detail: 'The pickup point can only be changed to another point, and only while the pickup is pending.',
    currentStatus: pickup?.status ?? shipment.status,
  };
}

/** Task statuses that freeze the fee: the parcel has been picked up or is on its way (interpretation 21). */
const FEE_FREEZING: readonly TaskStatus[] = ['picked_up', 'delivery_in_progress', 'in_transit', 'delivered'];

/** Whether an edit computes the fee again. */
export function isFeeRecalculable(shipment: EditedShipment): boolean {
  return !shipment.tasks.some(({ status }) => FEE_FREEZING.includes(status));
}
