import type { ShipmentStatus, TaskStatus, TaskType } from './enumerations.ts';

/** Shipments in these statuses never change again (interpretation 16). */
export const TERMINAL_SHIPMENT_STATUSES = [
  'delivered',
  'returned',
  'cancelled',
] as const satisfies readonly ShipmentStatus[];

/** Whether nothing can happen to the shipment any more. */
export function isTerminalShipment(status: ShipmentStatus): boolean {
  return TERMINAL_SHIPMENT_STATUSES.some((terminal) => terminal === status);
}

/** Whether the task is terminal: `picked_up` ends a pickup, `failed` is not terminal (interpretation 16). */
export function isTerminalTask(type: TaskType, status: TaskStatus): boolean {
  return status === 'delivered' || status === 'cancelled' || (type === 'pickup' && status === 'picked_up');
}

/** What the effects below may look at. */
export interface EffectContext {
  readonly shipmentStatus: ShipmentStatus;
  /** The moved task's status after the move. */
  readonly taskStatus: TaskStatus;
  /** Whether another task came before the moved one: a pickup, or a transfer. */
  readonly hasPredecessor: boolean;
}

/**
 * The shipment's status after a transition: a fixed word, or one of the named rules for
 * the cells where the contract says «depends on context» (interpretations 10 and 11).
 */
export const SHIPMENT_EFFECTS = {
  pending: () => 'pending',
  pickup_in_progress: () => 'pickup_in_progress',
  picked_up: () => 'picked_up',
  in_transit: () => 'in_transit',
  delivered: () => 'delivered',
  returned: () => 'returned',
  cancelled: () => 'cancelled',
  /** The parcel rests: with us after a pickup or a transfer, otherwise as it was handed in. */
  at_rest: ({ hasPredecessor }) => (hasPredecessor ? 'picked_up' : 'pending'),
  /** Assigning a delivery that still waits does not move the parcel (interpretation 10). */
  at_rest_unless_waiting: ({ shipmentStatus, taskStatus, hasPredecessor }) => {
    if (taskStatus === 'assigned_waiting') return shipmentStatus;
    return hasPredecessor ? 'picked_up' : 'pending';
  },
} as const satisfies Record<string, (context: EffectContext) => ShipmentStatus>;

export type ShipmentEffect = keyof typeof SHIPMENT_EFFECTS;
