import { toId } from '../../domain/ids.ts';
import { ProblemError } from '../../domain/problem.ts';
import { isTerminalTask } from '../../domain/shipment-status.ts';
import type { TaskRow } from '../../store/shipments/tasks.ts';
import { changesNothing, editTask, findTask, findTaskPage } from '../../store/shipments/tasks.ts';
import { EMPTY_PAGE } from '../../store/page.ts';
import { tenant } from '../../store/tenant.ts';
import { acceptedAnswer } from '../commands/fields.ts';
import { appliedCommand, findSentCommand, pendingAnswer, sendCommand } from '../commands/send-command.ts';
import { collection } from '../hydra/collection.ts';
import { requireOwn, requireFound } from '../http/require-found.ts';
import { MERGE_PATCH_BODY, patchJson, readPatch } from '../schema/merge-patch.ts';
import { orderOf } from '../http/pagination.ts';
import { requireMatch } from '../http/preconditions.ts';
import type { LoadRequest, UserActor } from '../http/route.ts';
import { dashboardRoute, NO_BODY, NO_QUERY, nothing } from '../http/route.ts';
import { createTask } from './create.ts';
import { task, transitionedTaskJson } from './fields.ts';
import { taskListQuery, transitionBody } from './parse.ts';
import { presentCommandResult, taskEtag } from './present.ts';
import { transitionLookupViolations, rejectEarly, transitionCommand } from './transition.ts';

const tag = 'Tasks';

async function loadTask({
  actor,
  permissionScope,
  params,
  dependencies,
}: LoadRequest<UserActor, unknown>): Promise<TaskRow> {
  const scope = tenant(dependencies.database, actor.organizationId);
  const row = requireFound(await findTask(scope, toId<'task'>(params['id'] ?? '')), 'task');
  requireOwn(
    permissionScope === 'organization' || (actor.driverId !== null && row.driverId === actor.driverId),
    'task',
  );
  return row;
}

const list = dashboardRoute({
  operation: 'tasks.list',
  method: 'GET',
  path: '/tasks',
  action: 'task.list',
  tag,
  summary: 'List tasks',
  description: 'Newest first by default. Drivers see only their own tasks.',
  answers: { 200: { description: 'One page.', schema: task.shapes.collection } },
  body: NO_BODY,
  query: taskListQuery,
  load: nothing,
  handle: async ({ actor, permissionScope, query, raw, dependencies }) => {
    const ownDriver = permissionScope === 'own' ? actor.driverId : query.driver;
    const isEmptyForActor =
      permissionScope === 'own' &&
      (actor.driverId === null || (query.driver ?? actor.driverId) !== actor.driverId);
    const page = isEmptyForActor
      ? EMPTY_PAGE
      : await findTaskPage(
          tenant(dependencies.database, actor.organizationId),
          {
            status: query.status,
            type: query.type,
            driverId: ownDriver,
            shipmentId: query.shipment,
            deliveryRunId: query.deliveryRun,
          },
          orderOf(query),
          query,
        );
    return { status: 200, body: collection('Task', raw, query, page, task.presentMember) };
  },
});

const read = dashboardRoute({
  operation: 'tasks.read',
  method: 'GET',
  path: '/tasks/{id}',
  action: 'task.read',
  tag,
  summary: 'Read a task',
  answers: {
    200: {
      description: 'The task with its allowed transitions.',
      schema: task.shapes.record,
      headers: ['ETag'],
    },
  },
  body: NO_BODY,
  query: NO_QUERY,
  load: loadTask,
  handle: ({ item }) => Promise.resolve({ status: 200, body: task.present(item), etag: taskEtag(item) }),
});

