import { isDeepStrictEqual } from 'node:util';
import { isFeeRecalculable, editProblem, pickupPointChangeProblem } from '../../domain/shipment-edit.ts';
import { totalCodToCollectCents } from '../../domain/pricing.ts';
import { ProblemError } from '../../domain/problem.ts';
import type { FeePayer } from '../../domain/enumerations.ts';
import type { MerchantId, ShipmentId } from '../../domain/ids.ts';
import type { ShipmentRequest } from '../../domain/shipment.ts';
import { deliveryDeadline } from '../../domain/deadline.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, inTransaction, selectOne } from '../connection.ts';
import { lockTasks } from '../commands/lock-shipment.ts';
import { pickupPlaceOf } from './pickup-place.ts';
import { recipientContact } from './planned-tasks.ts';
import type { PricingTerms } from './pricing.ts';
import { priceOf, pricingTerms } from './pricing.ts';
import type { ShipmentRow } from './shipments.ts';
import { findShipment } from './shipments.ts';
import type { Lookup, Tenant } from '../tenant.ts';
import { tenant } from '../tenant.ts';

/** What an edit did: whether the deadline moved, which is then signalled to the run. */
export interface EditedShipment {
  readonly row: ShipmentRow;
  readonly isDeadlineMoved: boolean;
}

/**
 * Edits a shipment's descriptive fields in one transaction under its row lock. `revise` gets the locked row and returns
 * the request that it should become; it throws to reject. A terminal shipment, a merchant's approved one and an
 * impossible pickup point are rejected with a conflict. An edit without a change writes nothing.
 */
export function editShipment(
  database: Database,
  { organizationId }: Tenant,
  id: ShipmentId,
  edit: {
    readonly isMerchantUser: boolean;
    readonly revise: (tenantInTransaction: Tenant, found: Lookup<ShipmentRow>) => Promise<ShipmentRequest>;
  },
): Promise<EditedShipment> {
  return inTransaction(database, async (transaction) => {
    const scope = tenant(transaction, organizationId);
    const found = await findShipment(scope, id, { lock: true });
    const request = await edit.revise(scope, found);
    if (found.kind !== 'found') throw new Error('the shipment of a revision disappeared');
    const { row } = found;
    const { tasks } = await lockTasks(transaction, id);
    const problem =
      editProblem({ ...row, tasks }, edit.isMerchantUser) ??
      pickupPointChangeProblem({ ...row, tasks }, request.pickupPointId);
    if (problem !== undefined) throw new ProblemError(problem);
    if (isDeepStrictEqual(request, requestOf(row))) return { row, isDeadlineMoved: false };
    const terms = await pricingTerms(transaction, organizationId);
    const deadline = await deadlineAfter(scope, row, request, terms);
    const isDeadlineMoved = deadline?.getTime() !== row.deliveryDeadline?.getTime();
    const price = isFeeRecalculable({ ...row, tasks })
      ? await recalculateFee(scope, row, request, terms)
      : currentFee(row, request);
    await execute(transaction, UPDATE_SQL, [id, ...requestValues(request), ...price, deadline]);
    await moveDelivery(transaction, row, request, deadline);
    if (request.pickupPointId !== row.pickupPointId) await updatePickupAddress(scope, id, request);
    const after = await findShipment(scope, id);
    if (after.kind !== 'found') throw new Error('an edited shipment disappeared');
    return { row: after.row, isDeadlineMoved };
  });
}

/** The deadline after an edit: as it was, unless priority or schedule changed (interpretation 23). */
async function deadlineAfter(
  { executor }: Tenant,
  row: ShipmentRow,
  request: ShipmentRequest,
  terms: PricingTerms,
): Promise<Date | null> {
  const isSame =
    row.priority === request.priority &&
    row.scheduledAfter?.getTime() === request.scheduledAfter?.getTime() &&
    row.scheduledBefore?.getTime() === request.scheduledBefore?.getTime();
  if (isSame || row.status === 'pending_approval') return row.deliveryDeadline;
  const start = await selectOne<{ at: Date }>(
    executor,
    `select recorded_at as at from timeline_entries where shipment_id = $1 and kind in ('created', 'approved')
     order by sequence desc limit 1`,
    [row.id],
  );
  const { priority, scheduledAfter, scheduledBefore } = request;
  return deliveryDeadline({
    priority,
    scheduledAfter,
    scheduledBefore,
    from: start?.at ?? row.createdAt,
    hours: terms.deadlineHours,
  });
}

function requestValues(request: ShipmentRequest): unknown[] {
  return [
    request.merchantId,
    request.pickupPointId,
    request.priority,
    request.packageSize,
    request.weightGrams,
    request.codAmountCents,
    JSON.stringify(request.recipient),
    JSON.stringify(request.items),
    [...request.handlingOptions],
    request.notes,
    request.externalReference,
    request.scheduledAfter,
    request.scheduledBefore,
  ];
}

