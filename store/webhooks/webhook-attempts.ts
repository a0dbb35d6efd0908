import type { Plan } from '../../domain/enumerations.ts';
import type { OrganizationId, WebhookEventId } from '../../domain/ids.ts';
import { REPLAY_WAIT_SECONDS, WEBHOOK_RETRY } from '../../domain/webhook.ts';
import type { WebhookEventStatus } from '../../domain/webhook.ts';
import { SLOW_ATTEMPT_MS } from '../../domain/webhook-lanes.ts';
import { count } from '../../platform/metrics/metrics.ts';
import type { TraceContext } from '../../platform/tracing/trace-context.ts';
import { restoredTrace } from '../../platform/tracing/trace-context.ts';
import type { Database, Executor } from '../connection.ts';
import { selectOne } from '../connection.ts';
import { prepared } from '../prepared.ts';
import { currentSecretOf, nextSecretOf } from './signing-secrets.ts';

/** An event with what its organization says at this moment. Its secrets are as they are stored: who signs opens them. */
export interface SendableEvent {
  readonly id: WebhookEventId;
  readonly organizationId: OrganizationId;
  readonly status: WebhookEventStatus;
  readonly round: number;
  /** The exact bytes to sign and send. */
  readonly body: Buffer;
  /** What its attempts belong to. */
  readonly trace: TraceContext | null;
  /** Attempts of the current round that were sent or have a result. */
  readonly attemptsMade: number;
  /** Since the change, or since the request for its replay. */
  readonly ageSeconds: number;
  /** For how long an attempt without a result may still be under way, in any round; null or negative for none. */
  readonly inFlightForMs: number | null;
  /** Whether this is a replay that waits, since live events of its organization are pending. */
  readonly waitsForLive: boolean;
  readonly plan: Plan;
  readonly webhookUrl: string | null;
  readonly isWebhookEnabled: boolean;
  /** Whether the operator has suspended the organization (decision 0042). */
  readonly isSuspended: boolean;
  /** Whether a person was removed from its body: it is no longer what was to be signed (decision 0045). */
  readonly isErased: boolean;
  /** What `X-Service-Signature` is made with; sealed. */
  readonly webhookSecret: string;
  /** What replaces it at the end of an overlap; sealed; null without one. */
  readonly nextWebhookSecret: string | null;
}

/** Seconds after which an attempt without a result is over: its activity was given up, its request was aborted. */
const IN_FLIGHT_SECONDS = WEBHOOK_RETRY.attemptTimeoutMs / 1_000;

/** Reads an event to be sent, with the attempts already made in its current round; undefined when there is none. */
export async function findSendableEvent(
  database: Database,
  id: WebhookEventId,
): Promise<SendableEvent | undefined> {
  const row = await selectOne<Omit<SendableEvent, 'trace'> & { traceContext: string | null }>(
    database,
    prepared(`select e.id, e.organization_id as "organizationId", e.status, e.round, e.body, e.trace_context as "traceContext", o.plan,
       o.webhook_url as "webhookUrl", o.is_webhook_enabled as "isWebhookEnabled", ${currentSecretOf('o')} as "webhookSecret", ${nextSecretOf('o')} as "nextWebhookSecret",
       o.suspended_at is not null as "isSuspended", e.erased_at is not null as "isErased",
       a."attemptsMade", a."inFlightForMs",
       extract(epoch from clock_timestamp() - coalesce(e.replayed_at, e.created_at))::float8 as "ageSeconds",
       (e.round > 0 and e.replayed_at > clock_timestamp() - make_interval(secs => ${REPLAY_WAIT_SECONDS})
         and exists (select from webhook_events w where w.organization_id = e.organization_id
           and w.status = 'pending' and w.round = 0 and w.shipment_id is not null)) as "waitsForLive"
     from webhook_events e join organizations o on o.id = e.organization_id cross join lateral (
       select count(*) filter (where round = e.round and (sent_at is not null or finished_at is not null))::int as "attemptsMade",
         ceil(extract(epoch from max(coalesce(sent_at, started_at)) filter (where finished_at is null)
           + make_interval(secs => $2) - clock_timestamp()) * 1000)::int as "inFlightForMs"
       from webhook_attempts where webhook_event_id = e.id) a
     where e.id = $1`),
    [id, IN_FLIGHT_SECONDS],
  );
  if (row === undefined) return undefined;
  const { traceContext, ...event } = row;
  return { ...event, trace: restoredTrace(traceContext) };
}

/** One sending of one event: which round, which attempt in it, by which execution of the activity. */
export interface AttemptKey {
  readonly eventId: WebhookEventId;
  readonly round: number;
  readonly attempt: number;
  readonly executionId: string;
}

/** Where an attempt goes: an organization has one endpoint at a time. */
export interface WebhookEndpoint {
  readonly organizationId: OrganizationId;
  readonly url: string;
}

/**
 * Logs an attempt before it is made. Takes over one of the same number that was begun and not sent, when it is too old
 * to be under way: `in_flight` when another execution makes this attempt, or has made it. With `slots` the event leases
 * one of the endpoint's: `endpoint_busy`, and nothing is logged, while others lease so many or the endpoint is slow. A lease
 * ends with the attempt, or by itself when the execution dies.
 */
