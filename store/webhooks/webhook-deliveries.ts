import type { OrganizationId, ShipmentId, WebhookEventId } from '../../domain/ids.ts';
import { formatEventTime } from '../../domain/event-time.ts';
import { ProblemError } from '../../domain/problem.ts';
import { deliveryProblem, ERASED_EVENT } from '../../domain/webhook.ts';
import type { WebhookEventStatus, WebhookSettings } from '../../domain/webhook.ts';
import type { WebhookEventKind } from '../../domain/webhook-events.ts';
import { testEvent } from '../../domain/webhook-events.ts';
import type { TraceContext } from '../../platform/tracing/trace-context.ts';
import { storedTrace } from '../../platform/tracing/trace-context.ts';
import type { Executor } from '../connection.ts';
import { execute, inTransaction, select, selectOne } from '../connection.ts';
import { among, findPage } from '../page.ts';
import { newId } from '../new-id.ts';
import { failingSince } from './failing-since.ts';
import type { Lookup, Order, Page, PageOf, Tenant } from '../tenant.ts';
import { lookUp } from '../tenant.ts';

/** A notification with what became of it, as the dashboard shows it. */
export interface WebhookDeliveryRow {
  readonly id: WebhookEventId;
  readonly organizationId: OrganizationId;
  readonly kind: WebhookEventKind;
  /** Null for a test event. */
  readonly shipmentId: ShipmentId | null;
  readonly trackingNumber: string | null;
  readonly status: WebhookEventStatus;
  readonly round: number;
  /** The bytes that are sent, at each attempt the same. */
  readonly body: Buffer;
  /** Attempts in all rounds that were sent or have a result, and how the newest one ended. */
  readonly attemptCount: number;
  readonly lastAttemptAt: Date | null;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly settledAt: Date | null;
  /** When a person was removed from the body; it is not sent again. */
  readonly erasedAt: Date | null;
  /** Since when nothing was delivered to the organization's endpoint; null while it is not failing. */
  readonly endpointFailingSince: Date | null;
}

/** One attempt as it was logged before and after it was made (interpretation 46). */
export interface WebhookAttemptRow {
  readonly round: number;
  readonly attempt: number;
  readonly url: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly statusCode: number | null;
  readonly durationMs: number | null;
  readonly error: string | null;
}

/** What the list can be narrowed to: one of several values each, and when it was made, both inclusive; null for any. */
export interface WebhookDeliveryFilter {
  readonly status: readonly WebhookEventStatus[] | null;
  readonly shipmentIds: readonly ShipmentId[] | null;
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
}

const UPDATED_AT = 'coalesce(e.settled_at, e.replayed_at, e.created_at)';

const DELIVERY_COLUMNS = `
  e.id, e.organization_id as "organizationId", e.kind, e.shipment_id as "shipmentId", e.status, e.round, e.body,
  (select s.tracking_number from shipments s where s.id = e.shipment_id) as "trackingNumber",
  (select count(*)::int from webhook_attempts a where a.webhook_event_id = e.id
     and (a.sent_at is not null or a.finished_at is not null)) as "attemptCount",
  l.started_at as "lastAttemptAt", l.status_code as "lastStatusCode", l.error as "lastError",
  e.created_at as "createdAt", ${UPDATED_AT} as "updatedAt", e.settled_at as "settledAt", e.erased_at as "erasedAt",
  ${failingSince('o')} as "endpointFailingSince"`;

const DELIVERY_SOURCE = `from webhook_events e join organizations o on o.id = e.organization_id left join lateral (
  select a.started_at, a.status_code, a.error from webhook_attempts a where a.webhook_event_id = e.id
  order by a.round desc, a.attempt desc limit 1) l on true`;

/** Reads a notification. */
export function findWebhookDelivery(tenant: Tenant, id: WebhookEventId): Promise<Lookup<WebhookDeliveryRow>> {
  return lookUp(tenant, `select ${DELIVERY_COLUMNS} ${DELIVERY_SOURCE} where e.id = $1`, id);
}

