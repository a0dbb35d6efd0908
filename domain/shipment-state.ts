import { STAGE_OF_STATUS } from './delivery-run.ts';
import type { FailureReason, ShipmentStatus, TaskStatus, TaskType, Transition } from './enumerations.ts';
import type { DriverId, TaskId } from './ids.ts';
import type { Problem } from './problem.ts';
import type { NewTask } from './task-plan.ts';

/** A task as the transition table sees it. */
export interface TaskState {
  readonly id: TaskId;
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly driverId: DriverId | null;
  /** The task that has to end before this one may begin. */
  readonly previousId: TaskId | null;
}

/** A task with all that decisions read and change of it. */
export interface ShipmentTask extends TaskState {
  readonly driverName: string | null;
  readonly attempts: number;
  /** Kept until a new attempt begins. */
  readonly failureReason: FailureReason | null;
  readonly version: number;
}

/** A shipment as decisions see it, its tasks in order. */
export interface ShipmentState<Task extends TaskState = ShipmentTask> {
  readonly status: ShipmentStatus;
  readonly tasks: readonly Task[];
}

/** What a decision makes of a task that there is. */
export interface TaskChange {
  /** The task after the change. */
  readonly task: ShipmentTask;
  /**
   * The transition that it makes, which has a timeline entry and an event of its own (interpretation 20); null where the
   * task now waits for another one, or no longer does.
   */
  readonly transition: Transition | null;
  /** Whether the task leaves its delivery run and has not been started (interpretations 10 and 13). */
  readonly leavesRun: boolean;
}

/** All that one decision changes of a shipment. */
export interface ShipmentChange {
  readonly status: ShipmentStatus;
  readonly tasks: readonly TaskChange[];
  /** Tasks that are made, in order. */
  readonly added: readonly NewTask[];
  /** The timeline entry about the shipment itself, after those of its tasks. */
  readonly milestone: 'approved' | 'task_added' | 'deleted' | 'deadline_missed' | null;
  /** A new deadline; null leaves it as it is. */
  readonly deliveryDeadline: Date | null;
}

/** The outcome of asking the rules. */
export type Decision =
  | { readonly kind: 'applied'; readonly change: ShipmentChange }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'rejected'; readonly problem: Problem };

/** The decision that changes this. */
export function applied(change: Partial<ShipmentChange> & Pick<ShipmentChange, 'status'>): Decision {
  return {
    kind: 'applied',
    change: { tasks: [], added: [], milestone: null, deliveryDeadline: null, ...change },
  };
}

/** The decision that rejects the command with a problem. */
export function rejected(problem: Problem): Decision {
  return { kind: 'rejected', problem };
}

/** Changes a task, by a transition or (null) because of another task. */
export function changeTask(
  task: ShipmentTask,
  transition: Transition | null,
  fields: Partial<Omit<ShipmentTask, 'id' | 'type' | 'version'>>,
): TaskChange {
  return { task: { ...task, ...fields, version: task.version + 1 }, transition, leavesRun: false };
}

/** Changes a task so that it has no driver and no delivery run (interpretation 10). */
export function withoutDriver(
  task: ShipmentTask,
  transition: Transition | null,
  fields: Parameters<typeof changeTask>[2],
): TaskChange {
  const free = { driverId: null, driverName: null };
  return { ...changeTask(task, transition, { ...free, ...fields }), leavesRun: true };
}

/** Changes a task so that a new attempt begins: no driver, no failure, no delivery run (interpretation 13). */
export function startOver(
  task: ShipmentTask,
  transition: Transition | null,
  fields: Parameters<typeof changeTask>[2],
): TaskChange {
  const fresh = { failureReason: null, attempts: task.attempts + 1 };
  return withoutDriver(task, transition, { ...fresh, ...fields });
}

/** When a task was assigned, started and completed. */
export type TaskMoment = 'assigned' | 'started' | 'completed';

/**
 * Which moments of its task a change sets. A task that is done was started at the latest then: drivers skip steps, and a
 * moment that is set already stays.
 */
export function momentsSetBy({ task, transition }: TaskChange): readonly TaskMoment[] {
  if (transition === 'assign') return ['assigned'];
  switch (STAGE_OF_STATUS[task.status]) {
    case 'underway':
      return ['started'];
    case 'done':
      return ['started', 'completed'];
    case 'cancelled':
      return ['completed'];
    case 'open':
    case 'failed':
      return [];
  }
}

/** The shipment after a change. */
export function shipmentAfter({ tasks }: ShipmentState, change: ShipmentChange): ShipmentState {
  const changed = new Map(change.tasks.map(({ task }) => [task.id, task]));
  return {
    status: change.status,
    tasks: [...tasks.map((task) => changed.get(task.id) ?? task), ...change.added.map(untouched)],
  };
}

function untouched({ id, type, status, previousId }: NewTask): ShipmentTask {
  const beginning = { driverId: null, driverName: null, attempts: 1, failureReason: null, version: 1 };
  return { id, type, status, previousId, ...beginning };
}
