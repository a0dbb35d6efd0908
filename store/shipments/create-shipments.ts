import type { FeePayer } from '../../domain/enumerations.ts';
import type { MerchantId, OrganizationId, PickupPointId, ShipmentId } from '../../domain/ids.ts';
import type { Address, Contact, NewShipment } from '../../domain/shipment.ts';
import { deliveryDeadline } from '../../domain/deadline.ts';
import type { Executor } from '../connection.ts';
import { execute, select } from '../connection.ts';
import type { PickupPlace } from './planned-tasks.ts';
import { plannedTasks } from './planned-tasks.ts';
import type { PricingTerms } from './pricing.ts';
import { priceOf, pricingTerms } from './pricing.ts';
import { insertTasksSql } from '../commands/write-shipment.ts';
import { reserveTrackingNumbers } from './tracking-numbers.ts';
import type { TrackingSeries } from './tracking-numbers.ts';
import { prepared } from '../prepared.ts';

/** What a created shipment's workflow is started with. */
export interface CreatedShipment {
  readonly id: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly trackingNumber: string;
}

/** A workflow that the API's queue has not started by then, the reconciler starts. */
const RECONCILE_AFTER_MS = 15_000;
/** The queue starts more than 25 workflows a second; a large import must not be started by both. */
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
 * the caller's transaction. A shipment that exists
 * already (the same id, after a crash) is left as it is and returned as it is. The result is in the
 * order of the requests.
 */
export async function createShipments(
  transaction: Executor,
  organizationId: OrganizationId,
  shipments: readonly NewShipment[],
  { terms, createdBefore = 0 }: CreationContext = {},
): Promise<CreatedShipment[]> {
  const known = await existingShipments(transaction, organizationId, shipments);
  const fresh = shipments.filter(({ id }) => !known.has(id));
  if (fresh.length > 0) {
    const created = await insertShipments(transaction, organizationId, fresh, {
      terms: terms ?? (await pricingTerms(transaction, organizationId)),
      createdBefore,
    });
    for (const shipment of created) known.set(shipment.id, shipment);
  }
  return shipments.flatMap(({ id }) => known.get(id) ?? []);
}

async function insertShipments(
  transaction: Executor,
  organizationId: OrganizationId,
  shipments: readonly NewShipment[],
  { terms, createdBefore }: Required<CreationContext>,
): Promise<CreatedShipment[]> {
  const network = await networkOf(transaction, shipments);
  const numbers = await trackingNumbersFor(transaction, terms.series, shipments);
  const rows = rowsOf(organizationId, shipments, { terms, network, numbers, createdBefore });
  await execute(transaction, INSERT_SQL, [rows.shipments, rows.tasks]);
  return shipments.map(({ id }, index) => ({ id, organizationId, trackingNumber: numbers[index] ?? '' }));
}

async function existingShipments(
  transaction: Executor,
  organizationId: OrganizationId,
  shipments: readonly NewShipment[],
): Promise<Map<ShipmentId, CreatedShipment>> {
  const rows = await select<{ id: ShipmentId; trackingNumber: string }>(
    transaction,
    prepared(
      'select id, tracking_number as "trackingNumber" from shipments where id = any($1::uuid[]) and organization_id = $2',
    ),
    [shipments.map(({ id }) => id), organizationId],
  );
  return new Map(rows.map(({ id, trackingNumber }) => [id, { id, organizationId, trackingNumber }]));
}

function rowsOf(
  organizationId: OrganizationId,
  shipments: readonly NewShipment[],
  {
    terms,
    network,
    numbers,
    createdBefore,
  }: {
    readonly terms: PricingTerms;
    readonly network: Awaited<ReturnType<typeof networkOf>>;
    readonly numbers: readonly string[];
    readonly createdBefore: number;
  },
): { readonly shipments: string; readonly tasks: string } {
  const plans = shipments.map((shipment, index) => ({
    shipment,
    trackingNumber: numbers[index] ?? '',
    deadline: deadlineOf(shipment, terms),
    reconcileAfter: reconcileAfter(terms.now, createdBefore + index),
  }));
  const rows = plans.map(({ shipment, ...plan }) =>
    shipmentRow(shipment, { ...plan, organizationId, terms, network }),
  );
  const tasks = plans.flatMap(({ shipment, deadline }) =>
    deadline === null
      ? []
      : plannedTasks({
          id: shipment.id,
          organizationId,
          recipient: shipment.request.recipient,
          pickup: network.pickupOf(shipment),
          scheduledAfter: shipment.request.scheduledAfter,
          deliveryDeadline: deadline,
        }),
  );
  return { shipments: JSON.stringify(rows), tasks: JSON.stringify(tasks) };
}

function reconcileAfter(now: Date, startsBefore: number): Date {
  return new Date(now.getTime() + RECONCILE_AFTER_MS + startsBefore * START_INTERVAL_MS);
}

/** Made at creation, or at the approval where one is needed (interpretations 18 and 23). */
function deadlineOf(shipment: NewShipment, terms: PricingTerms): Date | null {
  if (shipment.status === 'pending_approval') return null;
  const { priority, scheduledAfter, scheduledBefore } = shipment.request;
  return deliveryDeadline({
    priority,
    scheduledAfter,
    scheduledBefore,
    from: terms.now,
    hours: terms.deadlineHours,
  });
}

