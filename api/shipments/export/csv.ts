import { stringify } from 'csv-stringify';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { exportColumns } from './export-row.ts';
import type { ExportColumn, ExportRow } from './export-row.ts';

export interface CsvOptions {
  /** Begins with a byte order mark, by which Excel knows UTF-8. True by default. */
  readonly byteOrderMark?: boolean;
}

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
  const columns = exportColumns();
  const writer = stringify({
    bom: byteOrderMark,
    header: true,
    columns: columns.map(({ header }) => header),
    record_delimiter: 'windows',
    escape_formulas: true,
    // By itself csv-stringify quotes a line break only where it is the record delimiter.
    quoted_match: /[\r\n]/u,
  });
  await pipeline(recordsOf(rows, columns), writer, output);
}

async function* recordsOf(
  rows: AsyncIterable<ExportRow>,
  columns: readonly ExportColumn[],
): AsyncGenerator<(string | number)[]> {
  for await (const row of rows) yield columns.map((column) => fieldOf(column, row));
}

/** A number is not a formula, even with a minus sign in front: a longitude, for example. */
function fieldOf({ kind, read }: ExportColumn, row: ExportRow): string | number {
  const text = read(row);
  return kind === 'number' && text !== '' ? Number(text) : text;
}
