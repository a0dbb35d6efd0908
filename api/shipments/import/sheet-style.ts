import ExcelJS from 'exceljs';
import type { Writable } from 'node:stream';

import type { CellKind } from './cell-values.ts';
import type { Column } from './columns.ts';

const REQUIRED_FILL = solid('FF1F4E79');
const OPTIONAL_FILL = solid('FF41719C');
const ADDED_FILL = solid('FF7F7F7F');
/** Of the cells at fault, and of the template's example row. */
export const FAULT_FILL = solid('FFFDE2E0');
export const EXAMPLE_FILL = solid('FFF7F7F7');
const HEADER_FONT = { name: 'Calibri', size: 11, bold: true, color: { argb: 'FFFFFFFF' } };
const HEADER_ALIGNMENT = { horizontal: 'left', vertical: 'middle', wrapText: true, indent: 1 } as const;
export const HEADER_HEIGHT = 30;
/** Keeps the header in sight while scrolling. */
export const FROZEN_HEADER: Partial<ExcelJS.WorksheetView> = { state: 'frozen', ySplit: 1, activeCell: 'A2' };

/** The formats of cells. Text keeps leading zeros and the plus sign; General would lose them. */
export const TEXT_FORMAT = '@';
export const AMOUNT_FORMAT = '0.00';
export const NUMBER_FORMAT = 'General';

/** The format of a column's cells. */
export function formatOf(kind: CellKind): string {
  if (kind === 'money') return AMOUNT_FORMAT;
  return kind === 'decimal' ? NUMBER_FORMAT : TEXT_FORMAT;
}

/** The width of a column in characters: its header and its example fit in. */
export function widthOf({ header, example = '' }: Pick<Column, 'header'> & Partial<Column>): number {
  return Math.max(14, header.length + 5, String(example).length + 4);
}

/** Names the maker of a workbook, and the time of its making. */
export function signWorkbook(workbook: ExcelJS.Workbook, now: Date): void {
  workbook.creator = 'Shipment delivery service';
  workbook.created = now;
  workbook.modified = now;
}

/** A column of a workbook that is written row by row. */
export interface WrittenColumn {
  readonly header: string;
  readonly width: number;
  /** Of all its cells; by default each cell has its own. */
  readonly format?: string;
  /** The column of the table that it shows; undefined for one that the export or the failed rows add. */
  readonly column?: Column | undefined;
}

/** Begins a workbook with one sheet that is written to `output` row by row; its header is written. */
export function beginSheet(
  output: Writable,
  name: string,
  columns: readonly WrittenColumn[],
  now: Date,
): { readonly workbook: ExcelJS.stream.xlsx.WorkbookWriter; readonly sheet: ExcelJS.Worksheet } {
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream: output,
    useStyles: true,
    useSharedStrings: false,
  });
  signWorkbook(workbook, now);
  const sheet = workbook.addWorksheet(name, { views: [FROZEN_HEADER] });
  sheet.columns = columns.map(({ width, format }) =>
    format === undefined ? { width } : { width, style: { numFmt: format } },
  );
  const row = sheet.getRow(1);
  row.height = HEADER_HEIGHT;
  for (const [index, { header, column }] of columns.entries()) {
    row.getCell(index + 1).value = safeText(header);
    styleHeader(row.getCell(index + 1), column);
  }
  row.commit();
  return { workbook, sheet };
}

/** Gives a header cell its colours: required columns are darker than the others. */
export function styleHeader(cell: ExcelJS.Cell, column: Column | undefined): void {
  const fill = column === undefined ? ADDED_FILL : OPTIONAL_FILL;
  cell.fill = column?.required ? REQUIRED_FILL : fill;
  cell.font = HEADER_FONT;
  cell.alignment = HEADER_ALIGNMENT;
}

/**
 * Escapes what a spreadsheet program would undo in text, and what XML cannot hold or would change: control characters and
 * carriage returns (`_x0041_`, ECMA-376 part 1 §22.4.2.4).
 */
export function safeText(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}(?:_|[^\P{Cc}\t\n]|[\ufffe\uffff]))/gu, '_x005F_')
    .replace(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}

function solid(argb: string): ExcelJS.FillPattern {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb } };
}
