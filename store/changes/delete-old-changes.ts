import type { Database } from '../connection.ts';
import { execute, inTransaction } from '../connection.ts';

/** How long a change is kept at least, unless the organization has too many. */
const KEPT_MINUTES = 60;
/** About how many changes of one organization are kept. */
export const KEPT_CHANGES = 100_000;
const MARK_EVERY_SECONDS = 60;
const DELETED_AT_A_TIME = 50_000;

/**
 * Deletes changes that are older than an hour, and of an organization those beyond the newest 100,000, up to points that were
 * marked before: a cursor that was given before such a point is answered by a reset. The deletion says so before it deletes.
 */
export async function deleteOldChanges(
  database: Database,
  { keptMinutes = KEPT_MINUTES, keptChanges = KEPT_CHANGES, markEverySeconds = MARK_EVERY_SECONDS } = {},
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    // One process at a time; the others leave it to the one that is at it.
    await execute(transaction, 'lock table change_marks in exclusive mode');
    await execute(
      transaction,
      `insert into change_marks (snapshot) select pg_current_snapshot()
       where not exists (select from change_marks where taken_at > statement_timestamp() - make_interval(secs => $1))`,
      [markEverySeconds],
    );
    await execute(
      transaction,
      `delete from change_marks where id < (select max(id) from change_marks
         where taken_at <= statement_timestamp() - make_interval(mins => $1))`,
      [keptMinutes],
    );
    await execute(transaction, CAP_SQL, [keptChanges]);
  });
  await execute(database, DELETE_OLD_SQL, [keptMinutes]);
  await execute(database, DELETE_CAPPED_SQL);
}

/** Of an organization with too many: the earliest mark that has seen the first one too many. */
const CAP_SQL = `
insert into change_caps (organization_id, snapshot)
select o.organization_id, m.snapshot
from (select organization_id from changes group by organization_id having count(*) > $1) o
cross join lateral (select xid from changes c where c.organization_id = o.organization_id order by xid desc offset $1 limit 1) x
cross join lateral (select snapshot from change_marks where pg_visible_in_snapshot(x.xid, snapshot) order by id limit 1) m
on conflict (organization_id) do update set snapshot = excluded.snapshot`;

/** The oldest mark is that old only after the first hour. */
const DELETE_OLD_SQL = `
delete from changes where ctid in (
  select c.ctid from changes c,
    (select snapshot from change_marks where taken_at <= statement_timestamp() - make_interval(mins => $1) order by id limit 1) m
  where c.xid < pg_snapshot_xmax(m.snapshot) and pg_visible_in_snapshot(c.xid, m.snapshot) limit ${DELETED_AT_A_TIME})`;

const DELETE_CAPPED_SQL = `
delete from changes where ctid in (
  select c.ctid from changes c join change_caps m on m.organization_id = c.organization_id
  where c.xid < pg_snapshot_xmax(m.snapshot) and pg_visible_in_snapshot(c.xid, m.snapshot) limit ${DELETED_AT_A_TIME})`;
