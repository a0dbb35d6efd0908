import type ExcelJS from 'exceljs';

import { COLUMNS } from './columns.ts';
import type { CellKind, Column } from './column.ts';

/** How the workbooks that we make look: import template, failed rows and export alike. */
export const SHEET_STYLE = {
  creator: 'Shipment delivery service',
  requiredFill: solid('FF1F4E79'),
  optionalFill: solid('FF41719C'),
  addedFill: solid('FF7F7F7F'),
  faultFill: solid('FFFDE2E0'),
  exampleFill: solid('FFF7F7F7'),
  headerFont: { name: 'Calibri', size: 11, bold: true, color: { argb: 'FFFFFFFF' } },
  headerAlignment: { horizontal: 'left', vertical: 'middle', wrapText: true, indent: 1 },
  headerHeight: 30,
  messageWidth: 70,
  textFormat: '@',
} as const;

/** Keeps the header in sight while scrolling. */
export const FROZEN_HEADER: Partial<ExcelJS.WorksheetView> = { state: 'frozen', ySplit: 1, activeCell: 'A2' };

/** The format of a column's cells. Text keeps leading zeros and the plus sign; General would lose them. */
export function numberFormat(kind: CellKind): string {
  if (kind === 'money') return '0.00';
  return kind === 'decimal' ? 'General' : SHEET_STYLE.textFormat;
}

/** The table's column of that header; undefined for a header that the export or the failed rows add. */
export function findCanonicalColumn(header: string): Column | undefined {
  return COLUMNS.find((column) => column.header === header);
}

/** Gives a header cell its colours: required columns are darker than the others. */
export function styleHeader(cell: ExcelJS.Cell, column: Column | undefined): void {
  const optional = column === undefined ? SHEET_STYLE.addedFill : SHEET_STYLE.optionalFill;
  cell.fill = column?.required === true ? SHEET_STYLE.requiredFill : optional;
  cell.font = SHEET_STYLE.headerFont;
  cell.alignment = SHEET_STYLE.headerAlignment;
}

/**
 * Escapes what a spreadsheet program would undo in text (`_x0041_`, ECMA-376 part 1 §22.4.2.4) and drops
 * the characters that XML cannot hold.
 */
export function safeText(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/gu, '_x005F_')
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (character) => ('\t\n\r'.includes(character) ? character : ''));
}

function solid(argb: string): ExcelJS.FillPattern {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb } };
}
