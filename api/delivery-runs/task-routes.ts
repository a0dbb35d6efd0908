import { canLeaveRun } from '../../domain/delivery-run.ts';
import { toId } from '../../domain/ids.ts';
import { ProblemError } from '../../domain/problem.ts';
import { inTransaction } from '../../store/connection.ts';
import { detachTasks, lockRun, updateRun } from '../../store/delivery-runs/delivery-run-writes.ts';
import { tenant } from '../../store/tenant.ts';
import { requireFound } from '../http/require-found.ts';
import { requireMatch } from '../http/preconditions.ts';
import { dashboardRoute, NO_BODY, NO_QUERY } from '../http/route.ts';
import { loadRun, runAnswer } from './answer.ts';
import { addTasks, taskViolations } from './membership.ts';
import { run, runEtag } from './fields.ts';
import { addTasksBody, namedTasks } from './parse.ts';

const tag = 'Delivery runs';

const add = dashboardRoute({
  operation: 'deliveryRuns.addTasks',
  method: 'POST',
  path: '/delivery-runs/{id}/tasks',
  action: 'delivery_run.write',
  tag,
  summary: 'Add tasks to a run',
  description:
    'Adds all tasks or none. When the run has a driver, the tasks are assigned to it, each with its own result in assignments. Tasks can be added to a run in progress, not to a completed or cancelled one (409). 409 for a task that is in another run (listed in blockedBy), has ended or has failed; 422 for a task that does not belong to the organization, for a task that is named twice, and for more than 500 tasks. A task that is already in the run keeps its position.',
  isConditional: true,
  answers: { 200: { description: 'The run.', schema: run.shapes.record, headers: ['ETag'] } },
  body: addTasksBody,
  query: NO_QUERY,
  load: loadRun,
  lookupViolations: ({ actor, dependencies }, body) =>
    taskViolations(tenant(dependencies.database, actor.organizationId), namedTasks(body)),
  handle: async ({ actor, body, item, raw, dependencies, charge }) => {
    if (item.driverId !== null) await charge(body.tasks.length - 1);
    const driverId = await inTransaction(dependencies.database, async (transaction) => {
      const scope = tenant(transaction, actor.organizationId);
      const locked = requireFound(await lockRun(scope, item.id), 'delivery run');
      requireMatch(raw, runEtag(locked.row));
      const joined = await addTasks(scope, locked, body.tasks, body.position);
      if (joined.length > 0) await updateRun(scope, item.id, locked.row);
      return locked.row.driverId;
    });
    const answer = await runAnswer(dependencies, actor, item.id, { driverId, only: body.tasks });
    return { status: 200, ...answer };
  },
});

const removeTask = dashboardRoute({
  operation: 'deliveryRuns.removeTask',
  method: 'DELETE',
  path: '/delivery-runs/{runId}/tasks/{taskId}',
  action: 'delivery_run.write',
  tag,
  summary: 'Remove a task from a run',
  description:
    'The task keeps its driver. 404 when the run has no such task. 409 once the task has started, also while the run is in progress.',
  isConditional: true,
  answers: { 204: { description: 'Removed.' } },
  body: NO_BODY,
  query: NO_QUERY,
  load: loadRun,
  handle: async ({ actor, item, params, raw, dependencies }) => {
    const taskId = toId<'task'>(params['taskId'] ?? '');
    await inTransaction(dependencies.database, async (transaction) => {
      const scope = tenant(transaction, actor.organizationId);
      const { row, tasks } = requireFound(await lockRun(scope, item.id), 'delivery run');
      requireMatch(raw, runEtag(row));
      const task = tasks.find(({ id }) => id === taskId);
      if (task === undefined)
        throw new ProblemError({ kind: 'missing', detail: 'The run has no such task.' });
      if (!canLeaveRun(task.status)) {
        throw new ProblemError({
          kind: 'conflict',
          detail: `The task is ${task.status}; a task that has started stays in its run.`,
          currentStatus: task.status,
        });
      }
      await detachTasks(scope, row.id, [taskId]);
      await updateRun(scope, row.id, row);
    });
    return { status: 204 };
  },
});

export const runTaskRoutes = [add, removeTask];
