import { MAXIMUM_RUN_TASKS, obstacleToGrouping } from '../../domain/delivery-run.ts';
import type { DeliveryRunId, PickupPointId, ShipmentId, TaskId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import { iriOf, parseReference } from '../../domain/iri.ts';
import type { Said } from '../../domain/messages.ts';
import { say, sayAs } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import { inTransaction } from '../../store/connection.ts';
import { insertRun, lockRun } from '../../store/delivery-runs/delivery-run-writes.ts';
import {
  localDateOf,
  lockPickups,
  openPickupsOf,
  schedulePickups,
} from '../../store/delivery-runs/grouped-pickup.ts';
import type { Tenant } from '../../store/tenant.ts';
import { tenant } from '../../store/tenant.ts';
import { assignedAnswer } from '../delivery-runs/answer.ts';
import { driverViolations } from '../delivery-runs/assign.ts';
import { addTasks } from '../delivery-runs/membership.ts';
import { groupedPickupJson } from '../delivery-runs/fields.ts';
import { requireFound } from '../http/require-found.ts';
import { dashboardRoute } from '../http/route.ts';
import type { Infer } from '../schema/schema.ts';
import { named } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { list, object, optional } from '../schema/schema-objects.ts';
import { reference, text } from '../schema/schema-values.ts';
import { pickupPointRecords } from './records.ts';

/** Body of `POST /pickup-points/{id}/grouped-pickup` (interpretation 31): ids or IRIs, with a result for each. */
const groupedPickupBody = named(
  'GroupedPickupRequest',
  object({
    shipments: optional(
      list(text(), {
        min: 1,
        max: MAXIMUM_RUN_TASKS,
        unique: true,
        description: 'Ids or IRIs; by default every open pickup of the point that is in no run.',
      }),
    ),
    driver: optional(
      reference('driver', { bare: true, description: 'The driver to assign the pickups to.' }),
    ),
    scheduledAt: optional(
      dateTime('When the driver arrives: the date of the run, and `after` of the pickups.'),
    ),
  }),
);

/** A line of the result. */
interface Result extends Partial<Said> {
  readonly shipment: string;
  readonly status: 'added' | 'error';
  readonly task?: string;
}

const group = dashboardRoute({
  operation: 'pickupPoints.groupedPickup',
  method: 'POST',
  path: '/pickup-points/{id}/grouped-pickup',
  action: 'pickup_point.group',
  summary: 'Collect the open pickups of a point in one run',
  description:
    'Creates a planned run of the pickups, at most 500, the oldest first; without a body, of every open pickup of the point. Each shipment has its own result: `added`, or `error` with a message when it has no open pickup at the point. With a driver, the pickups are assigned to it, each with its own result in assignments; the driver must be available and belong to the organization (422). 409 when no pickup could be added; then nothing is created.',
  isIdempotent: true,
  isBodyOptional: true,
  answers: {
    201: {
      description: 'The run, with a result for each shipment.',
      schema: groupedPickupJson,
      headers: ['Location', 'ETag'],
    },
  },
  body: groupedPickupBody,
  load: pickupPointRecords.load,
  currentTag: pickupPointRecords.currentTag,
  check: ({ scope }, { driver = null }) => driverViolations(scope, driver),
  handle: async (request) => {
    const { actor, body, item: point, dependencies, effectId, charge } = request;
    if (body.driver !== null) await charge((body.shipments ?? []).length - 1);
    const runId = toId<'delivery_run'>(effectId);
    const results = await inTransaction(dependencies.database, (transaction) =>
      makeRun(tenant(transaction, actor.organizationId), point.id, runId, body),
    );
    const { body: run, etag } = await assignedAnswer(request, runId, body.driver);
    const headers = { location: iriOf('delivery_run', runId) };
    return { status: 201, body: { ...run, results }, etag, headers };
  },
});

async function makeRun(
  scope: Tenant,
  pointId: PickupPointId,
  runId: DeliveryRunId,
  { shipments, driver, scheduledAt }: Infer<typeof groupedPickupBody>,
): Promise<Result[]> {
  const named = shipments ?? (await openPickupsOf(scope, pointId, { runId, limit: MAXIMUM_RUN_TASKS }));
  const { results, tasks } = await groupable(scope, pointId, runId, named);
  if (tasks.length === 0) throw new ProblemError({ kind: 'conflict', ...stated(nothingToGroup(results)) });
  const date = await localDateOf(scope, scheduledAt);
  await insertRun(scope, runId, null, { name: null, date, driverId: driver, planning: 'planned' });
  await addTasks(scope, requireFound(await lockRun(scope, runId), 'delivery run'), tasks, null);
  if (scheduledAt !== null) await schedulePickups(scope, tasks, scheduledAt);
  return results;
}

async function groupable(
  scope: Tenant,
  pointId: PickupPointId,
  runId: DeliveryRunId,
  named: readonly string[],
): Promise<{ readonly results: Result[]; readonly tasks: TaskId[] }> {
  const ids = named.map((name) => parseReference('shipment', name));
  const candidates = await lockPickups(
    scope,
    ids.filter((id): id is ShipmentId => id !== undefined),
  );
  const tasks: TaskId[] = [];
  const results = named.map((name, index): Result => {
    const id = ids[index];
    if (id === undefined) return { shipment: name, status: 'error', ...say('shipment_reference') };
    const shipment = iriOf('shipment', id);
    const candidate = candidates.find(({ shipmentId }) => shipmentId === id);
    const obstacle = obstacleToGrouping(candidate, pointId, runId);
    const taskId = candidate?.pickup?.taskId;
    if (obstacle !== undefined || taskId === undefined) {
      return { shipment, status: 'error', ...(obstacle ?? say('no_pickup')) };
    }
    if (!tasks.includes(taskId)) tasks.push(taskId);
    return { shipment, status: 'added', task: iriOf('task', taskId) };
  });
  return { results, tasks };
}

function nothingToGroup(results: readonly Result[]): Said {
  const said = say('nothing_to_collect');
  if (results.length === 0) return said;
  const sentences = results.map(({ shipment, message }) => `${shipment.slice(0, 80)}: ${message ?? ''}`);
  return sayAs(sentences.join(' '), said);
}

export const groupedPickupRoutes = [group];
