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

/**
 * What a shipment becomes by a transition: a status, or one of the rules for the cells where the contract says «depends on
 * context» (interpretations 10 and 11).
 */
export type ShipmentEffect =
  | ShipmentStatus
  | 'unchanged'
  /** The parcel rests: with us after a pickup or a transfer, otherwise as it was handed in. */
  | 'at_rest'
  /** The same, but assigning a delivery that still waits does not move the parcel (interpretation 10). */
  | 'at_rest_unless_waiting';

/** The shipment's status after a transition. */
export function statusAfter(
  effect: ShipmentEffect,
  context: {
    readonly shipmentStatus: ShipmentStatus;
    /** The moved task's status after the move. */
    readonly taskStatus: TaskStatus;
    /** Whether another task came before the moved one: a pickup, or a transfer. */
    readonly hasPredecessor: boolean;
  },
): ShipmentStatus {
  const { shipmentStatus, taskStatus, hasPredecessor } = context;
  if (effect === 'unchanged') return shipmentStatus;
  if (effect === 'at_rest_unless_waiting' && taskStatus === 'assigned_waiting') return shipmentStatus;
  if (effect !== 'at_rest' && effect !== 'at_rest_unless_waiting') return effect;
  return hasPredecessor ? 'picked_up' : 'pending';
}
