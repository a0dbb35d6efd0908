import type { ChangedRow } from '../../shared/changes.ts';
import type { Schemas } from '../../shared/client.ts';
import { idOf } from '../../shared/client.ts';
import type { LiveRow } from '../live-rows.ts';

export type Day = Schemas['Board'];
export type DayTask = Schemas['BoardTask'];
export type DayRun = Schemas['BoardRun'];
export type DayDriver = Schemas['BoardDriver'];

/** A day after some of its rows changed. `hasUnknown`: a row came that the day did not have, and may have to have. */
export interface ChangedDay {
  readonly day: Day;
  readonly hasUnknown: boolean;
}

/** Puts newer rows in the place of older ones and leaves out what was deleted. Returns the same day where nothing changed. */
export function applyRows(day: Day, rows: readonly LiveRow[]): ChangedDay {
  const tasks = replaced(day.tasks, rowsOf(rows, 'Task'), isTask);
  const runs = replaced(day.runs, rowsOf(rows, 'DeliveryRun'), isRun);
  const drivers = replaced(day.drivers, rowsOf(rows, 'Driver'), isDriver);
  const parts = [tasks, runs, drivers];
  const isSame = parts.every(({ hasChanged }) => !hasChanged);
  return {
    day: isSame ? day : { ...day, tasks: tasks.rows, runs: runs.rows, drivers: drivers.rows },
    hasUnknown: parts.some(({ hasUnknown }) => hasUnknown),
  };
}

function rowsOf(rows: readonly LiveRow[], wanted: LiveRow['kind']): readonly ChangedRow[] {
  return rows.filter(({ kind }) => kind === wanted).map(({ row }) => row);
}

interface Versioned {
  readonly id: string;
  readonly version: number;
}

function replaced<Row extends Versioned>(
  known: Row[],
  changed: readonly ChangedRow[],
  isRow: (row: object) => row is Row,
): { readonly rows: Row[]; readonly hasChanged: boolean; readonly hasUnknown: boolean } {
  if (changed.length === 0) return { rows: known, hasChanged: false, hasUnknown: false };
  const byId = new Map(known.map((row) => [row.id, row]));
  let hasChanged = false;
  let hasUnknown = false;
  for (const row of changed) {
    const id = idOf(row['@id']);
    const before = byId.get(id);
    if (row.deleted === true) hasChanged = byId.delete(id) || hasChanged;
    else if (before === undefined) hasUnknown = true;
    else if (isRow(row) && row.version > before.version) {
      byId.set(id, row);
      hasChanged = true;
    }
  }
  return { rows: hasChanged ? [...byId.values()] : known, hasChanged, hasUnknown };
}

function isTask(row: object): row is DayTask {
  return 'recipientName' in row && 'allowedTransitions' in row;
}

function isRun(row: object): row is DayRun {
  return 'reference' in row && 'date' in row;
}

function isDriver(row: object): row is DayDriver {
  return 'isAvailable' in row && 'phoneNumber' in row;
}
