import ExcelJS from 'exceljs';

import type { Cell } from './cell.ts';
import { columnName } from './references.ts';
import type { RawCell, RawRow } from './sheet.ts';
import { storedZip } from './stored-zip.ts';

/** Nothing of these is in a slice; the list keeps exceljs from looking. */
const IGNORED_NODES = [
  'mergeCells',
  'dataValidations',
  'conditionalFormatting',
  'hyperlinks',
  'drawing',
  'tableParts',
];

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const STYLES =
  `<styleSheet xmlns="${MAIN}"><cellXfs count="2"><xf numFmtId="0"/>` +
  '<xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>';
const SHEET_RELATIONSHIPS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  `<Relationship Id="rId1" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`;

/** The values of a row by column number, from 1. */
export interface ReadCells {
  readonly row: number;
  readonly cells: ReadonlyMap<number, Cell>;
}

/**
 * Lets exceljs read some rows: they are put into a workbook of the plainest kind, so that neither the
 * file's peculiarities nor its size reach exceljs (docs/import.md «How a file is read»). Text and plain numbers pass
 * by: there is nothing left to interpret in them, and they are most of what dispatchers send.
 */
export async function readCells(
  rows: readonly RawRow[],
  countsFrom1904: boolean,
): Promise<readonly ReadCells[]> {
  const sheet = await readByExceljs(
    rows.map(({ cells }) => cells.filter(isMeaningful)),
    countsFrom1904,
  );
  return rows.map(({ row, cells }, index) => {
    const read = sheet?.findRow(index + 1);
    const values = new Map<number, Cell>();
    for (const cell of cells) {
      const value = isMeaningful(cell) ? cellOf(read?.findCell(cell.column)?.value) : plainValue(cell);
      values.set(cell.column, value);
    }
    return { row, cells: values };
  });
}

/** A cell whose value depends on what a spreadsheet means by it. */
type MeaningfulCell = RawCell & { readonly type: 'date' | 'boolean' | 'error' };

function isMeaningful(cell: RawCell): cell is MeaningfulCell {
  return cell.type !== 'text' && cell.type !== 'number';
}

function plainValue({ type, value }: RawCell): string | number {
  return type === 'number' ? Number(value) : value;
}

async function readByExceljs(
  rows: readonly (readonly MeaningfulCell[])[],
  countsFrom1904: boolean,
): Promise<ExcelJS.Worksheet | undefined> {
  if (rows.every((cells) => cells.length === 0)) return undefined;
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(plainWorkbook(rows, countsFrom1904), { ignoreNodes: IGNORED_NODES });
  return workbook.worksheets[0];
}

function cellOf(value: ExcelJS.CellValue | undefined): Cell {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Date) return { date: wallClock(value) };
  if (typeof value === 'object' && value !== null && 'error' in value) return { error: value.error };
  throw new TypeError('exceljs lost a cell');
}

/** exceljs gives the wall clock as if it were UTC. Serial numbers hold seconds, with some noise. */
function wallClock(date: Date): string {
  return new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(0, 19);
}

function plainWorkbook(rows: readonly (readonly MeaningfulCell[])[], countsFrom1904: boolean): ArrayBuffer {
  const workbook =
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><workbookPr date1904="${countsFrom1904 ? 1 : 0}"/>` +
    '<sheets><sheet name="shipments" sheetId="1" r:id="rId1"/></sheets></workbook>';
  const data = rows.map((cells, index) => rowXml(index + 1, cells)).join('');
  return storedZip({
    'xl/workbook.xml': workbook,
    'xl/_rels/workbook.xml.rels': SHEET_RELATIONSHIPS,
    'xl/styles.xml': STYLES,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`,
  });
}

function rowXml(number: number, cells: readonly MeaningfulCell[]): string {
  return `<row r="${number}">${cells.map((cell) => cellXml(number, cell)).join('')}</row>`;
}

function cellXml(row: number, { column, type, value }: MeaningfulCell): string {
  const content = `<v>${type === 'error' ? escapeXml(value) : value}</v>`;
  return `<c r="${columnName(column)}${row}"${CELL_ATTRIBUTES[type]}>${content}</c>`;
}

const CELL_ATTRIBUTES = { date: ' s="1"', boolean: ' t="b"', error: ' t="e"' };

function escapeXml(text: string): string {
  if (!/[&<>\r]/u.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}
