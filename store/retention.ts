import { TERMINAL_SHIPMENT_STATUSES } from '../domain/shipment-status.ts';
import type { Database } from './connection.ts';
import { execute, select } from './connection.ts';

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

const BATCH = 1_000;
/** A pass ends after so many batches of one kind; the next one follows in a minute. */
const MAXIMUM_BATCHES = 10;

/** The least id of a record that was made `$1` days ago: ids begin with their time (store/new-id.ts), so no index is needed. */
const OLDEST_KEPT_ID = `(lpad(to_hex((extract(epoch from statement_timestamp() - make_interval(days => $1::int)) * 1000)::bigint), 12, '0')
  || '00000000000000000000')::uuid`;
const IS_PAST = (moment: string) => `${moment} < statement_timestamp() - make_interval(days => $1::int)`;
const HAS_ENDED = `(s.deleted_at is not null or s.status in (${TERMINAL_SHIPMENT_STATUSES.map((status) => `'${status}'`).join(', ')}))`;

const RULES: readonly { readonly setting: keyof Retention; readonly sql: string }[] = [
  {
    setting: 'commandDays',
    sql: `delete from commands where id in (
      select id from commands where id < ${OLDEST_KEPT_ID} and status in ('applied', 'rejected') and ${IS_PAST('decided_at')}
      order by id limit ${BATCH}) returning 1 as one`,
  },
  {
    // What was not delivered can still be replayed; a test event cannot.
    setting: 'webhookEventDays',
    sql: `with old as (
        select e.id from webhook_events e left join shipments s on s.id = e.shipment_id
        where e.id < ${OLDEST_KEPT_ID} and ${IS_PAST('e.settled_at')}
          and case when s.id is null then e.status <> 'pending' else e.status = 'delivered' and ${HAS_ENDED} end
        order by e.id limit ${BATCH} for update of e skip locked),
      attempts as (delete from webhook_attempts where webhook_event_id in (select id from old))
      delete from webhook_events where id in (select id from old) returning 1 as one`,
  },
  {
    setting: 'timelineDays',
    sql: `delete from timeline_entries t using (
        select e.shipment_id, e.sequence from timeline_entries e join shipments s on s.id = e.shipment_id
        where e.shipment_id < ${OLDEST_KEPT_ID} and ${HAS_ENDED} and ${IS_PAST('s.last_event_at')}
        order by e.shipment_id, e.sequence limit ${BATCH}) old
      where t.shipment_id = old.shipment_id and t.sequence = old.sequence returning 1 as one`,
  },
  {
    setting: 'auditDays',
    sql: `delete from audit_events where id in (
      select id from audit_events where ${IS_PAST('created_at')} order by created_at, id limit ${BATCH}) returning 1 as one`,
  },
];

/** Of an organization that was erased nothing is left but its audit log: each row goes when it may, the erasure's own stays. */
const ERASED_AUDIT_SQL = `delete from audit_events where id in (
  select a.id from audit_events e join audit_events a on a.organization_id = e.organization_id
  where e.kind = 'organization.erased' and a.kind <> 'organization.erased'
    and a.created_at < statement_timestamp() - interval '91 days' limit ${BATCH})`;

/** Removes what has been kept for long enough (docs/operations.md «Retention»). Resolves to how many rows were removed. */
export async function deleteRetained(database: Database, retention: Retention): Promise<number> {
  await execute(database, ERASED_AUDIT_SQL);
  let removed = 0;
  for (const { setting, sql } of RULES) {
    const days = retention[setting];
    if (days === null) continue;
    for (let batch = 0; batch < MAXIMUM_BATCHES; batch += 1) {
      const rows = await select(database, sql, [days]);
      removed += rows.length;
      if (rows.length < BATCH) break;
    }
  }
  return removed;
}
