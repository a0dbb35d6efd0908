import ExcelJS from 'exceljs';

import { COLUMNS } from './columns.ts';
import type { Column } from './columns.ts';
import { columnName } from '../../../spreadsheet/references.ts';
import {
  EXAMPLE_FILL,
  formatOf,
  FROZEN_HEADER,
  HEADER_HEIGHT,
  signWorkbook,
  styleHeader,
  widthOf,
} from './sheet-style.ts';

/** Rows that get the lists; the formats hold for whole columns. */
const PREPARED_ROWS = 1000;

/**
 * Makes the template for `POST /shipments/import` (interpretation 34): a header with notes, an example row and
 * a list of the allowed words on each enumeration. Its content never changes between two releases.
 *
 * @param now written into the file as the time of its making.
 */
export async function makeTemplate(now: Date): Promise<Uint8Array> {
  const workbook = new ExcelJS.Workbook();
  signWorkbook(workbook, now);
  const sheet = workbook.addWorksheet('Shipments', { views: [FROZEN_HEADER] });
  sheet.columns = COLUMNS.map((column) => ({ header: column.header, width: widthOf(column) }));
  sheet.getRow(1).height = HEADER_HEIGHT;
  for (const [index, column] of COLUMNS.entries()) fillColumn(sheet, index + 1, column);
  sheet.pageSetup = { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 };
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

function fillColumn(sheet: ExcelJS.Worksheet, index: number, column: Column): void {
  const format = formatOf(column.kind);
  sheet.getColumn(index).numFmt = format;
  const header = sheet.getCell(1, index);
  styleHeader(header, column);
  header.note = noteOf(column);
  const example = sheet.getCell(2, index);
  example.numFmt = format;
  example.fill = EXAMPLE_FILL;
  if (column.example !== '') example.value = column.example;
  const validation = validationOf(column);
  const letters = columnName(index);
  if (validation) addValidation(sheet, `${letters}2:${letters}${PREPARED_ROWS + 1}`, validation);
}

/**
 * Puts one rule on a range. exceljs has this but leaves it out of its types; cell by cell it would write
 * the rule twice, on overlapping ranges.
 */
function addValidation(sheet: ExcelJS.Worksheet, range: string, validation: ExcelJS.DataValidation): void {
  const validations: unknown = Reflect.get(sheet, 'dataValidations');
  if (typeof validations !== 'object' || validations === null)
    throw new TypeError('exceljs has no validations');
  const add: unknown = Reflect.get(validations, 'add');
  if (typeof add !== 'function') throw new TypeError('exceljs has no way to add a validation');
  Reflect.apply(add, validations, [range, validation]);
}

function noteOf(column: Column): ExcelJS.Comment {
  const words =
    column.words === undefined ? '' : `\nAllowed: ${column.words.join(column.kind === 'list' ? '; ' : ', ')}`;
  const aliases = column.aliases.slice(0, 4).join(', ');
  return {
    texts: [
      { font: { bold: true, size: 10 }, text: column.required ? 'Required\n' : 'Optional\n' },
      { font: { size: 10 }, text: `${sentence(column.hint)}${words}\nOther headers: ${aliases}` },
    ],
    margins: { insetmode: 'auto' },
  };
}

function validationOf(column: Column): ExcelJS.DataValidation | undefined {
  if (column.words === undefined) return undefined;
  const isList = column.kind === 'list';
  return {
    type: 'list',
    allowBlank: true,
    formulae: [`"${column.words.join(',')}"`],
    showInputMessage: true,
    promptTitle: column.header,
    prompt: isList ? 'One of the list, or several separated by ;' : sentence(column.hint),
    // Several options in one cell are not an entry of the list, and must be allowed.
    showErrorMessage: !isList,
    errorStyle: 'stop',
    errorTitle: column.header,
    error: `Choose one of: ${column.words.join(', ')}`,
  };
}

function sentence(hint: string): string {
  return `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`;
}
