import type ExcelJS from 'exceljs';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { MAX_CELL_LENGTH } from '../../../spreadsheet/limits.ts';
import { beginSheet, safeText, TEXT_FORMAT } from '../import/sheet-style.ts';
import { EXPORT_COLUMNS } from './export-row.ts';
import type { ExportRow } from './export-row.ts';

/** Rows written before the event loop gets a turn and the packer's backlog is looked at. */
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
    const backlog = packerInput(sheet);
    let number = 1;
    for await (const row of rows) {
      number += 1;
      writeRow(sheet.getRow(number), row);
      if (number % ROWS_PER_TURN === 0) await drained(backlog, closed.signal);
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

/**
 * The stream through which exceljs hands a sheet to its ZIP packer. exceljs never waits for it, so that a
 * slow reader would fill the memory with rows; it is not part of its interface and looked for with care.
 */
function packerInput(sheet: ExcelJS.Worksheet): Writable | undefined {
  const stream: unknown = Reflect.get(sheet, 'stream');
  if (typeof stream !== 'object' || stream === null) return undefined;
  const pipes: unknown = Reflect.get(stream, 'pipes');
  const first: unknown = Array.isArray(pipes) ? pipes[0] : undefined;
  return isWritable(first) ? first : undefined;
}

/** The packer brings streams of its own package, which are not instances of Node's. */
function isWritable(value: unknown): value is Writable {
  return typeof value === 'object' && value !== null && 'writableLength' in value && 'once' in value;
}

async function drained(backlog: Writable | undefined, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await setImmediate();
  while (backlog !== undefined && backlog.writableLength > backlog.writableHighWaterMark) {
    await once(backlog, 'drain', { signal });
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}
