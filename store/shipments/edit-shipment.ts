import { isDeepStrictEqual } from 'node:util';
import { deliveryDeadline } from '../../domain/deadline.ts';
import type { FeePayer } from '../../domain/enumerations.ts';
import type { ShipmentId } from '../../domain/ids.ts';
import { totalCodToCollectCents } from '../../domain/pricing.ts';
import { ProblemError } from '../../domain/problem.ts';
import { isPinMoved } from '../../domain/remembered-place.ts';
import {
  editProblem,
  isDeadlineRecalculable,
  isFeeOpen,
  isPricedChange,
  pickupPointChangeProblem,
} from '../../domain/shipment-edit.ts';
import type { ShipmentRequest } from '../../domain/shipment.ts';
import { recipientContact } from '../../domain/shipment.ts';
import { byColumn } from '../columns.ts';
import { lockTasks } from '../commands/lock-shipment.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, inTransaction, selectOne } from '../connection.ts';
import type { Lookup, Tenant } from '../tenant.ts';
import { tenant } from '../tenant.ts';
import { feePayers, pickupPlaces } from './named-records.ts';
import type { PricingTerms, ShipmentFee } from './pricing.ts';
import { feeOf, pricingTerms } from './pricing.ts';
import { nameOf, rememberPlace } from './remembered-places.ts';
import type { ShipmentRow } from './shipments.ts';
import { findShipment, PRICED_COLUMNS, REQUEST_COLUMNS } from './shipments.ts';

/** What an edit did: whether the deadline moved, which is then signalled to the run. */
export interface EditedShipment {
  readonly row: ShipmentRow;
  readonly isDeadlineMoved: boolean;
}

/**
 * Edits a shipment's descriptive fields in one transaction under its row lock. `revise` gets the locked row and returns
 * the request that it should become; it throws to reject. A terminal shipment, a merchant's approved one and an
 * impossible pickup point are rejected with a conflict. Coordinates that staff set are remembered. An edit without a change writes nothing.
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
    const shipment = { ...row, tasks: await lockTasks(transaction, id) };
    const problem =
      editProblem(shipment, edit.isMerchantUser) ?? pickupPointChangeProblem(shipment, request.pickupPointId);
    if (problem !== undefined) throw new ProblemError(problem);
    if (isDeepStrictEqual({ ...row, ...request }, row)) return { row, isDeadlineMoved: false };
    const { recipient } = request;
    if (!edit.isMerchantUser && isPinMoved(row.recipient.address, recipient.address)) {
      await rememberPlace(scope, nameOf(recipient), recipient.address);
    }
    const terms = await pricingTerms(transaction, organizationId);
    const deadline = await deadlineAfter(transaction, row, request, terms);
    const fee = isFeeOpen(shipment)
      ? await openFee(transaction, row, request, terms)
      : keptFee(row, request, row.feePayer);
    const values = byColumn({ ...request, ...fee, deliveryDeadline: deadline });
    await execute(transaction, UPDATE_SQL, [id, JSON.stringify(values), deadline]);
    await moveDelivery(transaction, row, request, deadline);
    if (request.pickupPointId !== row.pickupPointId) await movePickup(transaction, id, request);
    const after = await findShipment(scope, id);
    if (after.kind !== 'found') throw new Error('an edited shipment disappeared');
    return { row: after.row, isDeadlineMoved: deadline?.getTime() !== row.deliveryDeadline?.getTime() };
  });
}

const UPDATED_COLUMNS = `${REQUEST_COLUMNS}, ${PRICED_COLUMNS}`;

const UPDATE_SQL = `
update shipments set (${UPDATED_COLUMNS})
    = (select ${UPDATED_COLUMNS} from jsonb_populate_record(null::shipments, $2::jsonb)),
  deadline_missed_at = case when delivery_deadline is distinct from $3::timestamptz then null else deadline_missed_at end,
  version = version + 1, updated_at = clock_timestamp()
where id = $1`;

/** The deadline after an edit, counted from the creation or the approval (interpretation 23). */
async function deadlineAfter(
  executor: Executor,
  row: ShipmentRow,
  request: ShipmentRequest,
  { deadlineHours: hours }: PricingTerms,
): Promise<Date | null> {
  if (!isDeadlineRecalculable(row, request)) return row.deliveryDeadline;
  const start = await selectOne<{ at: Date }>(
    executor,
    `select recorded_at as at from timeline_entries where shipment_id = $1 and kind in ('created', 'approved')
     order by sequence desc limit 1`,
    [row.id],
  );
  return deliveryDeadline({ ...request, from: start?.at ?? row.createdAt, hours });
}

/** The fee while it may change: another merchant may have another payer (interpretations 21 and 22). */
async function openFee(
  executor: Executor,
  row: ShipmentRow,
  request: ShipmentRequest,
  terms: PricingTerms,
): Promise<ShipmentFee> {
  const isSamePayer = request.merchantId === row.merchantId;
  const payer = isSamePayer ? row.feePayer : (await feePayers(executor, [request]))(request);
  return isPricedChange(row, request) ? feeOf(terms, request, payer) : keptFee(row, request, payer);
}

function keptFee(row: ShipmentRow, { codAmountCents }: ShipmentRequest, feePayer: FeePayer): ShipmentFee {
  const { deliveryFeeCents, feeBreakdown } = row;
  const total = totalCodToCollectCents(codAmountCents, deliveryFeeCents, feePayer);
  return { deliveryFeeCents, feeBreakdown, feePayer, totalCodToCollectCents: total };
}

/** The delivery follows its recipient until it ends. What an edit leaves alone stays as a dispatcher may have set it on the task. */
async function moveDelivery(
  transaction: Executor,
  row: ShipmentRow,
  { recipient, scheduledAfter }: ShipmentRequest,
  deadline: Date | null,
): Promise<void> {
  const address = jsonOfChanged(row.recipient.address, recipient.address);
  const contact = jsonOfChanged(recipientContact(row.recipient), recipientContact(recipient));
  const isRescheduled = !isDeepStrictEqual(
    [row.scheduledAfter, row.deliveryDeadline],
    [scheduledAfter, deadline],
  );
  if (address === null && contact === null && !isRescheduled) return;
  await execute(
    transaction,
    `update tasks set address = coalesce($2::jsonb, address), contact = coalesce($3::jsonb, contact),
       after = case when $6::boolean then $4::timestamptz else after end,
       before = case when $6::boolean then $5::timestamptz else before end,
       version = version + 1, updated_at = clock_timestamp()
     where shipment_id = $1 and type = 'delivery' and status not in ('delivered', 'cancelled')`,
    [row.id, address, contact, scheduledAfter, deadline, isRescheduled],
  );
}

function jsonOfChanged(before: object, after: object): string | null {
  return isDeepStrictEqual(before, after) ? null : JSON.stringify(after);
}

async function movePickup(executor: Executor, id: ShipmentId, request: ShipmentRequest): Promise<void> {
  const place = (await pickupPlaces(executor, [request]))(request);
  if (place === null) return;
  await execute(
    executor,
    `update tasks set address = $2::jsonb, contact = $3::jsonb, version = version + 1, updated_at = clock_timestamp()
     where shipment_id = $1 and type = 'pickup'`,
    [id, JSON.stringify(place.address), place.contact === null ? null : JSON.stringify(place.contact)],
  );
}
