import test from 'ava';
import { readRows, type WholeSheet } from './reading.ts';
import type { ReadRow } from '../../../../api/shipments/import/rows.ts';
import type { Cell } from '../../../../spreadsheet/cell.ts';
import { at } from '../../../harness/json.ts';

/** What each row must have. */
export const REQUIRED: Readonly<Record<string, Cell>> = {
  recipient_first_name: 'Amina',
  recipient_phone: '+213661234567',
  address_street: '12 rue Didouche Mourad',
  address_city: 'Alger',
};

/** A sheet with one row; its columns are the keys. */
function sheetOf(cells: Readonly<Record<string, Cell | undefined>>): WholeSheet {
  const headers = Object.keys(cells).map((text, index) => ({ column: index + 1, text }));
  const row = new Map<number, Cell>();
  for (const { column, text } of headers) {
    const cell = cells[text];
    if (cell !== undefined) row.set(column, cell);
  }
  return { headers, rows: [{ row: 2, cells: row, mergedFrom: new Map() }], warnings: [] };
}

const context = {
  timezone: 'Europe/Paris',
  findPickupPoint: (text: string) => (text === 'HUB-1' ? '/api/v1/pickup-points/hub' : undefined),
};

/** Reads the body and the errors of a row; its columns are the keys. */
export function readRow(cells: Readonly<Record<string, Cell | undefined>>): ReadRow {
  const [row] = readRows(sheetOf(cells), context).rows;
  if (row === undefined) throw new Error('the sheet has one row');
  return row;
}

/** A cell is read as this value at this path of the body. */
export const accepted = test.macro((t, column: string, cell: Cell, path: string, value: unknown) => {
  const { body, errors } = readRow({ ...REQUIRED, [column]: cell });
  t.deepEqual(errors, []);
  t.deepEqual(at(body, path), value);
});

/** A cell is an error of its column, with this message. */
export const faulty = test.macro((t, column: string, cell: Cell, message: RegExp) => {
  const { errors } = readRow({ ...REQUIRED, [column]: cell });
  t.deepEqual(
    errors.map((error) => error.column),
    [column],
  );
  t.regex(errors[0]?.message ?? '', message);
});
