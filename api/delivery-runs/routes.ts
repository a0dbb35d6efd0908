import { canLeaveRun, isBeforeStart, runStatus } from '../../domain/delivery-run.ts';
import { toId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import { say } from '../../domain/messages.ts';
import { conflict, invalid, ProblemError, stated } from '../../domain/problem.ts';
import { inTransaction } from '../../store/connection.ts';
import type { LockedRun } from '../../store/delivery-runs/delivery-run-writes.ts';
import {
  deleteRun,
  detachTasks,
  insertRun,
  lockRun,
  updateRun,
} from '../../store/delivery-runs/delivery-run-writes.ts';
import { findRunPage } from '../../store/delivery-runs/delivery-runs.ts';
import { EMPTY_PAGE } from '../../store/page.ts';
import { localDateOf } from '../../store/delivery-runs/grouped-pickup.ts';
import type { Tenant } from '../../store/tenant.ts';
import { tenant } from '../../store/tenant.ts';
import { orderOf } from '../http/pagination.ts';
import { requireFound } from '../http/require-found.ts';
import { dashboardRoute, idOf } from '../http/route.ts';
import { patchRoute } from '../resource/edit.ts';
import { listRoute, readRoute, shownOwners } from '../resource/resource.ts';
import { assignedAnswer, changeRun, readRun, runs } from './answer.ts';
import { driverViolations } from './assign.ts';
import { editRun, namesNewDriver } from './edit.ts';
import { addTasks, taskViolations } from './membership.ts';
import { addTasksBody, newRunBody, runListQuery } from './parse.ts';
import { run } from './fields.ts';

const list = listRoute(runs, {
  action: 'delivery_run.list',
  note: 'in_progress, completed and cancelled follow from the tasks. Drivers see only their own runs.',
  shows: 'One page, without tasks.',
  shape: run.shapes.collection,
  query: runListQuery,
  findPage: async (request) => {
    const { actor, query, scope } = request;
    const driverIds = shownOwners(request, actor.driverId, query.driver);
    if (driverIds === undefined) return EMPTY_PAGE;
    const filter = { dates: query.date, driverIds, status: query.status };
    return findRunPage(scope, filter, orderOf(query), query);
  },
  present: run.presentMember,
});

const create = dashboardRoute({
  operation: 'deliveryRuns.create',
  method: 'POST',
  path: '/delivery-runs',
  action: 'delivery_run.write',
  summary: 'Create a run',
  description:
    'With a driver, the open tasks are assigned to it, each with its own result in assignments; the driver must be available and belong to the organization (422). 422 for a reference that another run has, for a task that does not belong to the organization, and for a task that is named twice; 409 for a task that is in another run, has ended or has failed. In these cases nothing is created.',
  isIdempotent: true,
  answers: { 201: { description: 'The run.', schema: run.shapes.record, headers: ['Location', 'ETag'] } },
  body: newRunBody,
  check: async ({ scope }, { driver = null, tasks = [] }) => [
    ...(await driverViolations(scope, driver)),
    ...(await taskViolations(scope, tasks)),
  ],
  handle: async (request) => {
    const { actor, body, dependencies, effectId, charge } = request;
    if (body.driver !== null) await charge(body.tasks.length - 1);
    const id = toId<'delivery_run'>(effectId);
    await inTransaction(dependencies.database, async (transaction) => {
      const inside = tenant(transaction, actor.organizationId);
      const date = body.date ?? (await localDateOf(inside, null));
      const fields = { name: body.name, date, driverId: body.driver, planning: body.status };
      if (!(await insertRun(inside, id, body.reference, fields))) {
        throw new ProblemError(invalid('reference', say('run_reference_taken'), 'rule'));
      }
      if (body.tasks.length > 0) {
        await addTasks(inside, requireFound(await lockRun(inside, id), runs.one), body.tasks, null);
      }
    });
    const answer = await assignedAnswer(request, id, body.driver);
    return { ...answer, status: 201, headers: { location: iriOf('delivery_run', id) } };
  },
});

const read = readRoute(runs, { action: 'delivery_run.read', shows: 'The run with its ordered tasks.' });

const edit = patchRoute(
  { ...runs, schema: run.body },
  {
    action: 'delivery_run.write',
    description:
      'A merge patch of name, date, driver, status (draft, planned, cancelled; 409 once in progress) and tasks, which reorders the tasks of the run (each exactly once; 422 otherwise). When driver is sent, every task that has not ended is assigned to it, each with its own result in assignments; the request is safe to repeat. When driver is null, the tasks keep their drivers, and so they do when the whole run is sent back with the driver that it has. Cancelling removes the open tasks from the run. 422 for a driver who is not available or does not belong to the organization; 409 for the driver of a completed run.',
  },
  async (request) => {
    const { body, item, scope, charge } = request;
    if (namesNewDriver(body, item)) await charge((await readRun(scope, item.id)).tasks.length - 1);
    const driverId = await changeRun(request, (inside, locked) =>
      editRun({ ...request, scope: inside }, locked),
    );
    return assignedAnswer(request, item.id, driverId);
  },
);

const remove = dashboardRoute({
  operation: 'deliveryRuns.delete',
  method: 'DELETE',
  path: '/delivery-runs/{id}',
  action: 'delivery_run.delete',
  summary: 'Delete a run that has not started',
  description:
    'Its tasks are removed from it and keep their drivers. 409 once it is in progress or completed.',
  isConditional: true,
  answers: { 204: { description: 'Deleted.' } },
  load: runs.load,
  currentTag: runs.currentTag,
  handle: async (request) => {
    await changeRun(request, async (inside, { row, tasks }) => {
      const status = runStatus(row.planning, row);
      if (!isBeforeStart(status))
        throw new ProblemError(conflict(say('run_not_deletable', { runStatus: status }), status));
      const ids = tasks.map(({ id }) => id);
      await detachTasks(inside, row.id, ids);
      await deleteRun(inside, row.id);
    });
    return { status: 204 };
  },
});

const add = dashboardRoute({
  operation: 'deliveryRuns.addTasks',
  method: 'POST',
  path: '/delivery-runs/{id}/tasks',
  action: 'delivery_run.write',
  summary: 'Add tasks to a run',
  description:
    'Adds all tasks or none. When the run has a driver, the tasks are assigned to it, each with its own result in assignments. Tasks can be added to a run in progress, not to a completed or cancelled one (409). 409 for a task that is in another run (listed in blockedBy), has ended or has failed. With isMove a task leaves its other run in the same step; 409 once it has started there. 422 for a task that does not belong to the organization, for a task that is named twice, and for more than 500 tasks. A task that is already in the run keeps its position.',
  isConditional: true,
  answers: { 200: { description: 'The run.', schema: run.shapes.record, headers: ['ETag'] } },
  body: addTasksBody,
  load: runs.load,
  currentTag: runs.currentTag,
  check: ({ scope }, { tasks = [] }) => taskViolations(scope, tasks),
  handle: async (request) => {
    const { body, item, charge } = request;
    if (item.driverId !== null) await charge(body.tasks.length - 1);
    const { tasks, position, isMove } = body;
    const join = async (inside: Tenant, locked: LockedRun) => {
      const joined = await addTasks(inside, locked, tasks, position, isMove);
      if (joined.length > 0) await updateRun(inside, item.id, locked.row);
      return locked.row.driverId;
    };
    const driverId = await changeRun(request, join, isMove ? tasks : []);
    return assignedAnswer(request, item.id, driverId, tasks);
  },
});

const removeTask = dashboardRoute({
  operation: 'deliveryRuns.removeTask',
  method: 'DELETE',
  path: '/delivery-runs/{runId}/tasks/{taskId}',
  action: 'delivery_run.write',
  summary: 'Remove a task from a run',
  description:
    'The task keeps its driver. 404 when the run has no such task. 409 once the task has started, also while the run is in progress.',
  isConditional: true,
  answers: { 204: { description: 'Removed.' } },
  load: runs.load,
  currentTag: runs.currentTag,
  handle: async (request) => {
    const taskId = idOf<'task'>(request, 'taskId');
    await changeRun(request, async (inside, { row, tasks }) => {
      const task = tasks.find(({ id }) => id === taskId);
      if (task === undefined) throw new ProblemError({ kind: 'missing', ...stated(say('not_in_run')) });
      if (!canLeaveRun(task.status)) {
        throw new ProblemError(conflict(say('started_in_run', { taskStatus: task.status }), task.status));
      }
      await detachTasks(inside, row.id, [taskId]);
      await updateRun(inside, row.id, row);
    });
    return { status: 204 };
  },
});

export const deliveryRunRoutes = [list, create, read, edit, remove, add, removeTask];
