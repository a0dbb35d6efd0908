import type { ShipmentSource, ShipmentStatus, TaskStatus, TaskType } from './enumerations.ts';

/** Where the parcel starts (contract «Pickup modes»). */
export type PickupMode = 'none' | 'point' | 'address';

/** A task to be made, in order; `follows` is the index of the task that has to end first. */
export interface PlannedTask {
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly follows: number | null;
}

const DIRECT: readonly PlannedTask[] = [{ type: 'delivery', status: 'pending', follows: null }];
const COLLECTED: readonly PlannedTask[] = [
  { type: 'pickup', status: 'pending', follows: null },
  { type: 'delivery', status: 'waiting_for_pickup', follows: 0 },
];

/** The tasks of each pickup mode: without a pickup the shipment starts directly with a delivery. */
export const TASK_PLANS = {
  none: DIRECT,
  point: COLLECTED,
  address: COLLECTED,
} as const satisfies Record<PickupMode, readonly PlannedTask[]>;

/** The first status: a merchant's shipment awaits approval, every other one is pending (interpretation 18). */
export function initialShipmentStatus(
  source: ShipmentSource,
  createdByMerchant: boolean,
): Extract<ShipmentStatus, 'pending_approval' | 'pending'> {
  return source !== 'external' && createdByMerchant ? 'pending_approval' : 'pending';
}
