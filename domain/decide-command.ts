import { ADDITIONAL_TASK_TYPES, decideAdditionalTask } from './additional-task.ts';
import type { Command, CommandKind } from './command.ts';
import { commandDenial } from './command.ts';
import { FAILURE_REASONS, isOneOf, TASK_TYPES, TRANSITIONS } from './enumerations.ts';
import type { Transition } from './enumerations.ts';
import type { TaskId } from './ids.ts';
import type { Decision, ShipmentState, TaskState } from './shipment-state.ts';
import { applied, rejected } from './shipment-state.ts';
import { isTerminalShipment } from './shipment-status.ts';
import type { PickupPlace } from './task-plan.ts';
import type { ApprovableShipment, AssignedDriver } from './transition.ts';
import { decideApproval, decideDeletion, decideTransition } from './transition.ts';

/** A shipment by all that its commands depend on. */
export interface DecidableShipment extends ShipmentState, ApprovableShipment {
  readonly deletedAt: Date | null;
}

/** What a decision depends on besides the shipment and the command. */
export interface DecisionContext {
  /** The driver that an assignment names; null where it names none, or none of the organization. */
  readonly driver: AssignedDriver | null;
  /** Where the parcel of a shipment that is approved is collected. */
  readonly pickup: PickupPlace | null;
  readonly now: Date;
  readonly newTaskId: () => TaskId;
}

/**
 * Decides a command: first whether its actor may still send it (decision 0013), then by the tables. Throws on a stored
 * request that lacks what its kind needs.
 */
export function decideCommand(
  shipment: DecidableShipment,
  command: Command,
  context: DecisionContext,
): Decision {
  const { kind, taskId, request } = command;
  const transition = isOneOf(TRANSITIONS, request.transition) ? request.transition : null;
  const subject = shipment.tasks.find(({ id }) => id === taskId) ?? null;
  const denial = commandDenial(command.actor, { kind, transition }, subject);
  if (denial !== undefined) return rejected(denial);
  switch (kind) {
    case 'transition': {
      if (taskId === null || transition === null) {
        throw new Error('a stored transition lacks its task or its name');
      }
      const reason = isOneOf(FAILURE_REASONS, request.reason) ? request.reason : null;
      const role = command.actor?.role ?? null;
      return decideTransition(shipment, { taskId, transition, driver: context.driver, reason, role });
    }
    case 'approve':
      return decideApproval(shipment, context);
    case 'delete':
      return decideDeletion(shipment);
    case 'add_task': {
      const { taskType: type, address, contact = null } = request;
      if (taskId === null || address === undefined || !isOneOf(ADDITIONAL_TASK_TYPES, type)) {
        throw new Error('a stored task addition lacks its id, type or address');
      }
      return decideAdditionalTask(shipment, { id: taskId, type, address, contact });
    }
  }
}

/**
 * Decides whether a missed deadline is recorded, once and not after the shipment's end. `nowIsAtLeast` is a moment that
 * has passed.
 */
export function decideMissedDeadline(
  { status, deliveryDeadline, deadlineMissedAt }: MissableDeadline,
  nowIsAtLeast: Date,
): Decision {
  const isDue = deliveryDeadline !== null && deliveryDeadline <= nowIsAtLeast;
  if (!isDue || deadlineMissedAt !== null || isTerminalShipment(status)) return { kind: 'unchanged' };
  return applied({ status, milestone: 'deadline_missed' });
}

interface MissableDeadline extends Pick<ShipmentState, 'status'> {
  readonly deliveryDeadline: Date | null;
  readonly deadlineMissedAt: Date | null;
}

/** Names what a command asks for: its transition, or its kind. */
export function commandName({ kind, request }: Pick<Command, 'kind' | 'request'>): Transition | CommandKind {
  return kind === 'transition' && isOneOf(TRANSITIONS, request.transition) ? request.transition : kind;
}

/** A command in a few words of the contract, for ops: `pick_up (pickup)`. */
export function commandCaption({ kind, taskId, request }: Command, tasks: readonly TaskState[]): string {
  const task = tasks.find(({ id }) => id === taskId);
  const name = commandName({ kind, request });
  const type = kind === 'add_task' && isOneOf(TASK_TYPES, request.taskType) ? request.taskType : task?.type;
  return type === undefined ? name : `${name} (${type})`;
}
