import type { Id, OrganizationId, ShipmentId, UserId, WebhookEventId } from '../../domain/ids.ts';
import { ProblemError } from '../../domain/problem.ts';
import type { ReplayableStatus, WebhookSettings } from '../../domain/webhook.ts';
import { deliveryProblem, MAXIMUM_REPLAYS } from '../../domain/webhook.ts';
import type { TraceContext } from '../../platform/tracing/trace-context.ts';
import { storedTrace } from '../../platform/tracing/trace-context.ts';
import type { Executor } from '../connection.ts';
import { execute, inTransaction, select, selectOne } from '../connection.ts';
import type { Tenant } from '../tenant.ts';

/** A request that replays several deliveries. */
export interface WebhookReplay {
  /** The effect's id: a repeat has the same. */
  readonly id: Id<'webhook_replay'>;
  readonly organizationId: OrganizationId;
  readonly actorId: UserId;
  readonly statuses: readonly ReplayableStatus[];
  /** When the events were made, both inclusive; null for any time. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** What the attempts of the new rounds belong to. */
  readonly trace: TraceContext | null;
}

/** How many deliveries were opened for another round, and how many more fit. */
export interface ReplayCounts {
  readonly count: number;
  readonly remaining: number;
}

/** A delivery that has been opened: its workflow is to be started, by the API now or by the reconciler. */
export interface OpenedDelivery {
  readonly eventId: WebhookEventId;
  readonly shipmentId: ShipmentId;
  readonly round: number;
}

/**
 * Opens up to MAXIMUM_REPLAYS settled deliveries of shipments for another round, in one transaction: those first that were not
 * replayed yet, the newest first, then those whose replay is longest ago. A row that another request is just opening is left
 * to it. The same id again opens nothing and resolves to what it came to. Throws a ProblemError where webhooks are off.
 */
export function reopenWebhookDeliveries(
  executor: Executor,
  replay: WebhookReplay,
): Promise<ReplayCounts & { readonly opened: readonly OpenedDelivery[] }> {
  const { id, organizationId, actorId } = replay;
  return inTransaction(executor, async (transaction) => {
    const claimed = await selectOne(
      transaction,
      `insert into webhook_replays (id, organization_id, actor_id, count, remaining) values ($1, $2, $3, 0, 0)
       on conflict do nothing returning id`,
      [id, organizationId, actorId],
    );
    if (claimed === undefined) {
      const known = await findWebhookReplay({ executor: transaction, organizationId }, id);
      if (known === undefined) throw new Error('a webhook replay disappeared');
      return { ...known, opened: [] };
    }
    await rejectUnlessOn(transaction, organizationId);
    const opened = await select<OpenedDelivery>(transaction, REOPEN_SQL, [
      ...valuesOf(replay),
      storedTrace(replay.trace),
    ]);
    const left = await selectOne<{ remaining: number }>(transaction, COUNT_SQL, valuesOf(replay));
    const counts = { count: opened.length, remaining: left?.remaining ?? 0 };
    await execute(transaction, 'update webhook_replays set count = $2, remaining = $3 where id = $1', [
      id,
      counts.count,
      counts.remaining,
    ]);
    return { ...counts, opened };
  });
}

/** What a replay of several deliveries came to; undefined where there was none of this id. */
export function findWebhookReplay(
  { executor, organizationId }: Tenant,
  id: WebhookReplay['id'],
): Promise<ReplayCounts | undefined> {
  return selectOne<ReplayCounts>(
    executor,
    'select count, remaining from webhook_replays where id = $1 and organization_id = $2',
    [id, organizationId],
  );
}

async function rejectUnlessOn(transaction: Executor, id: OrganizationId): Promise<void> {
  const settings = await selectOne<WebhookSettings>(
    transaction,
    `select plan, webhook_url as "webhookUrl", is_webhook_enabled as "isWebhookEnabled" from organizations where id = $1`,
    [id],
  );
  if (settings === undefined) throw new Error('an organization disappeared');
  const problem = deliveryProblem(settings, null);
  if (problem !== undefined) throw new ProblemError(problem);
}

/** The conditions of both statements; the parameters are those of `valuesOf`. */
const REPLAYABLE = `organization_id = $1 and status = any($2::text[]) and shipment_id is not null and erased_at is null
  and ($3::timestamptz is null or created_at >= $3::timestamptz) and ($4::timestamptz is null or created_at <= $4::timestamptz)`;

function valuesOf({ organizationId, statuses, from, to }: WebhookReplay): unknown[] {
  return [organizationId, [...statuses], from, to];
}

// The API starts their workflows one after another; the reconciler comes for those that it did not reach.
const REOPEN_SQL = `
with chosen as (
  select id from webhook_events where ${REPLAYABLE}
  order by replayed_at nulls first, created_at desc, id limit ${MAXIMUM_REPLAYS} for update skip locked)
update webhook_events e set status = 'pending', round = e.round + 1, settled_at = null, replayed_at = clock_timestamp(),
  reconcile_after = clock_timestamp() + interval '60 seconds', reconcile_tries = 0,
  trace_context = $5::text
from chosen where e.id = chosen.id
returning e.id as "eventId", e.shipment_id as "shipmentId", e.round`;

const COUNT_SQL = `select count(*)::int as remaining from webhook_events where ${REPLAYABLE}`;
