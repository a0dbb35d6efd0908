import { TRANSITIONS } from '../../domain/enumerations.ts';
import { mayApply } from '../../domain/permission.ts';
import { say } from '../../domain/messages.ts';
import { conflict, ProblemError } from '../../domain/problem.ts';
import { isTerminalTask } from '../../domain/shipment-status.ts';
import type { TaskRow } from '../../store/shipments/tasks.ts';
import { changesNothing, editTask, findTask, findTaskPage } from '../../store/shipments/tasks.ts';
import { EMPTY_PAGE } from '../../store/page.ts';
import { acceptedAnswer } from '../commands/fields.ts';
import { orderOf } from '../http/pagination.ts';
import { requireMatch } from '../http/preconditions.ts';
import { dashboardRoute, idOf } from '../http/route.ts';
import { editRoute } from '../resource/edit.ts';
import { listRoute, readRoute, resourceOf, shownOwners } from '../resource/resource.ts';
import { isOwnTask, taskResponse } from './answer.ts';
import { taskConflictMembers } from './conflict.ts';
import { createTask } from './create.ts';
import { task, transitionConflictJson, transitionedTaskJson } from './fields.ts';
import { taskListQuery, transitionBody } from './parse.ts';
import { applyTransition, momentViolations, repeatTransition, TRANSITION_KEYS } from './transition.ts';
import { transitionMany } from './transition-many.ts';

/** Tasks (interpretation 4). Staff see all, a driver its own. */
const tasks = resourceOf('task', {
  find: findTask,
  isOwn: isOwnTask,
  shape: task.shapes.record,
  answer: ({ actor }, row) => taskResponse(row, actor.role),
});

const list = listRoute(tasks, {
  action: 'task.list',
  note: 'Drivers see only their own tasks.',
  shape: task.shapes.collection,
  query: taskListQuery,
  findPage: async (request) => {
    const { actor, query, scope } = request;
    const { status, type, shipment: shipmentIds, deliveryRun: deliveryRunIds } = query;
    const driverIds = shownOwners(request, actor.driverId, query.driver);
    if (driverIds === undefined) return EMPTY_PAGE;
    const filter = { status, type, driverIds, shipmentIds, deliveryRunIds };
    const page = await findTaskPage(scope, filter, orderOf(query), query);
    return { ...page, rows: page.rows.map((row) => ({ ...row, viewerRole: actor.role })) };
  },
  present: task.presentMember,
});

const read = readRoute(tasks, { action: 'task.read', shows: 'The task with its allowed transitions.' });

const edit = editRoute(
  {
    ...tasks,
    ...task.editing,
    requireEditable: ({ type, status }: TaskRow) => {
      if (!isTerminalTask(type, status)) return;
      throw new ProblemError(conflict(say('task_fixed', { taskStatus: status }), status));
    },
    write: async ({ scope }, row: TaskRow, body) => changesNothing(row, body) || editTask(scope, row, body),
  },
  {
    action: 'task.edit',
    summary: 'Modify a task that has not ended',
    description:
      'A merge patch of notes, address, contact, after, before and position. Coordinates of a delivery are remembered for its recipient’s phone number, street and city: the next shipment there that has none gets them. driver, status and deliveryRun have their own endpoints. 409 for a task that has ended.',
  },
);

const DRIVERS_OWN = TRANSITIONS.filter((name) => mayApply('ROLE_DRIVER', name)).join(', ');

const transition = dashboardRoute({
  operation: 'tasks.transition',
  method: 'POST',
  path: '/tasks/{id}/transition',
  action: 'task.transition',
  summary: 'Apply a workflow transition',
  description: `assign requires an available driver of the organization (422), fail requires a reason. unassign takes a task that has not begun from its driver and out of its delivery run. 409 with currentStatus and allowedTransitions, those that the caller may apply, when the state of the task does not allow the transition. 202 with Location when the outcome takes too long: the command will be applied or rejected exactly once. Drivers can apply ${DRIVERS_OWN} to their own tasks.`,
  isIdempotent: true,
  idempotency: TRANSITION_KEYS,
  isConditional: true,
  answers: {
    200: {
      description:
        'The task after the transition. A retry with the same Idempotency-Key gets the same response, or only the outcome if that response was lost.',
      schema: transitionedTaskJson,
      headers: ['ETag'],
    },
    202: acceptedAnswer,
    409: {
      description:
        'The state of the task does not allow it; `detail` says why. changedAt, changedBy and task say what the task is now, also in the answer to a repeat.',
      schema: transitionConflictJson,
    },
  },
  body: transitionBody,
  load: tasks.load,
  currentTag: tasks.currentTag,
  check: ({ dependencies }, { occurredAt = null }) => momentViolations(occurredAt, dependencies.clock()),
  handle: async (request) => {
    const { body, context, item } = request;
    await requireMatch(context, () => tasks.currentTag(request, item));
    return applyTransition(request, item, body);
  },
  repeat: (request) => repeatTransition(request),
  conflictMembers: (request) => taskConflictMembers(request, idOf<'task'>(request)),
});

export const taskRoutes = [list, createTask, transitionMany, read, edit, transition];
