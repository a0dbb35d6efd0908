import type { BoardDay } from '../../domain/board.ts';
import { isOnBoard, MAXIMUM_BOARD_TASKS } from '../../domain/board.ts';
import type { DeliveryRunId, DriverId, MerchantId, ShipmentId } from '../../domain/ids.ts';
import type { Polygon } from '../../platform/geometry.ts';
import { polygonContains } from '../../platform/geometry.ts';
import type { Cursor } from '../changes/cursor.ts';
import { beginEpoch, currentCursor } from '../changes/read-changes.ts';
import { inSnapshot, select, selectOne } from '../connection.ts';
import type { Tenant } from '../tenant.ts';
import { tenant } from '../tenant.ts';
import type { BoardDriverRow, BoardRunRow, BoardTaskRow } from './board-rows.ts';
import { findBoardDrivers, findBoardRuns, findTasksOfShipments } from './board-rows.ts';

/** What a board is asked for; null does not filter. */
export interface BoardFilter {
  /** `YYYY-MM-DD`; null is today in the organization's time zone. */
  readonly date: string | null;
  readonly zone: { readonly polygon: Polygon } | null;
  readonly driverId: DriverId | null;
  readonly merchantId: MerchantId | null;
}

/** A day with all that belongs to it, of one snapshot, and the point at which to begin to follow the changes. */
export interface Board {
  readonly asOf: Date;
  readonly cursor: Cursor;
  readonly day: BoardDay;
  readonly currency: string;
  readonly timezone: string;
  readonly isPartial: boolean;
  readonly drivers: readonly BoardDriverRow[];
  readonly runs: readonly BoardRunRow[];
  readonly tasks: readonly BoardTaskRow[];
  /** The tasks of each shipment, those too that the board does not show: what a task may do depends on them. */
  readonly siblings: ReadonlyMap<ShipmentId, readonly BoardTaskRow[]>;
}

interface DayRow {
  readonly now: Date;
  readonly currency: string;
  readonly timezone: string;
  readonly date: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly isToday: boolean;
}

const DAY_SQL = `
select n.now, o.currency, o.timezone, to_char(d.date, 'YYYY-MM-DD') as date, d.date = n.today as "isToday",
  d.date::timestamp at time zone o.timezone as "startsAt",
  (d.date + 1)::timestamp at time zone o.timezone as "endsAt"
from organizations o
cross join lateral (select statement_timestamp() as now, (statement_timestamp() at time zone o.timezone)::date as today) n
cross join lateral (select coalesce($2::date, n.today) as date) d
where o.id = $1`;

/** The shipments that may have a task on the board: domain/board.ts decides of each task, this finds enough of them. */
const SHIPMENTS_SQL = `
select shipment_id as "shipmentId", count(*)::int as tasks from (
  (select id, shipment_id from tasks
   where organization_id = $1 and status not in ('delivered', 'cancelled', 'picked_up')
     and (($5 and after is null) or coalesce(after, before) < $3)
     and ($5 or coalesce(before, after) >= $2)
   order by after nulls first limit ${MAXIMUM_BOARD_TASKS + 1})
  union
  (select id, shipment_id from tasks where organization_id = $1 and completed_at >= $2 and completed_at < $3
   order by completed_at desc limit ${MAXIMUM_BOARD_TASKS + 1})
  union
  select t.id, t.shipment_id from delivery_runs r join tasks t on t.delivery_run_id = r.id
  where r.organization_id = $1 and r.run_date = $4::date and r.deleted_at is null) found
group by shipment_id`;

/** Reads a board in one snapshot. Throws where the organization does not exist. */
export async function readBoard(scope: Tenant, filter: BoardFilter): Promise<Board> {
  const board = await inSnapshot(scope.executor, (snapshot) =>
    readIn(tenant(snapshot, scope.organizationId), filter),
  );
  if (board !== undefined) return board;
  await beginEpoch(scope.executor);
  return readBoard(scope, filter);
}

async function readIn(scope: Tenant, filter: BoardFilter): Promise<Board | undefined> {
  const cursor = await currentCursor(scope.executor);
  if (cursor === undefined) return undefined;
  const found = await selectOne<DayRow>(scope.executor, DAY_SQL, [scope.organizationId, filter.date]);
  if (found === undefined) throw new Error('the organization of a board does not exist');
  const { now: asOf, currency, timezone, ...day } = found;
  const shipmentIds = await findShipments(scope, day);
  const all = await findTasksOfShipments(scope, shipmentIds);
  const wanted = all.filter((task) => !task.isDeleted && isOnBoard(task, day) && passes(task, filter));
  const tasks = wanted.slice(0, MAXIMUM_BOARD_TASKS);
  const runIds = new Set(
    tasks.flatMap(({ deliveryRunId: id }): DeliveryRunId[] => (id === null ? [] : [id])),
  );
  const runs = await findBoardRuns(scope, [...runIds], day.date);
  const drivers = await findBoardDrivers(scope, filter.driverId === null ? null : [filter.driverId]);
  return {
    ...{ asOf, cursor, day, currency, timezone, tasks },
    isPartial: wanted.length > tasks.length,
    drivers: drivers.filter(({ isDeleted }) => !isDeleted),
    runs: runs.filter(
      ({ isDeleted, driverId, id }) =>
        !isDeleted && (filter.driverId === null || driverId === filter.driverId || runIds.has(id)),
    ),
    siblings: bySharedShipment(all),
  };
}

async function findShipments(scope: Tenant, day: BoardDay): Promise<readonly ShipmentId[]> {
  const { startsAt, endsAt, date, isToday } = day;
  const rows = await select<{ shipmentId: ShipmentId }>(scope.executor, SHIPMENTS_SQL, [
    scope.organizationId,
    startsAt,
    endsAt,
    date,
    isToday,
  ]);
  return rows.map(({ shipmentId }) => shipmentId);
}

function passes(task: BoardTaskRow, { driverId, merchantId, zone }: BoardFilter): boolean {
  if (driverId !== null && task.driverId !== driverId) return false;
  if (merchantId !== null && task.merchantId !== merchantId) return false;
  if (zone === null) return true;
  const { latitude, longitude } = task;
  return latitude !== null && longitude !== null && polygonContains(zone.polygon, { latitude, longitude });
}

/** The tasks of each shipment, in their order. */
export function bySharedShipment(
  tasks: readonly BoardTaskRow[],
): ReadonlyMap<ShipmentId, readonly BoardTaskRow[]> {
  const found = new Map<ShipmentId, BoardTaskRow[]>();
  for (const task of tasks) {
    const known = found.get(task.shipmentId);
    if (known === undefined) found.set(task.shipmentId, [task]);
    else known.push(task);
  }
  return found;
}
