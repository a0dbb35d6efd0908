import type { Plan } from '../domain/enumerations.ts';
import type { OrganizationId, WebhookEventId } from '../domain/ids.ts';
import type { WebhookEventStatus } from '../domain/webhook.ts';
import type { Database } from './connection.ts';
import { execute, inTransaction, selectOne } from './connection.ts';
import { prepared } from './prepared.ts';

/** An event with what its organization says at this moment; the secret never leaves the process that signs. */
export interface SendableEvent {
  readonly id: WebhookEventId;
  readonly organizationId: OrganizationId;
  readonly status: WebhookEventStatus;
  readonly round: number;
  /** The exact bytes to sign and send. */
  readonly body: Buffer;
  readonly attemptsMade: number;
  readonly plan: Plan;
  readonly webhookUrl: string | null;
  readonly isWebhookEnabled: boolean;
  readonly webhookSecret: string;
}

/** Reads an event to be sent, with the attempts already made in its current round; undefined when there is none. */
export function findSendableEvent(
  database: Database,
  id: WebhookEventId,
): Promise<SendableEvent | undefined> {
  return selectOne<SendableEvent>(
    database,
    prepared(`select e.id, e.organization_id as "organizationId", e.status, e.round, e.body, o.plan,
       o.webhook_url as "webhookUrl", o.is_webhook_enabled as "isWebhookEnabled", o.webhook_secret as "webhookSecret",
       (select count(*)::int from webhook_attempts a where a.webhook_event_id = e.id and a.round = e.round) as "attemptsMade"
     from webhook_events e join organizations o on o.id = e.organization_id where e.id = $1`),
    [id],
  );
}

/** One sending of one event: which round, which attempt in it. */
export interface AttemptKey {
  readonly eventId: WebhookEventId;
  readonly round: number;
  readonly attempt: number;
}

/** Logs an attempt before it is made (design gap 46), so that a crash in the middle of it stays visible. */
export function startAttempt(database: Database, key: AttemptKey, url: string): Promise<void> {
  return execute(
    database,
    prepared(`insert into webhook_attempts (webhook_event_id, round, attempt, url) values ($1, $2, $3, $4)
     on conflict do nothing`),
    [key.eventId, key.round, key.attempt, url],
  );
}

/** How an attempt ended. Without a status code there was no HTTP answer, and `error` says why. */
export interface AttemptResult {
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
}

/** Logs an attempt's end, and settles the event with it where it is settled, in one transaction. */
export function finishAttempt(
  database: Database,
  key: AttemptKey,
  result: AttemptResult,
  settledAs: Exclude<WebhookEventStatus, 'pending'> | null,
): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await execute(
      transaction,
      prepared(`update webhook_attempts set finished_at = clock_timestamp(), status_code = $4::int, duration_ms = $5::int, error = $6::text
       where webhook_event_id = $1 and round = $2 and attempt = $3`),
      [key.eventId, key.round, key.attempt, result.statusCode, result.durationMs, result.error],
    );
    if (settledAs !== null) await settleEvent(transaction, key.eventId, settledAs);
  });
}

/** Settles a pending event; one that is settled already keeps its status. */
export function settleEvent(
  executor: Parameters<typeof execute>[0],
  id: WebhookEventId,
  status: Exclude<WebhookEventStatus, 'pending'>,
): Promise<void> {
  return execute(
    executor,
    prepared(
      `update webhook_events set status = $2, settled_at = clock_timestamp() where id = $1 and status = 'pending'`,
    ),
    [id, status],
  );
}
