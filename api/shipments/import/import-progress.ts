import type { ImportId } from '../../../domain/ids.ts';
import type { ImportProgress } from '../../../store/shipments/import-records.ts';
import { keepImportAlive, noteImportProgress } from '../../../store/shipments/import-records.ts';
import type { Tenant } from '../../../store/tenant.ts';
import type { GoodRow } from './check-rows.ts';
import type { ImportPart } from './import-process.ts';

/** Rows between two notes: 10,000 rows are at most 20 notes. */
const ROWS_PER_NOTE = 500;
/** A sixth of the time after which an import counts as abandoned (store/shipments/import-records.ts). */
const ALIVE_EVERY_MS = 5_000;

/** Writes how far an import is, on connections next to that of its transaction, so that others see it. */
export interface ProgressNotes {
  /** Hands on the good rows of the parts, and notes each part when its rows have been written. */
  readonly follow: (parts: AsyncIterable<ImportPart>) => AsyncIterable<readonly GoodRow[]>;
  /** Ends the notes; resolves when none is under way. */
  readonly end: () => Promise<void>;
}

/**
 * Begins to note how far an import is. One note is written at a time, and one that fails is made up for by the next: no note
 * holds the import up or ends it.
 */
export function beginProgressNotes(scope: Tenant, id: ImportId): ProgressNotes {
  let writing: Promise<void> | undefined;
  let notedRows = 0;
  const write = (work: Promise<void>) => {
    writing = work
      .catch(() => undefined)
      .finally(() => {
        writing = undefined;
      });
  };
  const note = (progress: ImportProgress) => {
    if (writing !== undefined) return;
    notedRows = progress.processedRows;
    write(noteImportProgress(scope, id, progress));
  };
  const pulse = setInterval(() => {
    if (writing === undefined) write(keepImportAlive(scope, id));
  }, ALIVE_EVERY_MS);
  return {
    follow: async function* (parts) {
      let createdRows = 0;
      for await (const { good, checkedRows, totalRows } of parts) {
        if (createdRows === 0 && notedRows === 0) note({ totalRows, processedRows: 0, createdRows: 0 });
        if (good.length > 0) yield good;
        createdRows += good.length;
        if (checkedRows - notedRows >= ROWS_PER_NOTE) {
          note({ totalRows, processedRows: checkedRows, createdRows });
        }
      }
    },
    end: async () => {
      clearInterval(pulse);
      await writing;
    },
  };
}
