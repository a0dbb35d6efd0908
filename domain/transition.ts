import type { DriverId, TaskId } from './ids.ts';
import type { ShipmentStatus, TaskStatus, TaskType, Transition } from './enumerations.ts';
import { TRANSITIONS } from './enumerations.ts';
import type { Problem } from './problem.ts';
import { invalid } from './problem.ts';
import { isTerminalShipment, isTerminalTask, SHIPMENT_EFFECTS } from './shipment-status.ts';
import type { TransitionRule } from './task.ts';
import { ruleFor } from './task.ts';

/** A task as decisions see it. */
export interface TaskState {
  readonly id: TaskId;
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly driverId: DriverId | null;
  /** The task that has to end before this one may begin. */
  readonly previousId: TaskId | null;
}

/** A shipment as decisions see it, its tasks in order. */
export interface ShipmentState {
  readonly status: ShipmentStatus;
  readonly tasks: readonly TaskState[];
}

/** What a caller asks of one task. */
export interface TransitionRequest {
  readonly taskId: TaskId;
  readonly transition: Transition;
  /** The driver named by the caller; null when none was named or none such exists in the organization. */
  readonly driver: { readonly id: DriverId; readonly isAvailable: boolean } | null;
  readonly hasReason: boolean;
}

/** One task's change. `notifies` says whether it is a transition of its own, with an event (interpretation 20). */
export interface TaskMove {
  readonly taskId: TaskId;
  readonly to: TaskStatus;
  readonly notifies: boolean;
  /** A transition of the table; null for a release, which is not a transition. */
  readonly transition: Transition | null;
  readonly driver: { readonly change: 'keep' | 'clear' } | { readonly change: 'set'; readonly id: DriverId };
  /** Whether the run is left and a new attempt begins (interpretation 13). */
  readonly startsOver: boolean;
}

/** The outcome of asking the table. */
export type Decision =
  | {
      readonly kind: 'applied';
      readonly shipmentStatus: ShipmentStatus;
      readonly moves: readonly TaskMove[];
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'rejected'; readonly problem: Problem };

const KEEP_DRIVER = { change: 'keep' } as const;
const CLEAR_DRIVER = { change: 'clear' } as const;

/**
 * Asks the transition table whether and how a task moves (contract «States and transitions»,
 * interpretations 8 to 20). Pure: the caller holds the locks and writes what comes back. A wrong
 * state is a conflict with the current status and the allowed transitions (interpretation 19), a missing
 * driver or reason a violation, the same driver assigned again changes nothing (interpretation 10).
 */
export function decideTransition(shipment: ShipmentState, request: TransitionRequest): Decision {
  const task = shipment.tasks.find(({ id }) => id === request.taskId);
  if (task === undefined) return rejected({ kind: 'missing', detail: 'The shipment has no such task.' });
  const rule = ruleFor(task.type, request.transition);
  const to = rule?.moves[task.status];
  const obstacle = obstacleTo(shipment, task, request.transition);
  if (rule === undefined || to === undefined || obstacle !== undefined) {
    return rejected(conflict(shipment, task, request.transition, obstacle));
  }
  const lacking = lackingRequirement(rule, request);
  if (lacking !== undefined) return rejected(lacking);
  if (request.transition === 'assign' && request.driver?.id === task.driverId) return { kind: 'unchanged' };
  const move: TaskMove = {
    taskId: task.id,
    to,
    notifies: true,
    transition: request.transition,
    driver: driverChange(rule, request),
    startsOver: rule.consequence === 'start_over',
  };
  return applied(shipment, task, rule, move);
}

/** The transitions that the table would accept now, in the contract's order; none on a terminal shipment. */
export function allowedTransitions(shipment: ShipmentState, task: TaskState): readonly Transition[] {
  return TRANSITIONS.filter(
    (transition) =>
      ruleFor(task.type, transition)?.moves[task.status] !== undefined &&
      obstacleTo(shipment, task, transition) === undefined,
  );
}

/**
 * Deletes a shipment (DELETE, interpretation 17): its open tasks are cancelled, each with an event.
 * A terminal shipment is rejected with a conflict.
 */
export function decideDeletion(shipment: ShipmentState): Decision {
  if (isTerminalShipment(shipment.status)) {
    return rejected({
      kind: 'conflict',
      detail: `The shipment is ${shipment.status}; a shipment that has ended cannot be deleted.`,
      currentStatus: shipment.status,
    });
  }
  return { kind: 'applied', shipmentStatus: 'cancelled', moves: cancelOpenTasks(shipment, null) };
}

