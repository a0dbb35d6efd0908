import pMap from 'p-map';
import type { ShipmentId, TaskId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import { say } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import { findTaskOwnersAcrossTenants } from '../../store/shipments/references.ts';
import { findTask } from '../../store/shipments/tasks.ts';
import { checkTenant } from '../../store/tenant.ts';
import { CONCURRENT_COMMANDS } from '../commands/send-command.ts';
import { withConflictMembers } from '../http/conflict-members.ts';
import { requestIdOf } from '../http/errors.ts';
import type { KeyedRequest } from '../http/idempotency.ts';
import { fingerprintOf, withIdempotency } from '../http/idempotency.ts';
import { itemProblemShape } from '../http/problem-shapes.ts';
import { problemResponse } from '../http/problem-response.ts';
import { requireFound, requireOwn } from '../http/require-found.ts';
import type { RouteRequest, RouteResponse } from '../http/route.ts';
import { dashboardRoute } from '../http/route.ts';
import { throwIfInvalid, unknownReference } from '../schema/checked-body.ts';
import { array, iri, oneOf, shape } from '../schema/shapes.ts';
import { isOwnTask } from './answer.ts';
import { taskConflictMembers } from './conflict.ts';
import { transitionConflictJson, transitionedTaskJson } from './fields.ts';
import type { TransitionItem } from './parse.ts';
import { MAXIMUM_TRANSITIONS, transitionsBody } from './parse.ts';
import {
  applyTransition,
  meaningOfTransition,
  momentViolations,
  repeatTransition,
  TRANSITION_KEYS,
} from './transition.ts';

const RESULT_STATUSES = ['applied', 'rejected', 'pending', 'skipped'] as const;

/** What became of one item. */
interface Result {
  readonly task: string;
  readonly status: (typeof RESULT_STATUSES)[number];
  /** The task after an applied one. */
  readonly item?: unknown;
  readonly problem?: unknown;
  /** Where the outcome of a pending one will be. */
  readonly command?: string;
}

const transitionResultsJson = {
  title: 'TransitionResults',
  ...shape({
    total: { type: 'integer' },
    ...Object.fromEntries(RESULT_STATUSES.map((status) => [status, { type: 'integer' }])),
    results: array({
      title: 'TransitionResult',
      ...shape(
        {
          task: iri,
          status: oneOf(RESULT_STATUSES),
          item: transitionedTaskJson,
          problem: itemProblemShape(transitionConflictJson),
          command: iri,
        },
        ['task', 'status'],
      ),
    }),
  }),
};

/** `POST /tasks/transitions` (decision 0031): each item is the transition of a task, under its own key. */
export const transitionMany = dashboardRoute({
  operation: 'tasks.transitionMany',
  method: 'POST',
  path: '/tasks/transitions',
  action: 'task.transition',
  summary: 'Apply workflow transitions to several tasks',
  description: `1 to ${MAXIMUM_TRANSITIONS} items, each as POST /tasks/{id}/transition takes it, and with one result in the order of the items: \`applied\` with the task, \`rejected\` with the problem, \`pending\` with the command to poll, or \`skipped\`. Items of one shipment are decided in their order. After one that is rejected or pending the others of its shipment are skipped: nothing is done, and they can be sent again with the same keys. Shipments do not wait for each other. A repeat with the same keys gets the first outcomes, also by POST /tasks/{id}/transition with the header Idempotency-Key, and the other way round. 422 for the whole body, with nothing done, when it is not valid, when a task does not exist, or when a key is there twice; 403 when a task belongs to another organization. Each item costs one unit of the \`command\` budget.`,
  isPlain: true,
  answers: { 200: { description: 'The results.', schema: transitionResultsJson } },
  body: transitionsBody,
  check: async ({ scope }, { items = [] }) => {
    const owners = await ownersOf(scope.executor, items);
    return items.flatMap(({ task, idempotencyKey }, index): Violation[] => [
      ...(owners.has(task) ? [] : [unknownReference(`items[${index}].task`, 'task')]),
      ...(items.findIndex((other) => other.idempotencyKey === idempotencyKey) === index
        ? []
        : [
            {
              propertyPath: `items[${index}].idempotencyKey`,
              ...say('key_repeated'),
              code: 'unique',
            } as const,
          ]),
    ]);
  },
  handle: async (request) => {
    const { body, charge } = request;
    const groups = await groupedByShipment(request, body.items);
    await charge(body.items.length - 1);
    return { status: 200, body: await applyAll(request, body.items, groups) };
  },
});

type Items = readonly TransitionItem[];

function ownersOf(executor: RouteRequest['scope']['executor'], items: Items) {
  return findTaskOwnersAcrossTenants(executor, [...new Set(items.map(({ task }) => task))]);
}

/** The items of each shipment in their order. Throws a 403 ProblemError for a task of another organization. */
async function groupedByShipment({ scope }: RouteRequest, items: Items): Promise<readonly Items[]> {
  const owners = await ownersOf(scope.executor, items);
  const groups = new Map<ShipmentId, TransitionItem[]>();
  for (const item of items) {
    const { shipmentId } = requireFound(checkTenant(scope, owners.get(item.task)), 'task');
    groups.set(shipmentId, [...(groups.get(shipmentId) ?? []), item]);
  }
  return [...groups.values()];
}

/** Applies the items of each shipment one after another, those of sixteen shipments at a time. */
async function applyAll(request: RouteRequest, items: Items, groups: readonly Items[]) {
  const results = new Map<TransitionItem, Result>();
  let { commandWaitMs: waitMs } = request.dependencies.config;
  const applyGroup = async (group: Items): Promise<void> => {
    let isStopped = false;
    for (const item of group) {
      const result: Result = isStopped
        ? { task: iriOf('task', item.task), status: 'skipped' }
        : resultOf(item, await applyItem(request, item, waitMs));
      results.set(item, result);
      isStopped = result.status !== 'applied';
      // Where commands are not decided in time, those that wait already are the last that do.
      if (result.status === 'pending') waitMs = 0;
    }
  };
  await pMap(groups, applyGroup, { concurrency: CONCURRENT_COMMANDS });
  const ordered = items.flatMap((item) => results.get(item) ?? []);
  const numberOf = (wanted: Result['status']) => ordered.filter(({ status }) => status === wanted).length;
  return {
    total: ordered.length,
    ...Object.fromEntries(RESULT_STATUSES.map((status) => [status, numberOf(status)])),
    results: ordered,
  };
}

/** Answers one item as `POST /tasks/{id}/transition` would, a rejection as its problem. Rejects where the service cannot answer. */
async function applyItem(
  request: RouteRequest,
  { task: id, idempotencyKey, ...body }: TransitionItem,
  waitMs: number,
): Promise<RouteResponse> {
  const { actor, context, dependencies, permissionScope, scope } = request;
  const answer = async (effectId: string) => {
    const row = requireFound(await findTask(scope, id), 'task');
    requireOwn(permissionScope === 'organization' || isOwnTask(actor, row), 'task');
    throwIfInvalid(momentViolations(body.occurredAt, dependencies.clock()));
    return applyTransition({ ...request, effectId }, row, body, waitMs);
  };
  const keyed: KeyedRequest = {
    context,
    dependencies,
    scope: {
      organizationId: actor.organizationId,
      actor: actor.userId,
      method: 'POST',
      path: TRANSITION_KEYS.resource({ id }),
      key: idempotencyKey,
    },
    fingerprints: [fingerprintOf(meaningOfTransition(body))],
    lifetimeHours: TRANSITION_KEYS.lifetimeHours(dependencies.config),
    keyName: 'idempotencyKey',
  };
  try {
    return await withConflictMembers(
      () => withIdempotency(keyed, answer, (effectId) => repeatTransition({ ...request, effectId }, waitMs)),
      () => taskConflictMembers(request, id),
    );
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.kind === 'unavailable') throw error;
    return problemResponse(error.problem, requestIdOf(context));
  }
}

function resultOf({ task: id }: { readonly task: TaskId }, response: RouteResponse): Result {
  const { status, body, headers = {} } = response;
  const task = iriOf('task', id);
  if (status === 202) return { task, status: 'pending', command: headers['location'] ?? '' };
  return status < 300 ? { task, status: 'applied', item: body } : { task, status: 'rejected', problem: body };
}
