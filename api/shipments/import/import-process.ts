import { setImmediate } from 'node:timers/promises';
import type { ImportRowError } from '../../../domain/import-record.ts';
import type { Said } from '../../../domain/messages.ts';
import { serveParent } from '../../../platform/forked-module.ts';
import { checkRows } from './check-rows.ts';
import type { GoodRow, ImportContext } from './check-rows.ts';
import { makeFailedRows } from './failed-rows.ts';
import type { FailedRow } from './failed-rows.ts';
import { previewSheet } from './preview.ts';
import type { SheetPreview } from './preview.ts';
import { readSheet } from './read-sheet.ts';
import type { Sheet } from '../../../spreadsheet/cell.ts';
import { WorkbookError } from '../../../spreadsheet/workbook-error.ts';
import type { WorkbookProblem } from '../../../spreadsheet/workbook-error.ts';
import { rowError, warnOfUnknownHeaders } from './rows.ts';

/** What the import process is asked: the file, what its rows are checked against, and whether they are only looked at. */
export interface ImportRequest {
  readonly file: Uint8Array;
  readonly context: ImportContext;
  readonly isPreview: boolean;
}

/** Some rows of an import that have been checked. */
export interface ImportPart {
  readonly good: readonly GoodRow[];
  /** Rows of the sheet that are checked so far, failed ones too. */
  readonly checkedRows: number;
  /** All rows of the sheet. */
  readonly totalRows: number;
}

/** The result of an import, without its valid rows. */
export interface ImportEnd {
  readonly failed: readonly ImportRowError[];
  /** The failed rows with their messages as a workbook; null where none failed. */
  readonly failedRows: Uint8Array | null;
  readonly warnings: readonly Said[];
}

/** Either the end of an import, or a preview, or why the whole file is rejected. */
export type ImportAnswer =
  { readonly end: ImportEnd } | { readonly preview: SheetPreview } | { readonly problem: WorkbookProblem };

serveParent(async (request: ImportRequest, post: (part: ImportPart) => void): Promise<ImportAnswer> => {
  try {
    const sheet = await readSheet(bufferOf(request));
    if (request.isPreview) return { preview: await previewSheet(sheet, request.context) };
    return { end: await readImport(sheet, request.context, post) };
  } catch (error) {
    if (error instanceof WorkbookError) return { problem: error.problem };
    throw error;
  }
});

function bufferOf({ file }: ImportRequest): Buffer {
  return Buffer.from(file.buffer, file.byteOffset, file.byteLength);
}

async function readImport(
  sheet: Sheet,
  context: ImportContext,
  post: (part: ImportPart) => void,
): Promise<ImportEnd> {
  const failed: FailedRow[] = [];
  let checkedRows = 0;
  for (const { good, failed: failedHere } of checkRows(sheet, context)) {
    checkedRows += good.length + failedHere.length;
    post({ good, checkedRows, totalRows: sheet.rows.length });
    failed.push(...failedHere);
    // A turn of the event loop: these rows leave before the next are checked.
    await setImmediate();
  }
  return {
    failed: failed.map(({ source, errors }, index) => rowError(source.row, errors, index)),
    failedRows: failed.length === 0 ? null : await makeFailedRows(sheet.headers, failed, context.now),
    warnings: [...sheet.warnings, ...warnOfUnknownHeaders(sheet.headers)],
  };
}