async function trackingNumbersFor(
  transaction: Executor,
  series: TrackingSeries,
  shipments: readonly NewShipment[],
): Promise<string[]> {
  const lacking = shipments.filter(({ trackingNumber }) => trackingNumber === null).length;
  const generated = lacking === 0 ? [] : await reserveTrackingNumbers(transaction, series, lacking);
  return shipments.map(({ trackingNumber }) => trackingNumber ?? generated.pop() ?? '');
}

/** Pickup points and merchants that the shipments name, looked up once for all of them. */
async function networkOf(transaction: Executor, shipments: readonly NewShipment[]) {
  const points = await findByIds<{ id: PickupPointId; address: Address; contact: Contact | null }>(
    transaction,
    prepared('select id, address, contact from pickup_points where id = any($1::uuid[])'),
    distinct(shipments.map(({ request }) => request.pickupPointId)),
  );
  const merchants = await findByIds<{ id: MerchantId; feePayer: FeePayer }>(
    transaction,
    prepared('select id, fee_payer as "feePayer" from merchants where id = any($1::uuid[])'),
    distinct(shipments.map(({ request }) => request.merchantId)),
  );
  const pointById = new Map(points.map((point) => [point.id, point]));
  const feePayerById = new Map(merchants.map(({ id, feePayer }) => [id, feePayer]));
  return {
    pickupOf: ({ request }: NewShipment): PickupPlace | null => {
      const point = request.pickupPointId === null ? undefined : pointById.get(request.pickupPointId);
      if (point !== undefined) return { mode: 'point', address: point.address, contact: point.contact };
      if (request.pickupAddress === null) return null;
      return { mode: 'address', address: request.pickupAddress, contact: null };
    },
    feePayerOf: ({ request }: NewShipment): FeePayer =>
      (request.merchantId === null ? undefined : feePayerById.get(request.merchantId)) ?? 'recipient',
  };
}

/** Asks nothing where there is nothing to find: most shipments name neither a point nor a merchant. */
function findByIds<Row extends object>(
  transaction: Executor,
  sql: string,
  ids: readonly string[],
): Promise<Row[]> {
  return ids.length === 0 ? Promise.resolve([]) : select<Row>(transaction, sql, [ids]);
}

function shipmentRow(
  { id, source, status, request }: NewShipment,
  context: {
    readonly organizationId: OrganizationId;
    readonly trackingNumber: string;
    readonly deadline: Date | null;
    readonly reconcileAfter: Date;
    readonly terms: PricingTerms;
    readonly network: Awaited<ReturnType<typeof networkOf>>;
  },
) {
  const feePayer = context.network.feePayerOf({ id, source, status, request, trackingNumber: null });
  const price = priceOf(context.terms, request, feePayer);
  return {
    id,
    organization_id: context.organizationId,
    merchant_id: request.merchantId,
    pickup_point_id: request.pickupPointId,
    tracking_number: context.trackingNumber,
    source,
    status,
    priority: request.priority,
    package_size: request.packageSize,
    weight_grams: request.weightGrams,
    currency: context.terms.currency,
    cod_amount_cents: request.codAmountCents,
    delivery_fee_cents: price.breakdown.totalCents,
    total_cod_to_collect_cents: price.totalCodToCollectCents,
    fee_breakdown: price.breakdown,
    fee_payer: feePayer,
    recipient: request.recipient,
    pickup_address: request.pickupAddress,
    items: request.items,
    handling_options: request.handlingOptions,
    notes: request.notes,
    external_reference: request.externalReference,
    scheduled_after: request.scheduledAfter,
    scheduled_before: request.scheduledBefore,
    delivery_deadline: context.deadline,
    reconcile_after: context.reconcileAfter,
  };
}

const INSERT_SQL = prepared(`
with created as (
  insert into shipments (id, organization_id, merchant_id, pickup_point_id, tracking_number, source, status, priority,
    package_size, weight_grams, currency, cod_amount_cents, delivery_fee_cents, total_cod_to_collect_cents, fee_breakdown,
    fee_payer, recipient, pickup_address, items, handling_options, notes, external_reference, scheduled_after,
    scheduled_before, delivery_deadline, reconcile_after, event_sequence, last_event_at)
  select id, organization_id, merchant_id, pickup_point_id, tracking_number, source, status, priority,
    package_size, weight_grams, currency, cod_amount_cents, delivery_fee_cents, total_cod_to_collect_cents, fee_breakdown,
    fee_payer, recipient, pickup_address, items, handling_options, notes, external_reference, scheduled_after,
    scheduled_before, delivery_deadline, reconcile_after, 1, clock_timestamp()
  from jsonb_to_recordset($1::jsonb) as n (id uuid, organization_id uuid, merchant_id uuid, pickup_point_id uuid,
    tracking_number text, source text, status text, priority text, package_size text, weight_grams int, currency text,
    cod_amount_cents bigint, delivery_fee_cents bigint, total_cod_to_collect_cents bigint, fee_breakdown jsonb,
    fee_payer text, recipient jsonb, pickup_address jsonb, items jsonb, handling_options text[], notes text,
    external_reference text, scheduled_after timestamptz, scheduled_before timestamptz, delivery_deadline timestamptz,
    reconcile_after timestamptz)
  returning id, organization_id, status, last_event_at
), planned as (
  ${insertTasksSql('$2')}
)
insert into timeline_entries (shipment_id, organization_id, sequence, kind, shipment_status, occurred_at, recorded_at)
select id, organization_id, 1, 'created', status, last_event_at, last_event_at from created`);

function distinct<Value>(values: readonly (Value | null)[]): Value[] {
  return [...new Set(values)].filter((value) => value !== null);
}
