import { isBeforeStart, runConflict, runStatus } from '../../domain/delivery-run.ts';
import type { DriverId, TaskId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import type { Violation } from '../../domain/problem.ts';
import { invalid, ProblemError } from '../../domain/problem.ts';
import { inTransaction } from '../../store/connection.ts';
import { deleteRun, detachTasks, insertRun, lockRun } from '../../store/delivery-runs/delivery-run-writes.ts';
import { findRunPage } from '../../store/delivery-runs/delivery-runs.ts';
import type { Tenant } from '../../store/tenant.ts';
import { EMPTY_PAGE } from '../../store/page.ts';
import { tenant } from '../../store/tenant.ts';
import { trackingSeries } from '../../store/shipments/tracking-numbers.ts';
import { collection } from '../hydra/collection.ts';
import { throwIfInvalid, validPart } from '../schema/lookup-violations.ts';
import { requireFound } from '../http/require-found.ts';
import { MERGE_PATCH_BODY, patchJson } from '../schema/merge-patch.ts';
import { orderOf } from '../http/pagination.ts';
import { requireMatch } from '../http/preconditions.ts';
import { dashboardRoute, NO_BODY, NO_QUERY, nothing } from '../http/route.ts';
import { loadRun, readRun, runAnswer } from './answer.ts';
import { driverViolations } from './assign.ts';
import { editRun } from './edit.ts';
import { addTasks, taskViolations } from './membership.ts';
import { DRIVER, run, runEtag } from './fields.ts';
import { namedTasks, newRunBody, runListQuery } from './parse.ts';
import { runTaskRoutes } from './task-routes.ts';

const tag = 'Delivery runs';

const list = dashboardRoute({
  operation: 'deliveryRuns.list',
  method: 'GET',
  path: '/delivery-runs',
  action: 'delivery_run.list',
  tag,
  summary: 'List runs',
  description:
    'Newest first by default. in_progress, completed and cancelled follow from the tasks. Drivers see only their own runs.',
  answers: { 200: { description: 'One page, without tasks.', schema: run.shapes.collection } },
  body: NO_BODY,
  query: runListQuery,
  load: nothing,
  handle: async ({ actor, permissionScope, query, raw, dependencies }) => {
    const isEmptyForActor =
      permissionScope === 'own' &&
      (actor.driverId === null || (query.driver ?? actor.driverId) !== actor.driverId);
    const page = isEmptyForActor
      ? EMPTY_PAGE
      : await findRunPage(
          tenant(dependencies.database, actor.organizationId),
          {
            date: query.date,
            driverId: permissionScope === 'own' ? actor.driverId : query.driver,
            status: query.status,
          },
          orderOf(query),
          query,
        );
    return { status: 200, body: collection('DeliveryRun', raw, query, page, run.presentMember) };
  },
});

const create = dashboardRoute({
  operation: 'deliveryRuns.create',
  method: 'POST',
  path: '/delivery-runs',
  action: 'delivery_run.write',
  tag,
  summary: 'Create a run',
  description:
    'With a driver, the open tasks are assigned to it, each with its own result in assignments; the driver must be available and belong to the organization (422). 422 for a reference that another run has, for a task that does not belong to the organization, and for a task that is named twice; 409 for a task that is in another run, has ended or has failed. In these cases nothing is created.',
  isIdempotent: true,
  answers: { 201: { description: 'The run.', schema: run.shapes.record, headers: ['Location', 'ETag'] } },
  body: newRunBody,
  query: NO_QUERY,
  load: nothing,
  lookupViolations: ({ actor, dependencies }, body) =>
    referenceViolations(
      tenant(dependencies.database, actor.organizationId),
      validPart(DRIVER, body, 'driver'),
      namedTasks(body),
    ),
  handle: async ({ actor, body, dependencies, effectId, charge }) => {
    if (body.driver !== null) await charge(body.tasks.length - 1);
    const id = toId<'delivery_run'>(effectId);
    await inTransaction(dependencies.database, async (transaction) => {
      const scope = tenant(transaction, actor.organizationId);
      throwIfInvalid(await referenceViolations(scope, body.driver, body.tasks));
      const date = body.date ?? (await trackingSeries(transaction, actor.organizationId)).localDate;
      const fields = { name: body.name, date, driverId: body.driver, planning: body.status };
      if (!(await insertRun(scope, id, body.reference, fields))) {
        throw new ProblemError(
          invalid('reference', 'Another run has this reference; choose another.', 'rule'),
        );
      }
      if (body.tasks.length > 0) {
        await addTasks(scope, requireFound(await lockRun(scope, id), 'delivery run'), body.tasks, null);
      }
    });
    const answer = await runAnswer(dependencies, actor, id, { driverId: body.driver });
    return { status: 201, ...answer, headers: { location: iriOf('delivery_run', id) } };
  },
});

async function referenceViolations(
  scope: Tenant,
  driver: DriverId | null,
  tasks: readonly (TaskId | null)[],
): Promise<readonly Violation[]> {
  return [...(await driverViolations(scope, driver)), ...(await taskViolations(scope, tasks))];
}

const read = dashboardRoute({
  operation: 'deliveryRuns.read',
  method: 'GET',
  path: '/delivery-runs/{id}',
  action: 'delivery_run.read',
  tag,
  summary: 'Read a run',
  answers: {
    200: { description: 'The run with its ordered tasks.', schema: run.shapes.record, headers: ['ETag'] },
  },
  body: NO_BODY,
  query: NO_QUERY,
  load: loadRun,
  handle: async ({ actor, item, dependencies }) => {
    const { row, tasks } = await readRun(tenant(dependencies.database, actor.organizationId), item.id);
    return { status: 200, body: run.present({ ...row, tasks, assignments: undefined }), etag: runEtag(row) };
  },
});

const edit = dashboardRoute({
  operation: 'deliveryRuns.edit',
  method: 'PATCH',
  path: '/delivery-runs/{id}',
  action: 'delivery_run.write',
  tag,
  summary: 'Modify a run',
  description:
    'A merge patch of name, date, driver, status (draft, planned, cancelled; 409 once in progress) and tasks, which reorders the tasks of the run (each exactly once; 422 otherwise). When driver is sent, every task that has not ended is assigned to it, each with its own result in assignments; the request is safe to repeat. When driver is null, the tasks keep their drivers. Cancelling removes the open tasks from the run. 422 for a driver who is not available or does not belong to the organization; 409 for the driver of a completed run.',
  isConditional: true,
  documentedBody: patchJson(run.body),
  answers: { 200: { description: 'The modified run.', schema: run.shapes.record, headers: ['ETag'] } },
  body: MERGE_PATCH_BODY,
  query: NO_QUERY,
  load: loadRun,
  handle: async ({ actor, body, item, raw, dependencies, charge }) => {
    if (typeof body['driver'] === 'string') {
      const { tasks } = await readRun(tenant(dependencies.database, actor.organizationId), item.id);
      await charge(tasks.length - 1);
    }
    const driverId = await inTransaction(dependencies.database, async (transaction) => {
      const scope = tenant(transaction, actor.organizationId);
      const locked = requireFound(await lockRun(scope, item.id), 'delivery run');
      requireMatch(raw, runEtag(locked.row));
      return editRun(scope, locked, body);
    });
    return { status: 200, ...(await runAnswer(dependencies, actor, item.id, { driverId })) };
  },
});

const remove = dashboardRoute({
  operation: 'deliveryRuns.delete',
  method: 'DELETE',
  path: '/delivery-runs/{id}',
  action: 'delivery_run.write',
  tag,
  summary: 'Delete a run that has not started',
  description:
    'Its tasks are removed from it and keep their drivers. 409 once it is in progress or completed.',
  isConditional: true,
  answers: { 204: { description: 'Deleted.' } },
  body: NO_BODY,
  query: NO_QUERY,
  load: loadRun,
  handle: async ({ actor, item, raw, dependencies }) => {
    await inTransaction(dependencies.database, async (transaction) => {
      const scope = tenant(transaction, actor.organizationId);
      const { row, tasks } = requireFound(await lockRun(scope, item.id), 'delivery run');
      requireMatch(raw, runEtag(row));
      const status = runStatus(row.planning, row);
      if (!isBeforeStart(status)) throw new ProblemError(runConflict(status, 'it can no longer be deleted'));
      const ids = tasks.map(({ id }) => id);
      await detachTasks(scope, row.id, ids);
      await deleteRun(scope, row.id);
    });
    return { status: 204 };
  },
});

export const deliveryRunRoutes = [list, create, read, edit, remove, ...runTaskRoutes];