export async function startAttempt(
  database: Database,
  key: AttemptKey,
  { organizationId, url }: WebhookEndpoint,
  slots: number | null,
): Promise<'started' | 'in_flight' | 'endpoint_busy'> {
  const row = await selectOne<{ isAllowed: boolean; isStarted: boolean }>(
    database,
    prepared(`with endpoint as (
       insert into webhook_endpoints as p (organization_id, url, leases)
       values ($7, $5, case when $8::int is null then '{}'
         else jsonb_build_object($1::uuid::text, extract(epoch from clock_timestamp()) + $6::float8) end)
       on conflict (organization_id) do update set url = excluded.url,
         slow_since = case when p.url = excluded.url then p.slow_since end,
         failing_since = case when p.url = excluded.url then p.failing_since end,
         leases = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(p.leases)
           where value::float8 > extract(epoch from clock_timestamp())) || excluded.leases
       where $8::int is null or p.url <> excluded.url or (p.slow_since is null and (select count(*) from jsonb_each(p.leases)
           where key <> $1::uuid::text and value::float8 > extract(epoch from clock_timestamp())) < $8::int)
       returning organization_id),
     started as (
       insert into webhook_attempts as a (webhook_event_id, round, attempt, execution_id, url, sent_at)
       select $1::uuid, $2::int, $3::int, $4::uuid, $5, null from endpoint
       on conflict (webhook_event_id, round, attempt) do update
         set execution_id = excluded.execution_id, url = excluded.url, started_at = clock_timestamp()
         where a.sent_at is null and a.finished_at is null
           and a.started_at < clock_timestamp() - make_interval(secs => $6::float8)
       returning attempt)
     select exists (select from endpoint) as "isAllowed", exists (select from started) as "isStarted"`),
    [
      ...[key.eventId, key.round, key.attempt, key.executionId, url, IN_FLIGHT_SECONDS],
      ...[organizationId, slots],
    ],
  );
  if (row?.isAllowed !== true) return 'endpoint_busy';
  return row.isStarted ? 'started' : 'in_flight';
}

/**
 * Marks an attempt as sent: from here on it counts. Resolves to false when it must not be sent any more, because another
 * execution took it over or the event was settled or replayed meanwhile.
 */
export async function markSent(database: Database, key: AttemptKey): Promise<boolean> {
  const row = await selectOne(
    database,
    prepared(`update webhook_attempts a set sent_at = clock_timestamp() from webhook_events e
     where a.webhook_event_id = $1 and a.round = $2 and a.attempt = $3 and a.execution_id = $4
       and a.sent_at is null and a.finished_at is null
       and e.id = a.webhook_event_id and e.status = 'pending' and e.round = a.round
     returning a.attempt`),
    [key.eventId, key.round, key.attempt, key.executionId],
  );
  return row !== undefined;
}

/** How an attempt ended. Without a status code there was no HTTP answer, and `error` says why. */
export interface AttemptResult {
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
}

/**
 * Logs an attempt's end, and settles the event with it where it is settled, in one statement. The same again changes
 * nothing, and neither does the end of an attempt that another execution took over. A late rejection of an earlier round
 * leaves the current one alone; a delivery settles it. The endpoint's lease ends, and whether the attempt was answered soon
 * says whether the endpoint is slow. Resolves to whether the event was settled by it.
 */
export async function finishAttempt(
  database: Database,
  key: AttemptKey,
  endpoint: WebhookEndpoint,
  result: AttemptResult,
  settledAs: Exclude<WebhookEventStatus, 'pending'> | null,
): Promise<boolean> {
  const row = await selectOne(
    database,
    prepared(`with finished as (
       update webhook_attempts
       set finished_at = clock_timestamp(), status_code = $5::int, duration_ms = $6::int, error = $7::text
       where webhook_event_id = $1 and round = $2 and attempt = $3 and execution_id = $4 and finished_at is null
       returning attempt),
     endpoint as (
       update webhook_endpoints set leases = leases - $1::uuid::text,
         slow_since = case when $5::int is null or $6::int >= ${SLOW_ATTEMPT_MS} then coalesce(slow_since, clock_timestamp()) end,
         failing_since = case when $8::text is distinct from 'delivered' then coalesce(failing_since, clock_timestamp()) end
       where organization_id = $9 and url = $10)
     update webhook_events set status = $8::text, settled_at = clock_timestamp()
     where id = $1 and status = 'pending' and $8::text is not null and (round = $2 or $8::text = 'delivered')
       and exists (select from finished)
     returning id`),
    [
      key.eventId,
      key.round,
      key.attempt,
      key.executionId,
      result.statusCode,
      result.durationMs,
      result.error,
      settledAs,
      endpoint.organizationId,
      endpoint.url,
    ],
  );
  if (row !== undefined && settledAs !== null) count('webhook_events_settled_total', { result: settledAs });
  return row !== undefined;
}

/** Settles a pending event; one that is settled already keeps its status. */
export async function settleEvent(
  executor: Executor,
  id: WebhookEventId,
  status: Exclude<WebhookEventStatus, 'pending'>,
): Promise<void> {
  const row = await selectOne(
    executor,
    prepared(
      `update webhook_events set status = $2, settled_at = clock_timestamp() where id = $1 and status = 'pending'
       returning id`,
    ),
    [id, status],
  );
  if (row !== undefined) count('webhook_events_settled_total', { result: status });
}

/**
 * Puts a pending event on the dead-letter queue; one that is settled already keeps its status. Resolves to the number of
 * dead letters of the event's shipment.
 */
export async function deadLetterEvent(database: Database, id: WebhookEventId): Promise<number> {
  await settleEvent(database, id, 'dead');
  const row = await selectOne<{ count: number }>(
    database,
    `select count(*)::int as count from webhook_events e
     where e.status = 'dead' and e.shipment_id = (select shipment_id from webhook_events where id = $1)`,
    [id],
  );
  return row?.count ?? 0;
}
