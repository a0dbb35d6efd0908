import { MAXIMUM_RUN_TASKS, obstacleToJoining, runStatus, takesTasks } from '../../domain/delivery-run.ts';
import type { TaskId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import type { Said } from '../../domain/messages.ts';
import { say, sayAs } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import { conflict, invalid, ProblemError, stated } from '../../domain/problem.ts';
import type { JoiningTask, LockedRun } from '../../store/delivery-runs/delivery-run-writes.ts';
import { lockJoiningTasks, placeTasks, renewRuns } from '../../store/delivery-runs/delivery-run-writes.ts';
import { findNamedTasks } from '../../store/shipments/references.ts';
import type { Tenant } from '../../store/tenant.ts';
import { throwIfInvalid, unknownReference } from '../schema/checked-body.ts';

/**
 * Adds tasks to a locked run at a position, all or none: 422 for what is not a task of the organization and beyond the
 * most that a run holds, 409 for a run that takes none and for tasks that cannot join, naming each. A task that the
 * run has already keeps its place. With `isMove` tasks leave other runs that they may leave. Resolves to the ids that are new in
 * the run.
 */
export async function addTasks(
  scope: Tenant,
  { row, tasks }: LockedRun,
  ids: readonly TaskId[],
  position: number | null,
  isMove = false,
): Promise<TaskId[]> {
  const status = runStatus(row.planning, row);
  if (!takesTasks(row.planning, status)) {
    throw new ProblemError(conflict(say('run_closed', { runStatus: status }), status));
  }
  const found = await lockJoiningTasks(scope, ids);
  throwIfInvalid(unknownTasks(ids, found));
  rejectObstructed(found, row.id, isMove);
  const present = tasks.map(({ id }) => id);
  const joining = ids.filter((id) => !present.includes(id));
  if (present.length + joining.length > MAXIMUM_RUN_TASKS) {
    throw new ProblemError(invalid('tasks', say('run_full', { limit: MAXIMUM_RUN_TASKS }), 'too_many'));
  }
  const place = position ?? present.length;
  await placeTasks(scope, row.id, [...present.slice(0, place), ...joining, ...present.slice(place)]);
  const left = found.flatMap(({ runId }) => (runId === null || runId === row.id ? [] : [runId]));
  if (left.length > 0) await renewRuns(scope, left);
  return joining;
}

/** What is wrong with an order of a locked run's tasks: it has to name exactly the tasks that the run has. */
export function orderViolations({ tasks }: LockedRun, order: readonly TaskId[]): readonly Violation[] {
  const present = new Set(tasks.map(({ id }) => id));
  if (order.length === present.size && order.every((id) => present.has(id))) return [];
  const said = say('run_order', {
    adding: 'POST /delivery-runs/{id}/tasks',
    removing: 'DELETE /delivery-runs/{runId}/tasks/{taskId}',
  });
  return [{ propertyPath: 'tasks', ...said, code: 'rule' }];
}

/** Puts a locked run's tasks into another order, which names exactly them. */
export async function reorderTasks(
  scope: Tenant,
  { row, tasks }: LockedRun,
  order: readonly TaskId[],
): Promise<void> {
  if (tasks.some(({ id }, index) => id !== order[index])) await placeTasks(scope, row.id, order);
}

/** Violations for the ids that name no task of the organization. */
export async function taskViolations(scope: Tenant, ids: readonly TaskId[]): Promise<readonly Violation[]> {
  return ids.length === 0 ? [] : unknownTasks(ids, await findNamedTasks(scope, ids));
}

function unknownTasks(
  ids: readonly TaskId[],
  found: readonly { readonly id: TaskId }[],
): readonly Violation[] {
  const known = new Set(found.map(({ id }) => id));
  return ids.flatMap((id, index) => (known.has(id) ? [] : [unknownReference(`tasks[${index}]`, 'task')]));
}

function rejectObstructed(
  found: readonly JoiningTask[],
  runId: LockedRun['row']['id'],
  isMove: boolean,
): void {
  const bound = found.flatMap((task) => {
    const obstacle = obstacleToJoining(task, runId, isMove);
    return obstacle === undefined ? [] : [{ ...task, obstacle }];
  });
  const [first] = bound;
  if (first === undefined) return;
  const runs = bound.flatMap((task) =>
    task.runId === null || task.runId === runId ? [] : [iriOf('delivery_run', task.runId)],
  );
  throw new ProblemError({
    kind: 'conflict',
    ...stated(bound.length === 1 ? first.obstacle : allObstacles(bound)),
    ...(runs.length === 0 ? {} : { blockedBy: [...new Set(runs)] }),
  });
}

function allObstacles(bound: readonly { readonly obstacle: Said }[]): Said {
  const sentences = bound.map(({ obstacle }) => obstacle.message);
  return sayAs(sentences.join(' '), say('tasks_cannot_join', { count: bound.length }));
}