/** Decides an approval (interpretation 18): harmless when repeated, a conflict on a terminal shipment. */
export function decideApproval(status: ShipmentStatus): 'approve' | 'unchanged' | Problem {
  if (status === 'pending_approval') return 'approve';
  if (!isTerminalShipment(status)) return 'unchanged';
  return {
    kind: 'conflict',
    detail: `The shipment is ${status} and can no longer be approved.`,
    currentStatus: status,
  };
}

/** What a waiting task becomes when the pickup, transfer or return before it ends (interpretations 9 and 15). */
const RELEASE: Readonly<Partial<Record<TaskStatus, TaskStatus>>> = {
  waiting_for_pickup: 'pending',
  assigned_waiting: 'assigned',
};

function applied(shipment: ShipmentState, task: TaskState, rule: TransitionRule, move: TaskMove): Decision {
  const shipmentStatus = SHIPMENT_EFFECTS[rule.shipment]({
    shipmentStatus: shipment.status,
    taskStatus: move.to,
    hasPredecessor: task.previousId !== null,
  });
  if (isTerminalShipment(shipmentStatus)) {
    return { kind: 'applied', shipmentStatus, moves: [move, ...cancelOpenTasks(shipment, task.id)] };
  }
  const releases = rule.consequence === 'release_successors' ? releaseSuccessors(shipment, task.id) : [];
  return { kind: 'applied', shipmentStatus, moves: [move, ...releases] };
}

function cancelOpenTasks(shipment: ShipmentState, except: TaskId | null): TaskMove[] {
  return shipment.tasks
    .filter(({ id, type, status }) => id !== except && !isTerminalTask(type, status))
    .map(({ id }) => ({
      taskId: id,
      to: 'cancelled',
      notifies: true,
      transition: 'cancel',
      driver: KEEP_DRIVER,
      startsOver: false,
    }));
}

function releaseSuccessors(shipment: ShipmentState, endedId: TaskId): TaskMove[] {
  return shipment.tasks.flatMap(({ id, status, previousId }) => {
    const to = RELEASE[status];
    if (previousId !== endedId || to === undefined) return [];
    return [
      { taskId: id, to, notifies: false, transition: null, driver: KEEP_DRIVER, startsOver: false } as const,
    ];
  });
}

function driverChange(rule: TransitionRule, request: TransitionRequest): TaskMove['driver'] {
  if (rule.consequence === 'start_over') return CLEAR_DRIVER;
  if (rule.requires === 'driver' && request.driver !== null) {
    return { change: 'set', id: request.driver.id };
  }
  return KEEP_DRIVER;
}

function lackingRequirement(rule: TransitionRule, request: TransitionRequest): Problem | undefined {
  if (rule.requires === 'reason' && !request.hasReason) {
    return invalid('reason', 'A reason is required: send one of the listed reasons.', 'required');
  }
  if (rule.requires !== 'driver') return undefined;
  if (request.driver === null) {
    return invalid(
      'driver',
      'A driver is required: send the IRI or id of a driver of your organization.',
      'reference',
    );
  }
  if (!request.driver.isAvailable) {
    return invalid('driver', 'This driver is not available; choose another.', 'rule');
  }
  return undefined;
}

/** What prevents a transition that the task's own status would allow. */
function obstacleTo(shipment: ShipmentState, task: TaskState, transition: Transition): string | undefined {
  if (isTerminalShipment(shipment.status)) return `The shipment is ${shipment.status}.`;
  const openReturn = shipment.tasks.find(
    ({ id, type, status }) => type === 'return' && id !== task.id && !isTerminalTask(type, status),
  );
  if (transition === 'reactivate' && openReturn !== undefined) {
    return 'A return of the shipment is open; cancel it before you reactivate the task.';
  }
  return undefined;
}

function conflict(
  shipment: ShipmentState,
  task: TaskState,
  transition: Transition,
  obstacle: string | undefined,
): Problem {
  const allowed = allowedTransitions(shipment, task);
  const reason = obstacle ?? `The ${task.type} task is ${task.status}; '${transition}' is not allowed.`;
  const advice = allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : 'No transition is allowed.';
  return {
    kind: 'conflict',
    detail: `${reason} ${advice}`,
    currentStatus: task.status,
    allowedTransitions: allowed,
  };
}

function rejected(problem: Problem): Decision {
  return { kind: 'rejected', problem };
}
