import type { BoardDay } from '../../../domain/board.ts';
import { isOnBoard } from '../../../domain/board.ts';
import type { ChangedRow, ChangeKind } from '../../shared/changes.ts';
import type { Board, BoardDriver, BoardRun, BoardTask, Iri } from './rows.ts';

/** What a board shows of an organization; undefined does not filter. IRIs. */
export interface BoardFilter {
  readonly driver?: Iri | undefined;
  readonly merchant?: Iri | undefined;
  readonly zone?: Iri | undefined;
}

/** What a change made of the rows: whose row is another now, or that only the service can tell whether the row belongs here. */
export type Effect = { readonly kind: ChangeKind; readonly iri: Iri } | 'nothing' | 'read_again';

interface Versioned {
  readonly '@id': Iri;
  readonly version: number;
}

/**
 * The rows as the service says they are, by IRI; nothing that a person is about to do is in them. A row is replaced only by a
 * newer version, so that the order in which the reading and the stream tell of it does not matter.
 */
export class BoardRows {
  readonly tasks = new Map<Iri, BoardTask>();
  readonly runs = new Map<Iri, BoardRun>();
  readonly drivers = new Map<Iri, BoardDriver>();
  /** The tasks of each shipment that are here. */
  private readonly shipments = new Map<Iri, Set<Iri>>();
  /** Versions of rows that left: an older row that comes late brings none of them back. */
  private readonly gone = new Map<Iri, number>();
  private touched: Set<Iri> | undefined;
  /** The day that was read last. */
  day: BoardDay | undefined;
  private filter: BoardFilter = {};

  /** To be called before a board is read: what the stream tells from now on is newer than what will be read. */
  beginRead(): void {
    this.touched = new Set();
  }

  /** Takes a board that was read: its rows, and no others but those that the stream told of meanwhile. */
  load(board: Board, day: BoardDay, filter: BoardFilter): void {
    this.day = day;
    this.filter = filter;
    replace(this.drivers, board.drivers, this.touched);
    replace(this.runs, board.runs, this.touched);
    replace(this.tasks, board.tasks, this.touched);
    for (const [iri, task] of this.tasks) if (!this.isShown(task)) this.tasks.delete(iri);
    this.gone.clear();
    this.touched = undefined;
    this.shipments.clear();
    for (const task of this.tasks.values()) this.noteShipment(task);
  }

  accept(kind: ChangeKind, row: ChangedRow): Effect {
    const iri = row['@id'];
    this.touched?.add(iri);
    if (kind === 'Task') return this.acceptTask(iri, row);
    const rows: Map<Iri, BoardRun | BoardDriver> | undefined =
      kind === 'Driver' ? this.drivers : kind === 'DeliveryRun' ? this.runs : undefined;
    if (rows === undefined) return 'nothing';
    if (row.deleted === true) return rows.delete(iri) ? { kind, iri } : 'nothing';
    if (!isNewer(row, rows.get(iri)?.version)) return 'nothing';
    if (isRun(row)) this.runs.set(iri, row);
    if (isDriver(row)) this.drivers.set(iri, row);
    return { kind, iri };
  }

  /** The tasks of the same shipment that are on the board, the task itself too. */
  ofShipment(shipment: Iri): readonly Iri[] {
    return [...(this.shipments.get(shipment) ?? [])];
  }

  private acceptTask(iri: Iri, row: ChangedRow): Effect {
    const known = this.tasks.get(iri);
    if (row.deleted === true) {
      if (known !== undefined) this.forget(known);
      return known === undefined ? 'nothing' : { kind: 'Task', iri };
    }
    if (!isTask(row) || !isNewer(row, known?.version ?? this.gone.get(iri))) return 'nothing';
    if (!this.isShown(row)) {
      this.gone.set(iri, row.version);
      if (known === undefined) return 'nothing';
      this.forget(known);
      this.gone.set(iri, row.version);
      return { kind: 'Task', iri };
    }
    // Which zone a place is in the service knows.
    const isElsewhere = known?.latitude !== row.latitude || known?.longitude !== row.longitude;
    if (this.filter.zone !== undefined && isElsewhere) return 'read_again';
    this.tasks.set(iri, row);
    this.noteShipment(row);
    return { kind: 'Task', iri };
  }

  private isShown(task: BoardTask): boolean {
    // Before the first reading everything is kept; what does not belong here leaves with it.
    if (this.day === undefined) return true;
    const { driver, merchant } = this.filter;
    if (driver !== undefined && task.driver !== driver) return false;
    if (merchant !== undefined && task.merchant !== merchant) return false;
    const run = task.deliveryRun === undefined ? undefined : this.runs.get(task.deliveryRun);
    const planned = {
      type: task.type,
      status: task.status,
      after: dateOf(task.after),
      before: dateOf(task.before),
      completedAt: dateOf(task.completedAt),
      runDate: run?.date ?? null,
    };
    return isOnBoard(planned, this.day);
  }

  private noteShipment({ shipment, '@id': iri }: BoardTask): void {
    const known = this.shipments.get(shipment) ?? new Set();
    this.shipments.set(shipment, known.add(iri));
  }

  private forget({ '@id': iri, shipment, version }: BoardTask): void {
    this.tasks.delete(iri);
    this.gone.set(iri, version);
    this.shipments.get(shipment)?.delete(iri);
  }
}

function dateOf(moment: string | undefined): Date | null {
  return moment === undefined ? null : new Date(moment);
}

function replace<Kind extends Versioned>(
  rows: Map<Iri, Kind>,
  read: readonly Kind[],
  touched: ReadonlySet<Iri> | undefined,
): void {
  const kept = new Map([...rows].filter(([iri]) => touched?.has(iri)));
  rows.clear();
  for (const row of read) {
    const iri = row['@id'];
    const known = kept.get(iri);
    // Told of while the board was read, and not here any more: it was deleted.
    if (touched?.has(iri) && known === undefined) continue;
    rows.set(iri, known !== undefined && known.version > row.version ? known : row);
    kept.delete(iri);
  }
  for (const [iri, row] of kept) rows.set(iri, row);
}

function isNewer({ version }: ChangedRow, known: number | undefined): boolean {
  return version !== undefined && (known === undefined || version > known);
}

function hasType(row: object, type: string): boolean {
  return '@id' in row && '@type' in row && row['@type'] === type;
}
export const isTask = (row: object): row is BoardTask => hasType(row, 'Task');
export const isRun = (row: object): row is BoardRun => hasType(row, 'DeliveryRun');
export const isDriver = (row: object): row is BoardDriver => hasType(row, 'Driver');
