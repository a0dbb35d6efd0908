import {
  MAXIMUM_RUN_TASKS,
  obstacleToJoining,
  runConflict,
  runStatus,
  takesTasks,
} from '../../domain/delivery-run.ts';
import type { TaskId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import type { Violation } from '../../domain/problem.ts';
import { invalid, Refusal } from '../../domain/problem.ts';
import type { JoiningTask, LockedRun } from '../../store/delivery-run-writes.ts';
import { lockJoiningTasks, placeTasks } from '../../store/delivery-run-writes.ts';
import type { Tenant } from '../../store/tenant.ts';

/**
 * Adds tasks to a locked run at a position, all or none: 422 for what is no task of the organization and beyond the
 * most that a run holds, 409 for a run that takes none and for tasks that cannot join, naming each. A task that the
 * run has already keeps its place. Resolves to the ids that are new in the run.
 */
export async function addTasks(
  scope: Tenant,
  { row, tasks }: LockedRun,
  ids: readonly TaskId[],
  position: number | null,
): Promise<TaskId[]> {
  const status = runStatus(row.planning, row);
  if (!takesTasks(row.planning, status)) {
    throw new Refusal(runConflict(status, 'it takes no more tasks'));
  }
  const found = await lockJoiningTasks(scope, ids);
  refuseUnknown(ids, found);
  refuseBound(found, row.id);
  const present = tasks.map(({ id }) => id);
  const joining = ids.filter((id) => !present.includes(id));
  if (present.length + joining.length > MAXIMUM_RUN_TASKS) {
    throw new Refusal(invalid('tasks', `A run holds at most ${MAXIMUM_RUN_TASKS} tasks.`, 'too_many'));
  }
  const place = position ?? present.length;
  await placeTasks(scope, row.id, [...present.slice(0, place), ...joining, ...present.slice(place)]);
  return joining;
}

/** Puts a locked run's tasks into another order; 422 unless the order names exactly the tasks that the run has. */
export async function reorderTasks(
  scope: Tenant,
  { row, tasks }: LockedRun,
  order: readonly TaskId[],
): Promise<void> {
  const present = new Set(tasks.map(({ id }) => id));
  if (order.length !== present.size || order.some((id) => !present.has(id))) {
    throw new Refusal(
      invalid(
        'tasks',
        'Name exactly the tasks of the run, in their new order; POST /delivery-runs/{id}/tasks adds some, DELETE /delivery-runs/{runId}/tasks/{taskId} removes one.',
        'rule',
      ),
    );
  }
  if (tasks.some(({ id }, index) => id !== order[index])) await placeTasks(scope, row.id, order);
}

function refuseUnknown(ids: readonly TaskId[], found: readonly JoiningTask[]): void {
  const known = new Set(found.map(({ id }) => id));
  const violations = ids.flatMap((id, index): Violation[] =>
    known.has(id)
      ? []
      : [
          {
            propertyPath: `tasks[${index}]`,
            message: 'There is no such task in your organization.',
            code: 'reference',
          },
        ],
  );
  if (violations.length > 0) throw new Refusal({ kind: 'invalid', violations });
}

function refuseBound(found: readonly JoiningTask[], runId: LockedRun['row']['id']): void {
  const bound = found.flatMap((task) => {
    const obstacle = obstacleToJoining(task, runId);
    return obstacle === undefined ? [] : [{ ...task, obstacle }];
  });
  if (bound.length === 0) return;
  const runs = bound.flatMap((task) =>
    task.runId === null || task.runId === runId ? [] : [iriOf('delivery_run', task.runId)],
  );
  throw new Refusal({
    kind: 'conflict',
    detail: bound.map(({ id, obstacle }) => `Task ${id} ${obstacle}.`).join(' '),
    ...(runs.length === 0 ? {} : { blockedBy: [...new Set(runs)] }),
  });
}
