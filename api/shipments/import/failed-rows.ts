import ExcelJS from 'exceljs';
import { setImmediate } from 'node:timers/promises';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { columnFinder, headerKey } from './headers.ts';
import type { Cell, Sheet, SheetRow } from '../../../spreadsheet/cell.ts';
import type { Column } from './column.ts';
import { formatErrors } from './rows.ts';
import type { ColumnError } from './rows.ts';
import { styleHeader, FROZEN_HEADER, numberFormat, safeText, SHEET_STYLE } from './sheet-style.ts';

/** A row that was not imported. */
export interface FailedRow {
  readonly source: SheetRow;
  readonly errors: readonly ColumnError[];
}

/** The header of the messages; import leaves this column alone. */
export const ERRORS_HEADER = 'errors';

/** Cells written before the event loop gets a turn: about two milliseconds. */
const CELLS_PER_TURN = 500;

/** A column of the workbook: where its cells come from and what it means. */
interface FailedColumn {
  readonly place: number;
  readonly text: string;
  readonly column: Column | undefined;
}

/**
 * Makes a workbook of the rows that failed: their cells as they were sent, under the headers as they were
 * sent, with all messages of the row in a last column. Mended, it can be sent as it is.
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
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream: output,
    useStyles: true,
    useSharedStrings: false,
  });
  workbook.creator = SHEET_STYLE.creator;
  workbook.created = now;
  workbook.modified = now;
  const sheet = workbook.addWorksheet('Failed rows', { views: [FROZEN_HEADER] });
  const columns = failedColumns(headers);
  writeHeader(sheet, columns);
  const rowsPerTurn = Math.max(1, Math.floor(CELLS_PER_TURN / (columns.length + 1)));
  for (const [index, row] of failed.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await setImmediate();
    writeRow(sheet, columns, index + 2, row);
  }
  sheet.commit();
  await workbook.commit();
  return new Uint8Array(await collected);
}

/** Messages of an earlier import are dropped: they would appear next to the new ones. */
function failedColumns(headers: Sheet['headers']): readonly FailedColumn[] {
  const findColumn = columnFinder();
  return headers
    .filter(({ text }) => headerKey(text) !== ERRORS_HEADER)
    .map(({ column: place, text }) => ({ place, text, column: findColumn(text) }));
}

function writeHeader(sheet: ExcelJS.Worksheet, columns: readonly FailedColumn[]): void {
  sheet.columns = [
    ...columns.map(({ text, column }) => ({ width: column?.width ?? Math.max(14, text.length + 2) })),
    { width: SHEET_STYLE.messageWidth },
  ];
  const header = sheet.getRow(1);
  header.height = SHEET_STYLE.headerHeight;
  for (const [index, { text, column }] of columns.entries()) {
    header.getCell(index + 1).value = safeText(text);
    styleHeader(header.getCell(index + 1), column);
  }
  const last = header.getCell(columns.length + 1);
  last.value = ERRORS_HEADER;
  styleHeader(last, undefined);
  header.commit();
}

function writeRow(
  sheet: ExcelJS.Worksheet,
  columns: readonly FailedColumn[],
  number: number,
  failed: FailedRow,
): void {
  const row = sheet.getRow(number);
  const faulty = new Set(failed.errors.map(({ column }) => column));
  for (const [index, { place, column }] of columns.entries()) {
    const target = row.getCell(index + 1);
    const cell = failed.source.cells.get(place);
    if (cell !== undefined) writeCell(target, cell, column);
    if (column && faulty.has(column.header)) target.fill = SHEET_STYLE.faultFill;
  }
  const message = row.getCell(columns.length + 1);
  message.value = safeText(formatErrors(failed.errors));
  message.numFmt = SHEET_STYLE.textFormat;
  message.alignment = { wrapText: true, vertical: 'top' };
  row.commit();
}

function writeCell(target: ExcelJS.Cell, cell: Cell, column: Column | undefined): void {
  if (typeof cell === 'string') {
    target.value = safeText(cell);
    target.numFmt = SHEET_STYLE.textFormat;
    return;
  }
  if (typeof cell !== 'object') {
    target.value = cell;
    target.numFmt = column === undefined ? 'General' : numberFormat(column.kind);
    return;
  }
  if ('date' in cell) {
    target.value = new Date(`${cell.date}Z`);
    target.numFmt = 'yyyy-mm-dd hh:mm';
    return;
  }
  const error = SPREADSHEET_ERRORS.find((known) => known === cell.error);
  if (error !== undefined) target.value = { error };
}

/** As error values they fail again when sent again; as text they would be taken for a name or a street. */
const SPREADSHEET_ERRORS = ['#N/A', '#REF!', '#NAME?', '#DIV/0!', '#NULL!', '#VALUE!', '#NUM!'] as const;
