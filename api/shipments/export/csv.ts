import { Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { exportColumns } from './export-row.ts';
import type { ExportColumn, ExportRow } from './export-row.ts';

export interface CsvOptions {
  /** Begins with a byte order mark, by which Excel knows UTF-8. True by default. */
  readonly byteOrderMark?: boolean;
}

/** Rows per chunk: one by one, the stream would cost more than the text. */
const ROWS_PER_CHUNK = 100;
const LINE_END = '\r\n';
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Writes shipments as CSV (RFC 4180, UTF-8) at the reader's pace and ends the output. Text that a
 * spreadsheet program would take for a formula gets an apostrophe, which import takes away again.
 *
 * Rejects when the rows or the output fail, or the output closes early; the other one is destroyed then.
 */
export async function exportShipmentsCsv(
  rows: AsyncIterable<ExportRow>,
  output: Writable,
  { byteOrderMark = true }: CsvOptions = {},
): Promise<void> {
  await pipeline(
    Readable.from(csvChunks(rows, byteOrderMark), { objectMode: true, highWaterMark: 2 }),
    output,
  );
}

async function* csvChunks(rows: AsyncIterable<ExportRow>, byteOrderMark: boolean): AsyncGenerator<string> {
  const columns = exportColumns();
  const header = columns.map((column) => column.header).join(',') + LINE_END;
  let chunk = byteOrderMark ? BYTE_ORDER_MARK + header : header;
  let count = 0;
  for await (const row of rows) {
    chunk += columns.map((column) => field(column, row)).join(',') + LINE_END;
    count += 1;
    if (count % ROWS_PER_CHUNK !== 0) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function field(column: ExportColumn, row: ExportRow): string {
  const value = column.read(row);
  // A negative longitude is a number, not a formula.
  const text = column.kind === 'text' && /^[=+\-@\t\r]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
