import { setImmediate } from 'node:timers/promises';
import { serveParent } from '../../../platform/forked-module.ts';
import { checkRows } from './check-rows.ts';
import type { GoodRow, ImportContext } from './check-rows.ts';
import { makeFailedRows } from './failed-rows.ts';
import type { FailedRow } from './failed-rows.ts';
import { readSheet } from './read-sheet.ts';
import { WorkbookError } from '../../../spreadsheet/workbook-error.ts';
import type { WorkbookProblem } from '../../../spreadsheet/workbook-error.ts';
import { formatErrors, warnOfUnknownHeaders } from './rows.ts';

/** What the import process is asked: the file, and what its rows are checked against. */
export interface ImportRequest {
  readonly file: Uint8Array;
  readonly context: ImportContext;
}

/** The result of an import, without its valid rows. */
export interface ImportEnd {
  readonly failed: readonly { readonly row: number; readonly message: string }[];
  /** The failed rows with their messages as a workbook; null where none failed. */
  readonly failedRows: Uint8Array | null;
  readonly warnings: readonly string[];
}

/** Either the end of an import, or why the whole file is rejected. */
export type ImportAnswer = { readonly end: ImportEnd } | { readonly problem: WorkbookProblem };

serveParent(
  async (request: ImportRequest, post: (rows: readonly GoodRow[]) => void): Promise<ImportAnswer> => {
    try {
      return { end: await readImport(request, post) };
    } catch (error) {
      if (error instanceof WorkbookError) return { problem: error.problem };
      throw error;
    }
  },
);

async function readImport(
  { file, context }: ImportRequest,
  post: (rows: readonly GoodRow[]) => void,
): Promise<ImportEnd> {
  const sheet = await readSheet(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const failed: FailedRow[] = [];
  for (const part of checkRows(sheet, context)) {
    if (part.good.length > 0) post(part.good);
    failed.push(...part.failed);
    // A turn of the event loop: these rows leave before the next are checked.
    await setImmediate();
  }
  return {
    failed: failed.map(({ source, errors }) => ({ row: source.row, message: formatErrors(errors) })),
    failedRows: failed.length === 0 ? null : await makeFailedRows(sheet.headers, failed, context.now),
    warnings: [...sheet.warnings, ...warnOfUnknownHeaders(sheet.headers)],
  };
}
