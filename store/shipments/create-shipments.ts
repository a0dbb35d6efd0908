import type { MerchantId, OrganizationId, ShipmentId } from '../../domain/ids.ts';
import type { NewShipment } from '../../domain/shipment.ts';
import { deliveryDeadline } from '../../domain/deadline.ts';
import { plannedTasks } from '../../domain/task-plan.ts';
import { byColumn } from '../columns.ts';
import type { Executor } from '../connection.ts';
import { execute, select } from '../connection.ts';
import { insertTasksSql, newTaskRow } from '../commands/write-shipment.ts';
import { newId } from '../new-id.ts';
import { prepared } from '../prepared.ts';
import { collections, feePayers } from './named-records.ts';
import type { PricingTerms } from './pricing.ts';
import { feeOf, pricingTerms } from './pricing.ts';
import { withRememberedPlaces } from './remembered-places.ts';
import { PRICED_COLUMNS, REQUEST_COLUMNS } from './shipments.ts';
import { reserveTrackingNumbers } from './tracking-numbers.ts';

/** A workflow that the API's queue has not started by then, the reconciler starts. */
const RECONCILE_AFTER_MS = 15_000;
/**
 * On an idle service the queue starts more than 25 workflows a second, so that a large import is not started by both. While
 * commands are accepted the queue rests, and the reconciler keeps the import at this rate.
 */
const START_INTERVAL_MS = 40;

/** What creations in several parts share. */
interface CreationContext {
  /** Read where they are not given. */
  readonly terms?: PricingTerms;
  /** How many of the parts before were created: their workflows are started first. */
  readonly createdBefore?: number;
}

/**
 * THE creation: turns validated requests of one organization into shipments, tasks, fees, deadlines and timeline, in
 * the caller's transaction. One without coordinates gets those that are remembered for its recipient. A shipment that exists already (the same id, after a crash) is left as it is. Resolves to the
 * tracking numbers, in the order of the requests.
 */
export async function createShipments(
  transaction: Executor,
  organizationId: OrganizationId,
  shipments: readonly NewShipment[],
  { terms, createdBefore = 0 }: CreationContext = {},
): Promise<string[]> {
  const rows = await select<{ id: ShipmentId; number: string }>(
    transaction,
    prepared(
      'select id, tracking_number as number from shipments where id = any($1::uuid[]) and organization_id = $2',
    ),
    [shipments.map(({ id }) => id), organizationId],
  );
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  const fresh = shipments.filter(({ id }) => !numbers.has(id));
  if (fresh.length > 0) {
    const usedTerms = terms ?? (await pricingTerms(transaction, organizationId));
    const placed = usedTerms.hasRememberedPlaces
      ? await withRememberedPlaces(transaction, organizationId, fresh)
      : fresh;
    const numbered = await withTrackingNumbers(transaction, usedTerms, placed);
    await insertShipments(transaction, organizationId, numbered, { terms: usedTerms, createdBefore });
    for (const { id, trackingNumber } of numbered) numbers.set(id, trackingNumber);
  }
  return shipments.map(({ id }) => numbers.get(id) ?? '');
}

type NumberedShipment = NewShipment & { readonly trackingNumber: string };

async function withTrackingNumbers(
  transaction: Executor,
  { series }: PricingTerms,
  shipments: readonly NewShipment[],
): Promise<NumberedShipment[]> {
  const lacking = shipments.filter(({ trackingNumber }) => trackingNumber === null).length;
  const generated = lacking === 0 ? [] : await reserveTrackingNumbers(transaction, series, lacking);
  return shipments.map((shipment) => ({
    ...shipment,
    trackingNumber: shipment.trackingNumber ?? generated.pop() ?? '',
  }));
}

async function insertShipments(
  transaction: Executor,
  organizationId: OrganizationId,
  shipments: readonly NumberedShipment[],
  { terms, createdBefore }: Required<CreationContext>,
): Promise<void> {
  const collectionOf = await collections(
    transaction,
    shipments.map(({ request }) => request),
  );
  const owned = shipments.map((shipment) =>
    withMerchant(shipment, collectionOf(shipment.request).merchantId),
  );
  const payerOf = await feePayers(
    transaction,
    owned.map(({ request }) => request),
  );
  const { currency, now } = terms;
  const rows = owned.map(({ id, trackingNumber, source, status, request }, index) => {
    const startsAfterMs = RECONCILE_AFTER_MS + (createdBefore + index) * START_INTERVAL_MS;
    return {
      ...request,
      ...feeOf(terms, request, payerOf(request)),
      id,
      organizationId,
      trackingNumber,
      source,
      status,
      currency,
      deliveryDeadline: firstDeadline({ status, request }, terms),
      reconcileAfter: new Date(now.getTime() + startsAfterMs),
    };
  });
  const tasks = rows.flatMap(({ deliveryDeadline: deadline, ...shipment }) => {
    if (deadline === null) return [];
    const planned = plannedTasks(
      { ...shipment, pickup: collectionOf(shipment).place, deliveryDeadline: deadline },
      newId<'task'>,
    );
    return planned.map((task, ordinal) => newTaskRow(task, shipment, ordinal));
  });
  await execute(transaction, INSERT_SQL, [JSON.stringify(rows.map(byColumn)), JSON.stringify(tasks)]);
}

/** The merchant is the named one, else the pickup point's, else none (interpretation 1). */
function withMerchant(shipment: NumberedShipment, ofPoint: MerchantId | null): NumberedShipment {
  const { request } = shipment;
  return { ...shipment, request: { ...request, merchantId: request.merchantId ?? ofPoint } };
}

/** Made at creation, or at the approval where one is needed (interpretations 18 and 23). */
function firstDeadline(
  { status, request }: Pick<NewShipment, 'status' | 'request'>,
  { now, deadlineHours }: PricingTerms,
): Date | null {
  if (status === 'pending_approval') return null;
  return deliveryDeadline({ ...request, from: now, hours: deadlineHours });
}

const INSERTED_COLUMNS = `id, organization_id, tracking_number, source, status, currency, pickup_address, reconcile_after,
    ${REQUEST_COLUMNS}, ${PRICED_COLUMNS}`;

const INSERT_SQL = prepared(`
with created as (
  insert into shipments (${INSERTED_COLUMNS}, event_sequence, last_event_at)
  select ${INSERTED_COLUMNS}, 1, clock_timestamp() from jsonb_populate_recordset(null::shipments, $1::jsonb)
  returning id, organization_id, status, last_event_at
), planned as (
  ${insertTasksSql('$2')}
)
insert into timeline_entries (shipment_id, organization_id, sequence, kind, shipment_status, occurred_at, recorded_at)
select id, organization_id, 1, 'created', status, last_event_at, last_event_at from created`);
