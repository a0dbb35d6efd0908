import type { GoodRow, ImportContext } from './check-rows.ts';
import type { WorkbookProblem } from '../../../spreadsheet/workbook-error.ts';

/** What the import process is asked: the file, and what its rows are checked against. */
export interface ImportRequest {
  readonly file: Uint8Array;
  readonly context: ImportContext;
}

/** What the import process posts for each file: any number of `good`, then one of the others. */
export type ImportMessage =
  | { readonly kind: 'good'; readonly rows: readonly GoodRow[] }
  | { readonly kind: 'end'; readonly end: ImportEnd }
  | { readonly kind: 'refused'; readonly problem: WorkbookProblem }
  /** The reader itself is broken: for the log, not for the caller. */
  | { readonly kind: 'failed'; readonly stack: string };

/** The result of an import, without its valid rows. */
export interface ImportEnd {
  readonly failed: readonly { readonly row: number; readonly message: string }[];
  /** The failed rows with their messages as a workbook; null where none failed. */
  readonly failedRows: Uint8Array | null;
  readonly warnings: readonly string[];
}
