import type { DeadlineHours } from './deadline.ts';
import { DEFAULT_DEADLINE_HOURS, deliveryDeadline } from './deadline.ts';
import type { DriverId, TaskId } from './ids.ts';
import type { FailureReason, Priority, TaskStatus, Transition } from './enumerations.ts';
import { TRANSITIONS } from './enumerations.ts';
import type { Said } from './messages.ts';
import { say } from './messages.ts';
import type { Problem } from './problem.ts';
import { conflict, invalid, stated } from './problem.ts';
import type { UserRole } from './permission.ts';
import { mayApply } from './permission.ts';
import type { Recipient } from './shipment.ts';
import type { Decision, ShipmentState, ShipmentTask, TaskChange, TaskState } from './shipment-state.ts';
import { applied, changeTask, rejected, startOver, withoutDriver } from './shipment-state.ts';
import { isTerminalShipment, isTerminalTask, statusAfter } from './shipment-status.ts';
import type { PickupPlace } from './task-plan.ts';
import { plannedTasks } from './task-plan.ts';
import type { TransitionRule } from './task.ts';
import { ruleFor } from './task.ts';

/** A driver whom an assignment names. */
export interface AssignedDriver {
  readonly id: DriverId;
  readonly name: string;
  readonly isAvailable: boolean;
}

/** What a caller asks of one task. */
export interface TransitionRequest {
  readonly taskId: TaskId;
  readonly transition: Transition;
  /** The driver named by the caller; null when none was named or none such exists in the organization. */
  readonly driver: AssignedDriver | null;
  readonly reason: FailureReason | null;
  /** Whose allowed transitions a conflict names; null for the service itself. */
  readonly role: UserRole | null;
}

/**
 * Asks the transition table whether and how a task moves (contract «States and transitions»,
 * interpretations 8 to 20). Pure: the caller holds the locks and writes what comes back. A wrong
 * state is a conflict with the current status and the allowed transitions (interpretation 19), a missing
 * driver or reason a violation, the same driver assigned again changes nothing (interpretation 10).
 */
export function decideTransition(shipment: ShipmentState, request: TransitionRequest): Decision {
  const { taskId, transition, driver } = request;
  const task = shipment.tasks.find(({ id }) => id === taskId);
  if (task === undefined) return rejected({ kind: 'missing', ...stated(say('no_such_task')) });
  const rule = ruleFor(task.type, transition);
  const to = rule?.moves[task.status];
  const obstacle = obstacleTo(shipment, task, transition);
  if (rule === undefined || to === undefined || obstacle !== undefined) {
    return rejected(transitionConflict(shipment, task, request, obstacle));
  }
  const lacking = lackingRequirement(rule, request);
  if (lacking !== undefined) return rejected(lacking);
  if (transition === 'assign' && driver?.id === task.driverId) return { kind: 'unchanged' };
  return withCompanions(shipment, rule, task, moved(rule, task, to, request));
}

function moved(
  rule: TransitionRule,
  task: ShipmentTask,
  to: TaskStatus,
  { transition, driver, reason }: TransitionRequest,
): TaskChange {
  if (rule.consequence === 'start_over') return startOver(task, transition, { status: to });
  if (rule.consequence === 'lose_driver') return withoutDriver(task, transition, { status: to });
  return changeTask(task, transition, {
    status: to,
    ...(rule.requires === 'driver' && driver !== null
      ? { driverId: driver.id, driverName: driver.name }
      : {}),
    ...(to === 'failed' ? { failureReason: reason } : {}),
  });
}

/** Adds what follows from a move: a shipment that ends cancels its open tasks; a task that ends releases those behind it. */
function withCompanions(
  shipment: ShipmentState,
  rule: TransitionRule,
  task: ShipmentTask,
  move: TaskChange,
): Decision {
  const status = statusAfter(rule.shipment, {
    shipmentStatus: shipment.status,
    taskStatus: move.task.status,
    hasPredecessor: task.previousId !== null,
  });
  if (isTerminalShipment(status)) {
    return applied({ status, tasks: [move, ...cancelOpenTasks(shipment, task.id)] });
  }
  const releases = rule.consequence === 'release_successors' ? releaseSuccessors(shipment, task.id) : [];
  return applied({ status, tasks: [move, ...releases] });
}

/**
 * The transitions that the tables would accept now from a user of that role (null: from the service itself), in the
 * contract's order; none on a terminal shipment. A driver's are those of its own task.
 */
export function allowedTransitions(
  shipment: ShipmentState<TaskState>,
  task: TaskState,
  role: UserRole | null,
): readonly Transition[] {
  return TRANSITIONS.filter(
    (transition) =>
      mayApply(role, transition) &&
      ruleFor(task.type, transition)?.moves[task.status] !== undefined &&
      obstacleTo(shipment, task, transition) === undefined,
  );
}

/**
 * Deletes a shipment (DELETE, interpretation 17): its open tasks are cancelled, each with an event.
 * A terminal shipment is rejected with a conflict; a second deletion finds its work done.
 */
