import type { ChangeKind, ChangeReader, FormerOwners, RowOwners } from '../../domain/change-kinds.ts';
import { CHANGE_KINDS, isShownTo, mayHaveBeenShownTo } from '../../domain/change-kinds.ts';
import type { DeliveryRunId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import { collectionPath } from '../../domain/iri.ts';
import type { UserRole } from '../../domain/permission.ts';
import { bySharedShipment } from '../../store/board/board.ts';
import type { BoardTaskRow } from '../../store/board/board-rows.ts';
import {
  findBoardDrivers,
  findBoardRuns,
  findChangedDeliveries,
  findChangedShipments,
  findShipmentsOfTasks,
  findTasksOfShipments,
} from '../../store/board/board-rows.ts';
import type { ChangedRecord } from '../../store/changes/read-changes.ts';
import { findChangedImports } from '../../store/shipments/import-records.ts';
import type { Tenant } from '../../store/tenant.ts';
import { boardDriver, boardRun, boardTask, changedDelivery, changedShipment } from '../board/fields.ts';
import type { Document } from '../hydra/resource.ts';
import { importRecord } from '../imports/fields.ts';

/** A changed row, to be shown to each reader in its own way. */
export interface LoadedChange {
  readonly kind: ChangeKind;
  readonly id: string;
  readonly isDeleted: boolean;
  readonly owners: RowOwners;
  readonly former: FormerOwners;
  /** The event with the row, as a role is shown it. */
  readonly rowEvent: (viewerRole: UserRole) => string;
  /** The event that the row is gone. */
  readonly deletedEvent: () => string;
}

/** How many records are read at a time: their events are some 300 kB. */
const CHUNK = 500;
const NOBODY: FormerOwners = { driverIds: [], merchantIds: [] };

/**
 * Reads the rows of changed records as they are now, a chunk at a time. All tasks of a shipment come when one of them or the
 * shipment has changed, since what each may do depends on the others, and each with its run, whose status depends on its tasks.
 */
export async function* loadChanges(
  scope: Tenant,
  records: readonly ChangedRecord[],
): AsyncGenerator<readonly LoadedChange[]> {
  const ids = <Kind extends string>(...kinds: ChangedRecord['kind'][]) =>
    unique(records.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => toId<Kind>(id)));
  const changedShipments = new Set(ids<'shipment'>('shipment'));
  const ofTasks = await findShipmentsOfTasks(scope, ids<'task'>('task'));
  const runIds = new Set<DeliveryRunId>(ids<'delivery_run'>('delivery_run'));
  const finish = (kind: ChangeKind, found: readonly Found[], asked: readonly string[] = []) =>
    completed(kind, found, asked, formerOwners(records, kind));

  for (const part of chunks(unique([...changedShipments, ...ofTasks]))) {
    const tasks = await findTasksOfShipments(scope, part);
    for (const { deliveryRunId } of tasks) if (deliveryRunId !== null) runIds.add(deliveryRunId);
    const shipmentIds = part.filter((id) => changedShipments.has(id));
    const shipments = await findChangedShipments(scope, shipmentIds);
    yield [
      ...finish('shipment', shipments.map(ofShipment), shipmentIds),
      ...finish('task', foundTasks(tasks)),
    ];
  }
  for (const part of chunks([...runIds])) {
    const rows = await findBoardRuns(scope, part);
    const found = rows.map((row) => ({ ...row, owners: row, present: () => boardRun.presentMember(row) }));
    yield finish('delivery_run', found, part);
  }
  for (const part of chunks(ids<'driver'>('driver', 'driver_position'))) {
    const rows = await findBoardDrivers(scope, part);
    const found = rows.map((row) => ({
      ...row,
      owners: { driverId: row.id },
      present: () => boardDriver.presentMember(row),
    }));
    yield finish('driver', found, part);
  }
  for (const part of chunks(ids<'webhook_event'>('webhook_event'))) {
    const rows = await findChangedDeliveries(scope, part);
    const found = rows.map((row) => ({
      ...row,
      owners: {},
      present: () => changedDelivery.presentMember(row),
    }));
    yield finish('webhook_event', found, part);
  }
  for (const part of chunks(ids<'import'>('import'))) {
    const rows = await findChangedImports(scope, part);
    const found = rows.map((row) => ({
      id: row.id,
      isDeleted: false,
      owners: { merchantId: row.merchantId },
      present: () => importRecord.presentMember(row),
    }));
    yield finish('import', found, part);
  }
}

interface Found extends Pick<LoadedChange, 'id' | 'isDeleted' | 'owners'> {
  readonly present: (viewerRole: UserRole) => Document;
}

function ofShipment(row: Awaited<ReturnType<typeof findChangedShipments>>[number]): Found {
  return {
    ...row,
    owners: { merchantId: row.merchantId },
    present: () => changedShipment.presentMember(row),
  };
}

function foundTasks(tasks: readonly BoardTaskRow[]): Found[] {
  const siblingsOf = bySharedShipment(tasks);
  return tasks.map((row) => ({
    id: row.id,
    isDeleted: row.isDeleted,
    owners: { driverId: row.driverId },
    present: (viewerRole) =>
      boardTask.presentMember({ ...row, viewerRole, siblings: siblingsOf.get(row.shipmentId) ?? [] }),
  }));
}

/** The changes of one kind. A record that was asked for and no longer exists counts as deleted. */
function completed(
  kind: ChangeKind,
  found: readonly Found[],
  asked: readonly string[],
  former: ReadonlyMap<string, FormerOwners>,
): LoadedChange[] {
  const known = new Set(found.map(({ id }) => id));
  const gone = asked.filter((id) => !known.has(id));
  const all = [...found, ...gone.map((id) => ({ id, isDeleted: true, owners: {}, present: () => ({}) }))];
  return all.map(({ id, isDeleted, owners, present }) => {
    return { kind, id, isDeleted, owners, former: former.get(id) ?? NOBODY, ...eventsOf(kind, id, present) };
  });
}

function formerOwners(
  records: readonly ChangedRecord[],
  kind: ChangeKind,
): ReadonlyMap<string, FormerOwners> {
  return new Map(records.filter((record) => record.kind === kind).map((record) => [record.id, record]));
}

/**
 * What a reader is sent of a change, an event without its id: its row, that the reader has to forget it, or undefined where it is
 * not the reader's.
 */
export function eventFor(change: LoadedChange, reader: ChangeReader): string | undefined {
  const { kind, isDeleted, owners, former } = change;
  const isOwn = isShownTo(reader, kind, owners);
  if (!isDeleted && isOwn) return change.rowEvent(reader.role);
  // Of a deleted row the owners are its last ones.
  return isOwn || mayHaveBeenShownTo(reader, kind, former) ? change.deletedEvent() : undefined;
}

/** Makes a text once for each role, and none that no reader needs. */
function eventsOf(kind: ChangeKind, id: string, present: Found['present']) {
  const rows = new Map<UserRole, string>();
  return {
    rowEvent: (role: UserRole) => {
      const known = rows.get(role) ?? eventText(kind, present(role));
      rows.set(role, known);
      return known;
    },
    deletedEvent: () => eventText(kind, { '@id': `${collectionPath(kind)}/${id}`, deleted: true }),
  };
}

function eventText(kind: ChangeKind, document: Document): string {
  return `event: ${CHANGE_KINDS[kind].type}\ndata: ${JSON.stringify(document)}\n\n`;
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

function* chunks<Value>(values: readonly Value[]): Generator<Value[]> {
  for (let start = 0; start < values.length; start += CHUNK) yield values.slice(start, start + CHUNK);
}
