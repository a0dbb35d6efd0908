import ExcelJS from 'exceljs';

import type { Cell } from '../cell.ts';
import type { PostedRow } from '../reading-message.ts';
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

/**
 * Lets exceljs read some rows: they are put into a workbook of the plainest kind, so that neither the
 * file's peculiarities nor its size reach exceljs (docs/import.md, «How a file is read»). Text passes by:
 * there is nothing left to interpret in it, and it is most of what dispatchers send.
 */
export async function readCells(
  rows: readonly RawRow[],
  countsFrom1904: boolean,
): Promise<readonly PostedRow[]> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(plainWorkbook(rows, countsFrom1904), { ignoreNodes: IGNORED_NODES });
  const sheet = workbook.worksheets[0];
  return rows.map(({ row, hidden, cells }, index) => {
    const read = sheet?.findRow(index + 1);
    const values = cells.map(({ column, type, value }) => {
      return type === 'text' ? value : cellOf(read?.findCell(column)?.value);
    });
    return { row, hidden, columns: cells.map(({ column }) => column), values };
  });
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

function plainWorkbook(rows: readonly RawRow[], countsFrom1904: boolean): ArrayBuffer {
  const workbook =
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><workbookPr date1904="${countsFrom1904 ? 1 : 0}"/>` +
    '<sheets><sheet name="shipments" sheetId="1" r:id="rId1"/></sheets></workbook>';
  const data = rows.map((row, index) => rowXml(index + 1, row)).join('');
  return storedZip({
    'xl/workbook.xml': workbook,
    'xl/_rels/workbook.xml.rels': SHEET_RELATIONSHIPS,
    'xl/styles.xml': STYLES,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`,
  });
}

function rowXml(number: number, row: RawRow): string {
  return `<row r="${number}">${row.cells.map((cell) => cellXml(number, cell)).join('')}</row>`;
}

function cellXml(row: number, { column, type, value }: RawCell): string {
  if (type === 'text') return '';
  const content = `<v>${type === 'error' ? escapeXml(value) : value}</v>`;
  return `<c r="${columnName(column)}${row}"${CELL_ATTRIBUTES[type]}>${content}</c>`;
}

const CELL_ATTRIBUTES = { number: '', date: ' s="1"', boolean: ' t="b"', error: ' t="e"' };

function escapeXml(text: string): string {
  if (!/[&<>\r]/u.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}
