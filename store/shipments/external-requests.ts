import type { OrganizationId, ShipmentId } from '../../domain/ids.ts';
import type { ShipmentRequest } from '../../domain/shipment.ts';
import type { WebhookSettings } from '../../domain/webhook.ts';
import { columns } from '../columns.ts';
import type { TraceContext } from '../../platform/tracing/trace-context.ts';
import { restoredTrace, storedTrace } from '../../platform/tracing/trace-context.ts';
import { inSpan, startSpan } from '../../platform/tracing/tracing.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, inTransaction, selectOne } from '../connection.ts';
import { createShipments } from './create-shipments.ts';
import { MAX_COLLISIONS, generateTrackingNumber } from './tracking-numbers.ts';
import type { TrackingSeries } from './tracking-numbers.ts';
import { prepared } from '../prepared.ts';

/** An accepted external request whose shipment does not exist yet. */
export interface ExternalRequest {
  readonly id: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly trackingNumber: string;
  readonly request: StoredRequest;
  readonly status: 'processing' | 'created';
  readonly traceContext: string | null;
}

/** The request as JSON keeps it: moments as ISO 8601 text. */
type StoredRequest = Omit<ShipmentRequest, 'scheduledAfter' | 'scheduledBefore'> & {
  readonly scheduledAfter: string | null;
  readonly scheduledBefore: string | null;
};

/** The future shipment's number, and whether its organization will get webhooks about it. */
interface AcceptedExternalRequest extends WebhookSettings {
  readonly trackingNumber: string;
}

/**
 * Accepts an external request: from here on it is stored, and its shipment will exist. The tracking number is minted and
 * reserved now, in the same statement. Its creation belongs to `trace` (decision 0044). The same id again (an idempotent repetition) changes nothing. Throws only when
 * chance makes twenty numbers in a row that exist.
 */
export async function acceptExternalRequest(
  database: Database,
  { organizationId, series }: { readonly organizationId: OrganizationId; readonly series: TrackingSeries },
  id: ShipmentId,
  request: ShipmentRequest,
  trace: TraceContext | null = null,
): Promise<AcceptedExternalRequest> {
  const body = JSON.stringify(request);
  for (let round = 0; round < MAX_COLLISIONS; round += 1) {
    const row = await selectOne<WebhookSettings & { trackingNumber: string | null }>(database, ACCEPT_SQL, [
      id,
      organizationId,
      generateTrackingNumber(series),
      body,
      storedTrace(trace),
    ]);
    if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
    const { trackingNumber } = row;
    if (trackingNumber !== null) return { ...row, trackingNumber };
  }
  throw new Error('no free tracking number was found');
}

const ACCEPT_SQL = prepared(`
with fresh as (
  insert into tracking_numbers (tracking_number)
  select $3 where not exists (select from external_intakes where id = $1)
  on conflict do nothing returning tracking_number
), stored as (
  insert into external_intakes (id, organization_id, tracking_number, request, trace_context)
  select $1, $2, tracking_number, $4::jsonb, $5::text from fresh on conflict (id) do nothing returning tracking_number
)
select coalesce((select tracking_number from stored), (select tracking_number from external_intakes where id = $1))
    as "trackingNumber", ${columns('o', 'plan, webhook_url, is_webhook_enabled')}
from organizations o where o.id = $2`);

const REQUEST_SQL = `
select ${columns('r', 'id, organization_id, tracking_number, request, status, trace_context')} from external_intakes r where r.id = $1`;

/** Reads an external request by the id of its future shipment, of whatever organization. */
export function findExternalRequest(
  executor: Executor,
  id: ShipmentId,
): Promise<ExternalRequest | undefined> {
  return selectOne<ExternalRequest>(executor, prepared(REQUEST_SQL), [id]);
}

/**
 * Creates the shipment of an external request, once, marks the request, and marks that a workflow has started for it. Harmless when
 * repeated; undefined when there is nothing to make: no such request, or its shipment exists.
 */
export function createFromExternalRequest(
  database: Database,
  id: ShipmentId,
): Promise<Pick<ExternalRequest, 'organizationId' | 'trackingNumber'> | undefined> {
  return inTransaction(database, async (transaction) => {
    const accepted = await selectOne<ExternalRequest>(
      transaction,
      prepared(`${REQUEST_SQL} and r.status = 'processing' for update`),
      [id],
    );
    if (accepted === undefined) return undefined;
    const { organizationId, trackingNumber, traceContext } = accepted;
    const span = startSpan('create', restoredTrace(traceContext), {
      'shipments.shipment.id': id,
      'shipments.organization.id': organizationId,
    });
    await inSpan(
      span,
      () => createAccepted(transaction, accepted),
      () => ({}),
    );
    return { organizationId, trackingNumber };
  });
}

async function createAccepted(
  transaction: Executor,
  { id, organizationId, trackingNumber, request }: ExternalRequest,
): Promise<void> {
  const { scheduledAfter, scheduledBefore } = request;
  await createShipments(transaction, organizationId, [
    {
      id,
      trackingNumber,
      source: 'external',
      status: 'pending',
      request: {
        ...request,
        scheduledAfter: dateOrNull(scheduledAfter),
        scheduledBefore: dateOrNull(scheduledBefore),
      },
    },
  ]);
  await execute(transaction, CREATED_SQL, [id]);
}

const CREATED_SQL = prepared(`
with marked as (update external_intakes set status = 'created' where id = $1)
update shipments set workflow_started_at = coalesce(workflow_started_at, clock_timestamp()) where id = $1`);

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