const edit = dashboardRoute({
  operation: 'tasks.edit',
  method: 'PATCH',
  path: '/tasks/{id}',
  action: 'task.edit',
  tag,
  summary: 'Modify a task that has not ended',
  description:
    'A merge patch of notes, address, contact, after, before and position. driver, status and deliveryRun have their own endpoints. 409 for a task that has ended.',
  isConditional: true,
  documentedBody: patchJson(task.body),
  answers: { 200: { description: 'The modified task.', schema: task.shapes.record, headers: ['ETag'] } },
  body: MERGE_PATCH_BODY,
  query: NO_QUERY,
  load: loadTask,
  handle: async ({ actor, body, item, raw, dependencies }) => {
    requireMatch(raw, taskEtag(item));
    if (isTerminalTask(item.type, item.status)) {
      throw new ProblemError({
        kind: 'conflict',
        detail: `The task is ${item.status} and can no longer be changed.`,
        currentStatus: item.status,
      });
    }
    const edited = readPatch(task.present(item), body, task.body, task.patching);
    if (changesNothing(item, edited)) {
      return { status: 200, body: task.present(item), etag: taskEtag(item) };
    }
    const scope = tenant(dependencies.database, actor.organizationId);
    if (!(await editTask(scope, item.id, item.version, edited))) {
      throw new ProblemError({
        kind: raw.headers['if-match'] === undefined ? 'conflict' : 'stale',
        detail:
          'The task was changed by another request at the same time. Read it again, then repeat your change.',
      });
    }
    const row = requireFound(await findTask(scope, item.id), 'task');
    return { status: 200, body: task.present(row), etag: taskEtag(row) };
  },
});

const transition = dashboardRoute({
  operation: 'tasks.transition',
  method: 'POST',
  path: '/tasks/{id}/transition',
  action: 'task.transition',
  tag,
  summary: 'Apply a workflow transition',
  description:
    'assign requires an available driver of the organization (422), fail requires a reason. 409 with currentStatus and allowedTransitions when the state of the task does not allow the transition. 202 with Location when the outcome takes too long: the command will be applied or rejected exactly once. Drivers can start, pick up, deliver and fail their own tasks.',
  isIdempotent: true,
  idempotency: {
    // Any route that carries a transition of a task shares its keys.
    resource: ({ id = '' }) => `/tasks/${id.toLowerCase()}/transition`,
    lifetimeHours: ({ transitionKeyDays }) => transitionKeyDays * 24,
  },
  isConditional: true,
  answers: {
    200: {
      description:
        'The task after the transition. A retry with the same Idempotency-Key gets the same response, or only the outcome if that response was lost.',
      schema: transitionedTaskJson,
      headers: ['ETag'],
    },
    202: acceptedAnswer,
  },
  body: transitionBody,
  query: NO_QUERY,
  load: loadTask,
  lookupViolations: ({ actor, dependencies }, body) =>
    transitionLookupViolations(
      tenant(dependencies.database, actor.organizationId),
      body,
      dependencies.clock(),
    ),
  handle: async ({ actor, body, item, raw, dependencies, effectId }) => {
    requireMatch(raw, taskEtag(item));
    rejectEarly(actor, item, body, dependencies.clock());
    const id = toId<'command'>(effectId);
    const answer = await sendCommand(dependencies, actor, transitionCommand(id, item, body));
    if (answer !== 'applied') return pendingAnswer(id, answer);
    const found = await findTask(tenant(dependencies.database, actor.organizationId), item.id);
    if (found.kind === 'found') {
      return { status: 200, body: task.present(found.row), etag: taskEtag(found.row) };
    }
    // A later command has deleted the shipment; this one was applied.
    return presentCommandResult(await appliedCommand(dependencies, id));
  },
  repeat: async ({ dependencies, effectId }) => {
    const id = toId<'command'>(effectId);
    const sent = await findSentCommand(dependencies, id);
    if (sent === undefined) return undefined;
    if (sent.answer !== 'applied') return pendingAnswer(id, sent.answer);
    return presentCommandResult(sent.record);
  },
});

export const taskRoutes = [list, createTask, read, edit, transition];
