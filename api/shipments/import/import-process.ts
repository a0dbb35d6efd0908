import { setImmediate } from 'node:timers/promises';
import { connectToParent } from '../../../platform/forked-module.ts';
import { checkRows } from './check-rows.ts';
import { makeFailedRows } from './failed-rows.ts';
import type { FailedRow } from './failed-rows.ts';
import type { ImportEnd, ImportMessage, ImportRequest } from './import-message.ts';
import { readSheet } from './read-sheet.ts';
import { WorkbookError } from '../../../spreadsheet/workbook-error.ts';
import { formatErrors, warnOfUnknownHeaders } from './rows.ts';

/** The entry of the import process: each request is a file, answered by its checked rows, in parts. */
const post = connectToParent();
if (post !== undefined) process.on('message', (request: ImportRequest) => void answer(request, post));

async function answer(request: ImportRequest, send: (message: ImportMessage) => void): Promise<void> {
  try {
    send({ kind: 'end', end: await readImport(request, send) });
  } catch (error) {
    if (error instanceof WorkbookError) send({ kind: 'refused', problem: error.problem });
    else
      send({
        kind: 'failed',
        stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
  }
}

async function readImport(
  { file, context }: ImportRequest,
  send: (message: ImportMessage) => void,
): Promise<ImportEnd> {
  const sheet = await readSheet(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const failed: FailedRow[] = [];
  for (const part of checkRows(sheet, context)) {
    if (part.good.length > 0) send({ kind: 'good', rows: part.good });
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
