import type { ChangeKind } from '../../domain/change-kinds.ts';
import type { DriverId, MerchantId, OrganizationId } from '../../domain/ids.ts';
import type { Database, Executor } from '../connection.ts';
import { execute, selectOne } from '../connection.ts';
import type { Cursor } from './cursor.ts';
import { cursorOf, endedTransactions } from './cursor.ts';

/** A record that has changed, once for all of its changes. */
export interface ChangedRecord {
  readonly organizationId: OrganizationId;
  readonly kind: ChangeKind | 'driver_position';
  readonly id: string;
  /** Whose it was before. */
  readonly driverIds: readonly DriverId[];
  readonly merchantIds: readonly MerchantId[];
  /** The transactions that changed it, of a position alone. */
  readonly xids: readonly number[];
}

/** What has changed between two points. */
export interface Changes {
  /** The later point. */
  readonly cursor: Cursor;
  readonly records: readonly ChangedRecord[];
  /** Organizations of which changes in between may have been deleted, or cannot be known. */
  readonly incomplete: ReadonlySet<OrganizationId>;
}

/**
 * The name of the epoch. PostgreSQL empties the table after a crash and on a copy of the server; the system's identifier and the
 * database's tell a dump apart that was loaded elsewhere.
 */
const EPOCH = `(select left(md5(concat_ws(' ', e.id, c.system_identifier, d.oid)), 8)
  from change_epoch e, pg_control_system() c, pg_database d where d.datname = current_database())`;

const POINT_SQL = `select pg_current_snapshot()::text as snapshot, ${EPOCH} as epoch`;

/**
 * What a transaction changed is seen after the point and not at it where the transaction had not begun at the point, or was under
 * way. So no change is read twice, however long a transaction takes.
 */
const CHANGES_SQL = `${POINT_SQL},
  (select coalesce(json_agg(c), '[]') from (
     select organization_id as "organizationId", kind, id,
       coalesce(array_agg(distinct previous_driver_id) filter (where previous_driver_id is not null), '{}') as "driverIds",
       coalesce(array_agg(distinct previous_merchant_id) filter (where previous_merchant_id is not null), '{}') as "merchantIds",
       case when kind = 'driver_position' then array_agg(xid::text::bigint) else '{}' end as xids
     from changes where organization_id = any($1::uuid[]) and (xid >= $2::xid8 or xid = any($3::xid8[]))
     group by organization_id, kind, id) c) as records,
  (select coalesce(json_agg(p), '[]') from (
     select null as "organizationId", snapshot from (select snapshot from change_marks order by id limit 1) oldest
     union all select organization_id, snapshot from change_caps where organization_id = any($1::uuid[])) p) as deleted`;

interface Point {
  readonly snapshot: string;
  readonly epoch: string | null;
}

interface ChangesRow extends Point {
  readonly records: readonly ChangedRecord[];
  /** Points up to which changes were deleted: of one organization, or null for all. */
  readonly deleted: readonly {
    readonly organizationId: OrganizationId | null;
    readonly snapshot: string;
  }[];
}

/** Reads the point that the executor's snapshot is; undefined where the database has no epoch yet (`beginEpoch`). */
export async function currentCursor(executor: Executor): Promise<Cursor | undefined> {
  const point = await selectOne<Point>(executor, POINT_SQL);
  return point === undefined || point.epoch === null ? undefined : cursorOf(point.epoch, point.snapshot);
}

/** Begins an epoch, where the database has none: after a crash, or on a copy of the server. Nothing older is known. */
export function beginEpoch(executor: Executor): Promise<void> {
  return execute(
    executor,
    `with begun as (insert into change_epoch default values on conflict do nothing returning id)
     insert into change_marks (snapshot) select pg_current_snapshot() from begun`,
  );
}

/** Reads the point that is now. */
export async function currentPoint(database: Database): Promise<Cursor> {
  const cursor = await currentCursor(database);
  if (cursor !== undefined) return cursor;
  await beginEpoch(database);
  return currentPoint(database);
}

/** Reads what has changed of these organizations since a point. */
export async function readChanges(
  database: Database,
  organizationIds: readonly OrganizationId[],
  since: Cursor,
): Promise<Changes> {
  const read = () =>
    selectOne<ChangesRow>(database, CHANGES_SQL, [
      [...organizationIds],
      String(since.end),
      since.open.map(String),
    ]);
  let row = await read();
  if (row?.epoch === null) {
    await beginEpoch(database);
    row = await read();
  }
  if (row === undefined || row.epoch === null) throw new Error('the database has no epoch of changes');
  const { epoch, snapshot, records, deleted } = row;
  const cursor = cursorOf(epoch, snapshot);
  const isOfHere = since.epoch === epoch && since.end <= cursor.end && isNotBefore(cursor, since);
  const cut = deleted.filter((point) => !isNotBefore(since, cursorOf(epoch, point.snapshot)));
  const isIncomplete = (id: OrganizationId) =>
    !isOfHere || cut.some(({ organizationId }) => organizationId === null || organizationId === id);
  return { cursor, records, incomplete: new Set(organizationIds.filter(isIncomplete)) };
}

/** Whether a point has seen all that another one of its epoch has. */
function isNotBefore(point: Cursor, other: Cursor): boolean {
  return endedTransactions(point) >= endedTransactions(other);
}