export function decideDeletion(shipment: ShipmentState & { readonly deletedAt: Date | null }): Decision {
  const { status, deletedAt } = shipment;
  if (deletedAt !== null) return { kind: 'unchanged' };
  if (isTerminalShipment(status)) {
    return rejected(conflict(say('shipment_not_deletable', { shipmentStatus: status }), status));
  }
  return applied({ status: 'cancelled', tasks: cancelOpenTasks(shipment, null), milestone: 'deleted' });
}

/** A shipment by what its approval makes of it. */
export interface ApprovableShipment extends Pick<ShipmentState, 'status'> {
  readonly priority: Priority;
  readonly scheduledAfter: Date | null;
  readonly scheduledBefore: Date | null;
  readonly recipient: Recipient;
  readonly deadlineHours: DeadlineHours | null;
}

/**
 * Decides an approval, which makes the tasks and the deadline (interpretation 18): harmless when repeated, a conflict on
 * a terminal shipment.
 */
export function decideApproval(
  shipment: ApprovableShipment,
  given: { readonly now: Date; readonly pickup: PickupPlace | null; readonly newTaskId: () => TaskId },
): Decision {
  const { status, deadlineHours } = shipment;
  if (isTerminalShipment(status)) {
    const said = say('shipment_fixed', { shipmentStatus: status, change: 'approved' });
    return rejected(conflict(said, status));
  }
  if (status !== 'pending_approval') return { kind: 'unchanged' };
  const { now, pickup, newTaskId } = given;
  const deadline = deliveryDeadline({
    ...shipment,
    from: now,
    hours: deadlineHours ?? DEFAULT_DEADLINE_HOURS,
  });
  return applied({
    status: 'pending',
    added: plannedTasks({ ...shipment, pickup, deliveryDeadline: deadline }, newTaskId),
    milestone: 'approved',
    deliveryDeadline: deadline,
  });
}

/** What a waiting task becomes when the pickup, transfer or return before it ends (interpretations 9 and 15). */
const RELEASE: Readonly<Partial<Record<TaskStatus, TaskStatus>>> = {
  waiting_for_pickup: 'pending',
  assigned_waiting: 'assigned',
};

function cancelOpenTasks({ tasks }: ShipmentState, except: TaskId | null): TaskChange[] {
  return tasks
    .filter(({ id, type, status }) => id !== except && !isTerminalTask(type, status))
    .map((task) => changeTask(task, 'cancel', { status: 'cancelled' }));
}

function releaseSuccessors({ tasks }: ShipmentState, endedId: TaskId): TaskChange[] {
  return tasks.flatMap((task) => {
    const to = RELEASE[task.status];
    return task.previousId !== endedId || to === undefined ? [] : [changeTask(task, null, { status: to })];
  });
}

function lackingRequirement(
  rule: TransitionRule,
  { driver, reason }: TransitionRequest,
): Problem | undefined {
  if (rule.requires === 'reason' && reason === null) {
    return invalid('reason', say('reason_required'), 'required');
  }
  if (rule.requires !== 'driver') return undefined;
  if (driver === null) {
    return invalid('driver', say('driver_required'), 'reference');
  }
  if (!driver.isAvailable) {
    return invalid('driver', say('driver_unavailable'), 'rule');
  }
  return undefined;
}

/**
 * Whether what is allowed of a task depends on the other tasks of its shipment, as `obstacleTo` has it: where it does not, they
 * need not be read to answer `allowedTransitions`.
 */
export function dependsOnSiblings({ type, status }: Pick<TaskState, 'type' | 'status'>): boolean {
  return ruleFor(type, 'reactivate')?.moves[status] !== undefined;
}

/** What prevents a transition that the task's own status would allow: says so, given what is allowed instead. */
function obstacleTo(
  { status, tasks }: ShipmentState<TaskState>,
  task: TaskState,
  transition: Transition,
): ((advice: string) => Said) | undefined {
  if (isTerminalShipment(status))
    return (advice) => say('shipment_ended', { shipmentStatus: status, advice });
  const openReturn = tasks.find(
    (other) => other.type === 'return' && other.id !== task.id && !isTerminalTask(other.type, other.status),
  );
  if (transition === 'reactivate' && openReturn !== undefined) {
    return (advice) => say('return_is_open', { advice });
  }
  return undefined;
}

function transitionConflict(
  shipment: ShipmentState,
  task: TaskState,
  { transition, role }: TransitionRequest,
  obstacle: ReturnType<typeof obstacleTo>,
): Problem {
  const allowed = allowedTransitions(shipment, task, role);
  const advice = allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : 'No transition is allowed.';
  const { type: taskType, status: taskStatus } = task;
  const said =
    obstacle?.(advice) ?? say('transition_not_allowed', { taskType, taskStatus, transition, advice });
  return { ...conflict(said, taskStatus), allowedTransitions: allowed };
}
