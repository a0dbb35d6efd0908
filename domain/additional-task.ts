import type { TaskStatus } from './enumerations.ts';
import type { TaskId } from './ids.ts';
import type { Said } from './messages.ts';
import { say } from './messages.ts';
import { conflict } from './problem.ts';
import type { Address, Contact } from './shipment.ts';
import { isTerminalShipment, isTerminalTask } from './shipment-status.ts';
import type { Decision, ShipmentState, ShipmentTask, TaskChange } from './shipment-state.ts';
import { applied, changeTask, rejected, startOver } from './shipment-state.ts';

/** The task types that a dispatcher adds to a shipment (`POST /tasks`, interpretation 15). */
export const ADDITIONAL_TASK_TYPES = ['transfer', 'return'] as const;
export type AdditionalTaskType = (typeof ADDITIONAL_TASK_TYPES)[number];

/** A transfer to another hub or a return to the sender; the contact there is not the recipient. */
export interface AdditionalTask {
  readonly id: TaskId;
  readonly type: AdditionalTaskType;
  readonly address: Address;
  readonly contact: Contact | null;
}

/** From which status of the delivery each type may be added, and what the delivery becomes. */
const DELIVERY_BECOMES = {
  transfer: { pending: 'waiting_for_pickup', assigned: 'assigned_waiting', failed: 'waiting_for_pickup' },
  return: { pending: 'waiting_for_pickup', assigned: 'assigned_waiting', failed: 'failed' },
} as const satisfies Record<AdditionalTaskType, Partial<Record<TaskStatus, TaskStatus>>>;

/**
 * Decides whether a transfer or a return may be added now (interpretation 15): the parcel is with us, the
 * delivery is in a fitting status, and no other transfer or return is open. Otherwise a conflict.
 */
export function decideAdditionalTask(shipment: ShipmentState, task: AdditionalTask): Decision {
  const { status, tasks } = shipment;
  const { type } = task;
  const reject = (said: Said) => rejected(conflict(said, status));
  const delivery = tasks.find((other) => other.type === 'delivery');
  if (isTerminalShipment(status) || delivery === undefined) {
    return reject(say('task_not_addable', { shipmentStatus: status, taskType: type }));
  }
  const openDetour = tasks.find(
    (other) =>
      (other.type === 'transfer' || other.type === 'return') && !isTerminalTask(other.type, other.status),
  );
  if (openDetour !== undefined) {
    return reject(say('detour_is_open', { taskType: openDetour.type }));
  }
  if (tasks.some((other) => other.type === 'pickup' && other.status !== 'picked_up')) {
    return reject(say('not_picked_up'));
  }
  const becomes: Partial<Record<TaskStatus, TaskStatus>> = DELIVERY_BECOMES[type];
  const deliveryStatus = becomes[delivery.status];
  if (deliveryStatus === undefined) {
    const fitting = Object.keys(becomes).join(', ');
    return reject(say('task_not_addable_now', { taskStatus: delivery.status, taskType: type, fitting }));
  }
  // What was added goes before a delivery that can still be made, and after one that stays failed.
  const waits = deliveryStatus !== 'failed';
  const previousId = waits ? delivery.previousId : delivery.id;
  return applied({
    status,
    tasks: waits ? [waiting(delivery, deliveryStatus, task.id)] : [],
    added: [{ ...task, status: 'pending', previousId, after: null, before: null }],
    milestone: 'task_added',
  });
}

/** The delivery as it waits for the added task; one that has failed begins a new attempt (interpretation 13). */
function waiting(delivery: ShipmentTask, status: TaskStatus, previousId: TaskId): TaskChange {
  const begin = delivery.status === 'failed' ? startOver : changeTask;
  return begin(delivery, null, { status, previousId });
}
