import { stringify } from 'csv-stringify';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { escapeFormulas } from '../../../spreadsheet/formula-text.ts';
import { NUMBER_FORMAT } from '../import/sheet-style.ts';
import { EXPORT_COLUMNS } from './export-row.ts';
import type { ExportColumn, ExportRow } from './export-row.ts';

/**
 * Writes shipments as CSV (RFC 4180, UTF-8) at the reader's pace and ends the output. Text that a spreadsheet
 * program would take for a formula gets an apostrophe (decision 0028), phone numbers too.
 *
 * Rejects when the rows or the output fail, or the output closes early; the other one is destroyed then.
 */
export async function exportShipmentsCsv(rows: AsyncIterable<ExportRow>, output: Writable): Promise<void> {
  const writer = stringify({
    // By a byte order mark Excel knows UTF-8.
    bom: true,
    header: true,
    columns: EXPORT_COLUMNS.map(({ header }) => header),
    record_delimiter: 'windows',
    // By itself csv-stringify quotes a line break only where it is the record delimiter.
    quoted_match: /[\r\n]/u,
  });
  await pipeline(recordsOf(rows), writer, output);
}

async function* recordsOf(rows: AsyncIterable<ExportRow>): AsyncGenerator<(string | number)[]> {
  for await (const row of rows) yield EXPORT_COLUMNS.map((column) => fieldOf(column, row));
}

/** A number is not a formula, even with a minus sign in front: a longitude, for example. */
function fieldOf({ format, read }: ExportColumn, row: ExportRow): string | number {
  const text = read(row);
  return format === NUMBER_FORMAT && text !== '' ? Number(text) : escapeFormulas(text);
}
