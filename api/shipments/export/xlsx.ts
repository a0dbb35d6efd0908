import type ExcelJS from 'exceljs';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { MAX_CELL_LENGTH } from '../../../spreadsheet/limits.ts';
import { beginSheet, safeText, TEXT_FORMAT } from '../import/sheet-style.ts';
import { EXPORT_COLUMNS } from './export-row.ts';
import type { ExportRow } from './export-row.ts';

/** Rows written before the event loop gets a turn and a slow output is waited for. */
const ROWS_PER_TURN = 25;

/**
 * Writes shipments as XLSX, row by row at the reader's pace, and ends the output. Text is typed as text and
 * can't become a formula; amounts and weights are numbers.
 *
 * Rejects when the rows or the output fail, or the output closes early; the output is destroyed then.
 */
export async function exportShipmentsXlsx(
  rows: AsyncIterable<ExportRow>,
  output: Writable,
  now: Date,
): Promise<void> {
  const closed = new AbortController();
  const stop = (): void => closed.abort(new Error('the client of the export disconnected'));
  output.once('close', stop);
  output.once('error', stop);
  try {
    const { workbook, sheet } = beginSheet(output, 'Shipments', EXPORT_COLUMNS, now);
    sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: EXPORT_COLUMNS.length } };
    let number = 1;
    for await (const row of rows) {
      number += 1;
      writeRow(sheet.getRow(number), row);
      if (number % ROWS_PER_TURN === 0) await drained(output, closed.signal);
    }
    sheet.commit();
    await Promise.race([workbook.commit(), aborted(closed.signal)]);
  } catch (error) {
    output.destroy();
    throw error;
  } finally {
    output.off('close', stop).off('error', stop);
  }
}

function writeRow(row: ExcelJS.Row, shipment: ExportRow): void {
  for (const [index, { format, read }] of EXPORT_COLUMNS.entries()) {
    const text = read(shipment);
    if (text === '') continue;
    row.getCell(index + 1).value =
      format === TEXT_FORMAT ? safeText(text).slice(0, MAX_CELL_LENGTH) : Number(text);
  }
  row.commit();
}

/** exceljs never waits for the output, so that a slow reader would fill the memory with rows: this does. */
async function drained(output: Writable, signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
  if (output.writableNeedDrain) await once(output, 'drain', { signal });
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}
