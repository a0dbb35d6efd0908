import type { TaskStatus } from './enumerations.ts';
import type { TaskId } from './ids.ts';
import type { Problem } from './problem.ts';
import { isTerminalShipment, isTerminalTask } from './shipment-status.ts';
import type { ShipmentState, TaskState } from './transition.ts';

/** The task types that a dispatcher adds to a shipment (`POST /tasks`, interpretation 15). */
export const ADDITIONAL_TASK_TYPES = ['transfer', 'return'] as const;
export type AdditionalTaskType = (typeof ADDITIONAL_TASK_TYPES)[number];

/** From which status of the delivery each type may be added, and what the delivery becomes. */
const DELIVERY_BECOMES = {
  transfer: { pending: 'waiting_for_pickup', assigned: 'assigned_waiting', failed: 'waiting_for_pickup' },
  return: { failed: 'failed' },
} as const satisfies Record<AdditionalTaskType, Partial<Record<TaskStatus, TaskStatus>>>;

/** What adding the task does to the shipment's delivery. */
export interface AdditionalTask {
  readonly deliveryId: TaskId;
  readonly deliveryBecomes: TaskStatus;
  /** A failed delivery that waits for a transfer starts over: no driver, no run, a new attempt (interpretation 13). */
  readonly deliveryStartsOver: boolean;
  /** The task that the new one follows. */
  readonly previousId: TaskId | null;
  /** Whether the delivery now waits for the new task. */
  readonly becomesPredecessor: boolean;
}

/**
 * Decides whether a transfer or a return may be added now (interpretation 15): the parcel is with us, the
 * delivery is in a fitting status, and no other transfer or return is open. Otherwise a conflict.
 */
export function decideAdditionalTask(
  shipment: ShipmentState,
  type: AdditionalTaskType,
): AdditionalTask | Problem {
  const delivery = shipment.tasks.find((task) => task.type === 'delivery');
  if (isTerminalShipment(shipment.status) || delivery === undefined) {
    return conflict(shipment, `The shipment is ${shipment.status}; a ${type} cannot be added.`);
  }
  const openDetour = shipment.tasks.find((task) => isDetour(task) && isOpen(task));
  if (openDetour !== undefined) {
    return conflict(
      shipment,
      `A ${openDetour.type} of the shipment is already open; only one at a time is allowed.`,
    );
  }
  if (shipment.tasks.some((task) => task.type === 'pickup' && task.status !== 'picked_up')) {
    return conflict(shipment, 'The parcel has not been picked up yet.');
  }
  const becomes: Partial<Record<TaskStatus, TaskStatus>> = DELIVERY_BECOMES[type];
  const deliveryBecomes = becomes[delivery.status];
  if (deliveryBecomes === undefined) {
    const fitting = Object.keys(becomes).join(', ');
    return conflict(
      shipment,
      `The delivery is ${delivery.status}; for a ${type} it must be one of: ${fitting}.`,
    );
  }
  return {
    deliveryId: delivery.id,
    deliveryBecomes,
    deliveryStartsOver: type === 'transfer' && delivery.status === 'failed',
    previousId: type === 'transfer' ? delivery.previousId : delivery.id,
    becomesPredecessor: type === 'transfer',
  };
}

function isDetour(task: TaskState): boolean {
  return task.type === 'transfer' || task.type === 'return';
}

function isOpen(task: TaskState): boolean {
  return !isTerminalTask(task.type, task.status);
}

function conflict(shipment: ShipmentState, detail: string): Problem {
  return { kind: 'conflict', detail, currentStatus: shipment.status };
}
