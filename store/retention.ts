import { TERMINAL_SHIPMENT_STATUSES } from '../domain/shipment-status.ts';
import type { Database } from './connection.ts';
import { execute, select, selectOne } from './connection.ts';

/** For how many days what has ended is kept; null: for ever. */
export interface Retention {
  /** Decided commands. */
  readonly commandDays: number | null;
  /** Delivered webhook events with their attempts: of shipments that have ended, and test events. */
  readonly webhookEventDays: number | null;
  /** Timelines of shipments that have ended. */
  readonly timelineDays: number | null;
  readonly auditDays: number | null;
}

/** A pass ends after so many windows of one kind; the next one goes on from there in a minute. */
const MAXIMUM_WINDOWS = 10;
const BATCH = 1_000;

/** The least id of a record that was made `$1` days ago: ids that store/new-id.ts makes begin with their time, so no index is needed. */
const OLDEST_KEPT_ID = `(lpad(to_hex((extract(epoch from statement_timestamp() - make_interval(days => $1::int)) * 1000)::bigint), 12, '0')
  || '00000000000000000000')::uuid`;
const IS_PAST = (moment: string) => `${moment} < statement_timestamp() - make_interval(days => $1::int)`;
const HAS_ENDED = `(s.deleted_at is not null or s.status in (${TERMINAL_SHIPMENT_STATUSES.map((status) => `'${status}'`).join(', ')}))`;

type WalkedKind = Exclude<keyof Retention, 'auditDays'>;

/** How a table is walked in the order of its ids, so that the work of a statement is bounded however many rows are kept. */
interface Rule {
  readonly walked: string;
  /** Rows that one statement looks at. */
  readonly window: number;
  /** The condition on the ids that are looked at. */
  readonly ids: string;
  /** What removes rows of a window (`seen`). */
  readonly gone: string;
}
const MADE_LONG_AGO = `id < ${OLDEST_KEPT_ID}`;

const RULES: Readonly<Record<WalkedKind, Rule>> = {
  commandDays: {
    walked: 'commands',
    window: 2_000,
    ids: MADE_LONG_AGO,
    gone: `gone as (delete from commands c using seen where c.id = seen.id and c.status in ('applied', 'rejected')
      and ${IS_PAST('c.decided_at')} returning 1)`,
  },
  webhookEventDays: {
    walked: 'webhook_events',
    window: 2_000,
    ids: MADE_LONG_AGO,
    // What was not delivered can still be replayed; a test event cannot.
    gone: `old as (
        select e.id from seen join webhook_events e on e.id = seen.id left join shipments s on s.id = e.shipment_id
        where ${IS_PAST('e.settled_at')}
          and case when s.id is null then e.status <> 'pending' else e.status = 'delivered' and ${HAS_ENDED} end
        for update of e skip locked),
      attempts as (delete from webhook_attempts where webhook_event_id in (select id from old)),
      gone as (delete from webhook_events where id in (select id from old) returning 1)`,
  },
  timelineDays: {
    walked: 'shipments',
    // A shipment has many entries.
    window: 500,
    // The ids of imported shipments are digests: they say nothing of the time.
    ids: 'true',
    gone: `gone as (delete from timeline_entries t using seen, shipments s where s.id = seen.id and t.shipment_id = s.id
      and ${HAS_ENDED} and ${IS_PAST('s.last_event_at')} returning 1)`,
  },
};
const isWalkedKind = (name: string): name is WalkedKind => Object.hasOwn(RULES, name);
const WALKED_KINDS: readonly WalkedKind[] = Object.keys(RULES).filter(isWalkedKind);

const walkSql = ({ walked, window, ids, gone }: Rule) => `
with seen as (select id from ${walked} where id > $2::uuid and ${ids} order by id limit ${window}), ${gone}
select (select count(*)::int from seen) as seen, (select max(id::text) from seen) as last, (select count(*)::int from gone) as removed`;

const AUDIT_SQL = `delete from audit_events where id in (
  select id from audit_events where ${IS_PAST('created_at')} order by created_at, id limit ${BATCH}) returning 1 as one`;

/** Of an organization that was erased nothing is left but its audit log: each row goes when it may, the erasure's own stays. */
const ERASED_AUDIT_SQL = `delete from audit_events where id in (
  select a.id from audit_events e join audit_events a on a.organization_id = e.organization_id
  where e.kind = 'organization.erased' and a.kind <> 'organization.erased'
    and a.created_at < statement_timestamp() - interval '91 days' limit ${BATCH})`;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Up to which id each kind has been walked; the end of a table is followed by its beginning. */
export type RetentionWalk = Map<WalkedKind, string>;

/**
 * Removes what has been kept for long enough (docs/operations.md «Retention»), from where the last pass of the process ended. Resolves
 * to how many rows were removed.
 */
export async function deleteRetained(
  database: Database,
  retention: Retention,
  walk: RetentionWalk,
): Promise<number> {
  await execute(database, ERASED_AUDIT_SQL);
  let removed = retention.auditDays === null ? 0 : await deleteOldAudit(database, retention.auditDays);
  for (const kind of WALKED_KINDS) {
    const days = retention[kind];
    if (days === null) continue;
    for (let window = 0; window < MAXIMUM_WINDOWS; window += 1) {
      const after = walk.get(kind) ?? FIRST_ID;
      const row = await selectOne<{ seen: number; last: string | null; removed: number }>(
        database,
        walkSql(RULES[kind]),
        [days, after],
      );
      removed += row?.removed ?? 0;
      const isAtEnd = (row?.seen ?? 0) < RULES[kind].window;
      walk.set(kind, isAtEnd ? FIRST_ID : (row?.last ?? FIRST_ID));
      if (isAtEnd) break;
    }
  }
  return removed;
}

async function deleteOldAudit(database: Database, days: number): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < MAXIMUM_WINDOWS; batch += 1) {
    const rows = await select(database, AUDIT_SQL, [days]);
    removed += rows.length;
    if (rows.length < BATCH) break;
  }
  return removed;
}
