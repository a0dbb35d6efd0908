import type { OrganizationId } from '../../domain/ids.ts';
import type { ReplayableStatus, WebhookSettings } from '../../domain/webhook.ts';
import { obstacleToWebhooks } from '../../domain/webhook.ts';
import type { Executor } from '../connection.ts';
import { inTransaction, select, selectOne } from '../connection.ts';

/** Which events of shipments the operator means, of all organizations. */
export interface DeadLetterFilter {
  readonly statuses: readonly ReplayableStatus[];
  readonly organizationId: OrganizationId | null;
  /** The host of the last attempt, in small letters; of an event without an attempt, that of the organization. */
  readonly host: string | null;
  /** When the events were made, both inclusive. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** Leaves out what was replayed from this moment on: a replay that goes on takes no event twice. */
  readonly notReplayedSince: Date | null;
}

/** The events of an organization that failed at one host. */
export interface DeadLetterGroup {
  readonly organizationId: OrganizationId;
  readonly name: string;
  readonly host: string | null;
  readonly count: number;
  readonly oldest: Date;
  readonly newest: Date;
  /** How the newest attempt among them ended; null where none was made. */
  readonly lastError: string | null;
}

const HOST = `lower(substring(coalesce(l.url, o.webhook_url) from '^https?://(?:[^/@]*@)?(\\[[^]]*\\]|[^/:?#]+)'))`;

/** The events `e` of an organization `o` that a filter means, with their last attempt `l`; the parameters are those of `valuesOf`. */
const MEANT = `
  webhook_events e left join lateral (
    select a.url, a.error, a.started_at from webhook_attempts a where a.webhook_event_id = e.id
    order by a.round desc, a.attempt desc limit 1) l on true
  where e.organization_id = o.id and e.status = any($1::text[]) and e.shipment_id is not null and e.erased_at is null
    and ($2::timestamptz is null or e.created_at >= $2) and ($3::timestamptz is null or e.created_at <= $3)
    and ($4::timestamptz is null or e.replayed_at is null or e.replayed_at < $4)
    and ($5::text is null or ${HOST} = $5)`;

function valuesOf({ statuses, from, to, notReplayedSince, host }: DeadLetterFilter): unknown[] {
  return [[...statuses], from, to, notReplayedSince, host];
}

/** Counts the events of each organization and host, the most first. Reads organization by organization, by its index. */
export function countDeadLettersAcrossTenants(
  executor: Executor,
  filter: DeadLetterFilter,
): Promise<DeadLetterGroup[]> {
  return select<DeadLetterGroup>(
    executor,
    `select o.id as "organizationId", o.name, g.* from organizations o cross join lateral (
       select ${HOST} as host, count(*)::int as count, min(e.created_at) as oldest, max(e.created_at) as newest,
         (array_agg(l.error order by l.started_at desc nulls last))[1] as "lastError"
       from ${MEANT} group by 1) g
     where $6::uuid is null or o.id = $6 order by g.count desc, o.id, g.host`,
    [...valuesOf(filter), filter.organizationId],
  );
}

/** What became of an organization's turn. */
export type DeadLetterTurn =
  | { readonly kind: 'opened'; readonly count: number; readonly hasLive: boolean }
  /** Its live events, or its earlier replays, are still being sent. */
  | { readonly kind: 'waits'; readonly for: 'live' | 'replays' }
  /** Nothing may be sent to it; why, for the operator. */
  | { readonly kind: 'blocked'; readonly reason: string };

/** Replays of one organization that may be under way before the next are opened. */
const MAXIMUM_UNDER_WAY = 50;

/**
 * Opens up to `count` events of an organization for another round, the oldest first, for the reconciler, which starts their
 * workflows. Opens none while live events of the organization are pending, unless they are to be ignored: each attempt looks for them by
 * itself. `opened` with 0 says that no event is left.
 */
export function openDeadLetters(
  database: Executor,
  organizationId: OrganizationId,
  filter: DeadLetterFilter,
  count: number,
  ignoresLive = false,
): Promise<DeadLetterTurn> {
  return inTransaction(database, async (transaction) => {
    const found = await selectOne<
      WebhookSettings & { isSuspended: boolean; hasLive: boolean; underWay: number }
    >(transaction, TURN_SQL, [organizationId]);
    if (found === undefined || found.isSuspended) return { kind: 'blocked', reason: 'it is suspended' };
    const reason = obstacleToWebhooks(found);
    if (reason !== undefined) return { kind: 'blocked', reason: reason.message };
    const { hasLive } = found;
    if (found.underWay >= MAXIMUM_UNDER_WAY) return { kind: 'waits', for: 'replays' };
    if (hasLive && !ignoresLive) return { kind: 'waits', for: 'live' };
    const opened = await select(transaction, OPEN_SQL, [...valuesOf(filter), organizationId, count]);
    return { kind: 'opened', count: opened.length, hasLive };
  });
}

const TURN_SQL = `
select o.plan, o.webhook_url as "webhookUrl", o.is_webhook_enabled as "isWebhookEnabled",
  o.suspended_at is not null as "isSuspended",
  coalesce(bool_or(e.round = 0), false) as "hasLive", count(e.id) filter (where e.round > 0)::int as "underWay"
from organizations o
left join webhook_events e on e.organization_id = o.id and e.status = 'pending' and e.shipment_id is not null and e.erased_at is null
where o.id = $1 group by o.id`;

const OPEN_SQL = `
with chosen as (
  select e.id from organizations o cross join lateral (
    select e.id, e.created_at from ${MEANT} order by e.created_at, e.id limit $7) e
  where o.id = $6
), locked as (
  select w.id from webhook_events w join chosen c on c.id = w.id where w.status = any($1::text[]) for update of w skip locked)
update webhook_events w set status = 'pending', round = w.round + 1, settled_at = null, replayed_at = clock_timestamp(),
  reconcile_after = clock_timestamp(), reconcile_tries = 0, trace_context = null
from locked where w.id = locked.id returning w.id`;
