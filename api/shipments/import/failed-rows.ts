import type ExcelJS from 'exceljs';
import { setImmediate } from 'node:timers/promises';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { RowViolation } from '../../../domain/import-record.ts';
import type { Cell, Sheet, SheetRow } from '../../../spreadsheet/cell.ts';
import { ERRORS_HEADER, findColumn, headerKey } from './columns.ts';
import { formatErrors } from './rows.ts';
import {
  beginSheet,
  FAULT_FILL,
  formatOf,
  NUMBER_FORMAT,
  safeText,
  TEXT_FORMAT,
  widthOf,
} from './sheet-style.ts';
import type { WrittenColumn } from './sheet-style.ts';

/** A row that was not imported. */
export interface FailedRow {
  readonly source: SheetRow;
  readonly errors: readonly RowViolation[];
}

const MESSAGE_WIDTH = 70;
/** Cells written before the event loop gets a turn: about two milliseconds. */
const CELLS_PER_TURN = 500;

/** A column of the workbook, and where its cells come from. */
interface FailedColumn extends WrittenColumn {
  readonly place: number;
}

/**
 * Makes a workbook of the rows that failed: their cells as they were sent, under the headers as they were
 * sent, with all messages of the row in a last column. Corrected, it can be sent as it is.
 *
 * @param headers of the sheet that was imported.
 * @param now written into the file as the time of its making.
 */
export async function makeFailedRows(
  headers: Sheet['headers'],
  failed: readonly FailedRow[],
  now: Date,
): Promise<Uint8Array> {
  const output = new PassThrough();
  const collected = buffer(output);
  const columns = headers
    // Messages of an earlier import are dropped: they would appear next to the new ones.
    .filter(({ text }) => headerKey(text) !== ERRORS_HEADER)
    .map(({ column: place, text }): FailedColumn => {
      const column = findColumn(text);
      return { place, header: text, width: widthOf(column ?? { header: text }), column };
    });
  const messages = { header: ERRORS_HEADER, width: MESSAGE_WIDTH };
  const { workbook, sheet } = beginSheet(output, 'Failed rows', [...columns, messages], now);
  const rowsPerTurn = Math.max(1, Math.floor(CELLS_PER_TURN / (columns.length + 1)));
  for (const [index, row] of failed.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await setImmediate();
    writeRow(sheet.getRow(index + 2), columns, row);
  }
  sheet.commit();
  await workbook.commit();
  return new Uint8Array(await collected);
}

function writeRow(row: ExcelJS.Row, columns: readonly FailedColumn[], { source, errors }: FailedRow): void {
  const faulty = new Set(errors.map(({ column }) => column));
  for (const [index, { place, column }] of columns.entries()) {
    const target = row.getCell(index + 1);
    const cell = source.cells.get(place);
    if (cell !== undefined)
      writeCell(target, cell, column === undefined ? NUMBER_FORMAT : formatOf(column.kind));
    if (column && faulty.has(column.header)) target.fill = FAULT_FILL;
  }
  const message = row.getCell(columns.length + 1);
  message.value = safeText(formatErrors(errors));
  message.numFmt = TEXT_FORMAT;
  message.alignment = { wrapText: true, vertical: 'top' };
  row.commit();
}

function writeCell(target: ExcelJS.Cell, cell: Cell, format: string): void {
  if (typeof cell === 'string') {
    target.value = safeText(cell);
    target.numFmt = TEXT_FORMAT;
  } else if (typeof cell !== 'object') {
    target.value = cell;
    target.numFmt = format;
  } else if ('date' in cell) {
    target.value = new Date(`${cell.date}Z`);
    target.numFmt = 'yyyy-mm-dd hh:mm';
  } else {
    const error = SPREADSHEET_ERRORS.find((known) => known === cell.error);
    if (error !== undefined) target.value = { error };
  }
}

/** As error values they fail again when sent again; as text they would be taken for a name or a street. */
const SPREADSHEET_ERRORS = ['#N/A', '#REF!', '#NAME?', '#DIV/0!', '#NULL!', '#VALUE!', '#NUM!'] as const;
