import type { BoardDay } from '../../domain/board.ts';
import { isOnBoard, MAXIMUM_BOARD_TASKS } from '../../domain/board.ts';
import type { DeliveryRunId, DriverId, MerchantId, ShipmentId } from '../../domain/ids.ts';
import type { TaskState } from '../../domain/shipment-state.ts';
import { dependsOnSiblings } from '../../domain/transition.ts';
import type { Polygon } from '../../platform/geometry.ts';
import { polygonContains } from '../../platform/geometry.ts';
import type { Cursor } from '../changes/cursor.ts';
import { beginEpoch, currentCursor } from '../changes/read-changes.ts';
import { inSnapshot, selectOne } from '../connection.ts';
import type { Lookup, Tenant } from '../tenant.ts';
import { tenant } from '../tenant.ts';
import type { BoardDriverRow, BoardRunRow, BoardTaskRow } from './board-rows.ts';
import { findBoardDrivers, findBoardRuns, findSiblings } from './board-rows.ts';
import { fetchBoardTasks, openBoardTasks } from './board-tasks.ts';
import { inParts } from './in-parts.ts';

/** What a board is asked for; null does not filter. */
export interface BoardFilter {
  /** `YYYY-MM-DD`; null is today in the organization's time zone. */
  readonly date: string | null;
  /** Has no tasks where it is not found. */
  readonly zone: Lookup<{ readonly polygon: Polygon }> | null;
  readonly driverId: DriverId | null;
  readonly merchantId: MerchantId | null;
}

/** A day with what belongs to it besides its tasks, of one snapshot, and the point at which to begin to follow the changes. */
export interface Board {
  readonly asOf: Date;
  readonly cursor: Cursor;
  readonly day: BoardDay;
  readonly currency: string;
  readonly timezone: string;
  /** Whether tasks were left out, because there are too many. */
  readonly isPartial: boolean;
  readonly drivers: readonly BoardDriverRow[];
  readonly runs: readonly BoardRunRow[];
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

/** Of so many tasks the rows are alive at a time; presenting them takes some milliseconds. */
const PART = 250;

/** Some of the tasks of a board, in their order. */
export interface BoardPart {
  readonly tasks: readonly BoardTaskRow[];
  /** The tasks of the shipments of those whose transitions depend on them. */
  readonly siblings: ReadonlyMap<ShipmentId, readonly TaskState[]>;
}

/**
 * Reads a board in one snapshot. Its tasks are given to `take` part by part, the next one being read meanwhile: 10,000 rows as
 * objects at a time would occupy the process for longer than all else. Throws where the organization does not exist.
 */
export async function readBoard(
  scope: Tenant,
  filter: BoardFilter,
  take: (part: BoardPart) => Promise<void>,
): Promise<Board> {
  const board = await inSnapshot(scope.executor, (snapshot) =>
    readIn(tenant(snapshot, scope.organizationId), filter, take),
  );
  if (board !== undefined) return board;
  await beginEpoch(scope.executor);
  return readBoard(scope, filter, take);
}

async function readIn(
  scope: Tenant,
  filter: BoardFilter,
  take: (part: BoardPart) => Promise<void>,
): Promise<Board | undefined> {
  const cursor = await currentCursor(scope.executor);
  if (cursor === undefined) return undefined;
  const found = await selectOne<DayRow>(scope.executor, DAY_SQL, [scope.organizationId, filter.date]);
  if (found === undefined) throw new Error('the organization of a board does not exist');
  const { now: asOf, currency, timezone, ...day } = found;
  const runIds = new Set<DeliveryRunId>();
  let isPartial = false;
  const wanted = async function* () {
    let room = MAXIMUM_BOARD_TASKS;
    for await (const rows of readParts(scope, day)) {
      const fitting = rows.filter((task) => !task.isDeleted && isOnBoard(task, day) && passes(task, filter));
      yield fitting.slice(0, room);
      isPartial ||= fitting.length > room;
      room = Math.max(0, room - fitting.length);
    }
  };
  for await (const tasks of inParts(wanted(), PART)) {
    for (const { deliveryRunId } of tasks) if (deliveryRunId !== null) runIds.add(deliveryRunId);
    await take({ tasks, siblings: await siblingsOf(scope, tasks) });
  }
  const runs = await findBoardRuns(scope, [...runIds], day.date);
  const drivers = await findBoardDrivers(scope, filter.driverId === null ? null : [filter.driverId]);
  return {
    ...{ asOf, cursor, day, currency, timezone, isPartial },
    drivers: drivers.filter(({ isDeleted }) => !isDeleted),
    runs: runs.filter(
      ({ isDeleted, driverId, id }) =>
        !isDeleted && (filter.driverId === null || driverId === filter.driverId || runIds.has(id)),
    ),
  };
}

/** The tasks of the day, part by part; each part is asked for before the one before it is used. */
async function* readParts(scope: Tenant, day: BoardDay): AsyncGenerator<readonly BoardTaskRow[]> {
  await openBoardTasks(scope, day);
  const read = () => {
    const rows = fetchBoardTasks(scope, PART);
    // It is awaited when the part before it has been used; that may fail first.
    rows.catch(() => undefined);
    return rows;
  };
  for (let next = read(); ;) {
    const rows = await next;
    if (rows.length === 0) return;
    next = read();
    yield rows;
  }
}

async function siblingsOf(
  scope: Tenant,
  tasks: readonly BoardTaskRow[],
): Promise<ReadonlyMap<ShipmentId, readonly TaskState[]>> {
  const shipmentIds = new Set(tasks.filter(dependsOnSiblings).map(({ shipmentId }) => shipmentId));
  return bySharedShipment(shipmentIds.size === 0 ? [] : await findSiblings(scope, [...shipmentIds]));
}

function passes(task: BoardTaskRow, { driverId, merchantId, zone }: BoardFilter): boolean {
  if (driverId !== null && task.driverId !== driverId) return false;
  if (merchantId !== null && task.merchantId !== merchantId) return false;
  if (zone === null) return true;
  if (zone.kind !== 'found') return false;
  const { latitude, longitude } = task;
  return (
    latitude !== null && longitude !== null && polygonContains(zone.row.polygon, { latitude, longitude })
  );
}

/** The tasks of each shipment, in their order. */
export function bySharedShipment<Task extends { readonly shipmentId: ShipmentId }>(
  tasks: readonly Task[],
): ReadonlyMap<ShipmentId, readonly Task[]> {
  const found = new Map<ShipmentId, Task[]>();
  for (const task of tasks) {
    const known = found.get(task.shipmentId);
    if (known === undefined) found.set(task.shipmentId, [task]);
    else known.push(task);
  }
  return found;
}