/** One page of the tenant's notifications. */
export function findWebhookDeliveryPage(
  tenant: Tenant,
  filter: WebhookDeliveryFilter,
  order: Order,
  page: Page,
): Promise<PageOf<WebhookDeliveryRow>> {
  const { status, shipmentIds, createdAfter, createdBefore } = filter;
  const values: unknown[] = [tenant.organizationId, createdAfter, createdBefore];
  const conditions = [
    'e.organization_id = $1',
    '($2::timestamptz is null or e.created_at >= $2)',
    '($3::timestamptz is null or e.created_at <= $3)',
    among(values, 'e.status', 'text', status),
    among(values, 'e.shipment_id', 'uuid', shipmentIds),
  ];
  return findPage<WebhookDeliveryRow>(
    tenant,
    {
      columns: DELIVERY_COLUMNS,
      from: DELIVERY_SOURCE,
      countSource: 'from webhook_events e',
      where: conditions.join(' and '),
      values,
      createdColumn: 'e.created_at',
      sortedBy: [order.by === 'updated_at' ? UPDATED_AT : `e.${order.by}`, 'e.id'],
      direction: order.direction,
    },
    page,
  );
}

/** The attempts of a notification that the caller has found, oldest first. */
export function findWebhookAttempts(tenant: Tenant, id: WebhookEventId): Promise<WebhookAttemptRow[]> {
  return select<WebhookAttemptRow>(
    tenant.executor,
    `select a.round, a.attempt, a.url, a.started_at as "startedAt", a.finished_at as "finishedAt",
       a.status_code as "statusCode", a.duration_ms as "durationMs", a.error
     from webhook_attempts a join webhook_events e on e.id = a.webhook_event_id
     where e.id = $1 and e.organization_id = $2 order by a.round, a.attempt`,
    [id, tenant.organizationId],
  );
}

/** A delivery that has been accepted: its workflow is to be started, by the API now or by the reconciler. */
export interface AcceptedDelivery {
  readonly eventId: WebhookEventId;
  readonly round: number;
}

/**
 * Opens a settled notification for another round, under its row lock, so that of two concurrent replays one is rejected. Its
 * attempts belong to `trace`, which asked for it (decision 0044).
 * Throws a ProblemError for a conflict, and an Error when the tenant has no such notification.
 */
export function reopenWebhookDelivery(
  executor: Executor,
  organizationId: OrganizationId,
  eventId: WebhookEventId,
  trace: TraceContext | null = null,
): Promise<AcceptedDelivery> {
  return inTransaction(executor, async (transaction) => {
    const event = await selectOne<
      WebhookSettings & { status: WebhookEventStatus; round: number; isErased: boolean }
    >(
      transaction,
      `select e.status, e.round, e.erased_at is not null as "isErased", o.plan, o.webhook_url as "webhookUrl", o.is_webhook_enabled as "isWebhookEnabled"
       from webhook_events e join organizations o on o.id = e.organization_id
       where e.id = $1 and e.organization_id = $2 for update of e`,
      [eventId, organizationId],
    );
    if (event === undefined) throw new Error('a webhook event disappeared');
    const problem = event.isErased ? ERASED_EVENT : deliveryProblem(event, event.status);
    if (problem !== undefined) throw new ProblemError(problem);
    const round = event.round + 1;
    await execute(
      transaction,
      `update webhook_events set status = 'pending', round = $2, settled_at = null, replayed_at = clock_timestamp(),
         reconcile_after = clock_timestamp() + interval '5 seconds', reconcile_tries = 0, trace_context = $3
       where id = $1`,
      [eventId, round, storedTrace(trace)],
    );
    return { eventId, round };
  });
}

/**
 * Stores a test event for an organization, whose attempts belong to `trace`. Throws a ProblemError where its webhooks are off, and an Error when there is no
 * such organization.
 */
export async function storeTestEvent(
  executor: Executor,
  organizationId: OrganizationId,
  trace: TraceContext | null = null,
): Promise<AcceptedDelivery> {
  const organization = await selectOne<WebhookSettings & { prefix: string; nowMicroseconds: number }>(
    executor,
    `select plan, webhook_url as "webhookUrl", is_webhook_enabled as "isWebhookEnabled", tracking_prefix as prefix,
       (extract(epoch from clock_timestamp()) * 1000000)::bigint as "nowMicroseconds"
     from organizations where id = $1`,
    [organizationId],
  );
  if (organization === undefined) throw new Error(`there is no organization ${organizationId}`);
  const problem = deliveryProblem(organization, null);
  if (problem !== undefined) throw new ProblemError(problem);
  const updatedAt = formatEventTime(organization.nowMicroseconds);
  const { kind, body } = testEvent(organization.prefix, updatedAt);
  const eventId = newId<'webhook_event'>();
  await execute(
    executor,
    `insert into webhook_events (id, organization_id, kind, body, event_updated_at, trace_context)
     values ($1, $2, $3, convert_to($4, 'UTF8'), $5, $6)`,
    [eventId, organizationId, kind, body, updatedAt, storedTrace(trace)],
  );
  return { eventId, round: 0 };
}