/** The request that would create a shipment as it is. */
function requestOf(row: ShipmentRow): ShipmentRequest {
  return {
    recipient: row.recipient,
    merchantId: row.merchantId,
    pickupPointId: row.pickupPointId,
    pickupAddress: row.pickupAddress,
    priority: row.priority,
    packageSize: row.packageSize,
    weightGrams: row.weightGrams,
    codAmountCents: row.codAmountCents,
    handlingOptions: row.handlingOptions,
    notes: row.notes,
    externalReference: row.externalReference,
    items: row.items,
    scheduledAfter: row.scheduledAfter,
    scheduledBefore: row.scheduledBefore,
  };
}

/**
 * Fee, breakdown, total and payer, computed again; another merchant may have another payer (interpretations 21 and 22).
 */
async function recalculateFee(
  { executor }: Tenant,
  row: ShipmentRow,
  request: ShipmentRequest,
  terms: PricingTerms,
): Promise<unknown[]> {
  const payer =
    request.merchantId === row.merchantId ? row.feePayer : await feePayerOf(executor, request.merchantId);
  const { breakdown, totalCodToCollectCents: total } = priceOf(terms, request, payer);
  return [breakdown.totalCents, JSON.stringify(breakdown), total, payer];
}

function currentFee(row: ShipmentRow, request: ShipmentRequest): unknown[] {
  const total = totalCodToCollectCents(request.codAmountCents, row.deliveryFeeCents, row.feePayer);
  return [row.deliveryFeeCents, JSON.stringify(row.feeBreakdown), total, row.feePayer];
}

async function feePayerOf(executor: Executor, id: MerchantId | null): Promise<FeePayer> {
  if (id === null) return 'recipient';
  const merchant = await selectOne<{ feePayer: FeePayer }>(
    executor,
    'select fee_payer as "feePayer" from merchants where id = $1',
    [id],
  );
  return merchant?.feePayer ?? 'recipient';
}

async function moveDelivery(
  transaction: Executor,
  row: ShipmentRow,
  request: ShipmentRequest,
  deadline: Date | null,
): Promise<void> {
  const isMoved = !isDeepStrictEqual(request.recipient.address, row.recipient.address);
  const contact = recipientContact(request.recipient);
  const isOther = !isDeepStrictEqual(contact, recipientContact(row.recipient));
  const isRescheduled =
    deadline?.getTime() !== row.deliveryDeadline?.getTime() ||
    request.scheduledAfter?.getTime() !== row.scheduledAfter?.getTime();
  if (!isMoved && !isOther && !isRescheduled) return;
  await execute(transaction, UPDATE_TASKS_SQL, [
    row.id,
    isMoved ? JSON.stringify(request.recipient.address) : null,
    isOther ? JSON.stringify(contact) : null,
    request.scheduledAfter,
    deadline,
    isRescheduled,
  ]);
}

async function updatePickupAddress(
  { executor }: Tenant,
  id: ShipmentId,
  request: ShipmentRequest,
): Promise<void> {
  const place = await pickupPlaceOf(executor, request);
  if (place === null) return;
  await execute(
    executor,
    `update tasks set address = $2::jsonb, contact = $3::jsonb, version = version + 1, updated_at = clock_timestamp()
     where shipment_id = $1 and type = 'pickup'`,
    [id, JSON.stringify(place.address), place.contact === null ? null : JSON.stringify(place.contact)],
  );
}

const UPDATE_SQL = `
update shipments set merchant_id = $2, pickup_point_id = $3, priority = $4, package_size = $5, weight_grams = $6,
  cod_amount_cents = $7, recipient = $8::jsonb, items = $9::jsonb, handling_options = $10::text[], notes = $11,
  external_reference = $12, scheduled_after = $13::timestamptz, scheduled_before = $14::timestamptz,
  delivery_fee_cents = $15, fee_breakdown = $16::jsonb, total_cod_to_collect_cents = $17, fee_payer = $18,
  deadline_missed_at = case when delivery_deadline is distinct from $19::timestamptz then null else deadline_missed_at end,
  delivery_deadline = $19::timestamptz, version = version + 1, updated_at = clock_timestamp()
where id = $1`;

/** The delivery follows its recipient until it ends. What an edit leaves alone stays as a dispatcher may have set it on the task. */
const UPDATE_TASKS_SQL = `
update tasks set address = coalesce($2::jsonb, address), contact = coalesce($3::jsonb, contact),
  after = case when $6::boolean then $4::timestamptz else after end,
  before = case when $6::boolean then $5::timestamptz else before end,
  version = version + 1, updated_at = clock_timestamp()
where shipment_id = $1 and type = 'delivery' and status not in ('delivered', 'cancelled')`;
