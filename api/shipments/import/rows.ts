import { cellReaders } from './cell-values.ts';
import type { CellContext, CellReader } from './cell-values.ts';
import type { Violation } from '../../../domain/problem.ts';
import type { Sheet, SheetHeader, SheetRow } from '../../../spreadsheet/cell.ts';
import { ADDED_COLUMNS } from '../export/export-row.ts';
import { COLUMNS, ERRORS_HEADER, findColumn, headerKey } from './columns.ts';
import type { Column } from './columns.ts';
import { MAX_VALUE_LENGTH } from '../../../spreadsheet/limits.ts';
import { columnName } from '../../../spreadsheet/references.ts';

/** What is wrong with one column of a row, and what to do about it. */
export interface ColumnError {
  /** The canonical header; empty when the fault lies with the row as a whole. */
  readonly column: string;
  readonly message: string;
}

/** A row as the JSON body of `POST /shipments`. */
export interface ReadRow {
  readonly source: SheetRow;
  /** The spreadsheet's row number. */
  readonly row: number;
  /** What could be read: it goes through the rules of the JSON body even when `errors` is not empty. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Faults of the cells themselves. A row without any may still break a rule of the body. */
  readonly errors: readonly ColumnError[];
}

/**
 * Makes a reader of rows under these headers: each row becomes a body of `POST /shipments`. A missing required column
 * is an error on every row (interpretation 34). The reader never throws because of a row.
 *
 * @throws RangeError for an unknown time zone.
 */
export function rowReader(headers: Sheet['headers'], context: CellContext): (row: SheetRow) => ReadRow {
  const layout: Layout = COLUMNS.map((column) => [
    column,
    headers.filter(({ text }) => findColumn(text) === column),
  ]);
  const readers = cellReaders({ ...context, isExport: isExport(headers) });
  return (row) => readRow(row, layout, readers);
}

/** Whether the sheet has all columns that an export adds to those of the import. */
function isExport(headers: readonly SheetHeader[]): boolean {
  const keys = new Set(headers.map(({ text }) => headerKey(text)));
  return ADDED_COLUMNS.every(({ header }) => keys.has(headerKey(header)));
}

/** The warnings about unknown columns. */
export function warnOfUnknownHeaders(headers: readonly SheetHeader[]): readonly string[] {
  const ignored = new Set([ERRORS_HEADER, ...ADDED_COLUMNS.map(({ header }) => header)].map(headerKey));
  const unknown = headers.filter(
    ({ text }) => findColumn(text) === undefined && !ignored.has(headerKey(text)),
  );
  if (unknown.length === 0) return [];
  return [`Unknown columns, ignored: ${unknown.map(({ text }) => `“${text}”`).join(', ')}.`];
}

/**
 * All errors of a row: those of its cells and the violations of its body, by column. A violation of
 * a column that has an error already is left out, as it follows from that one.
 */
export function describeViolations(
  row: ReadRow,
  violations: readonly Pick<Violation, 'propertyPath' | 'message'>[],
): readonly ColumnError[] {
  const known = new Set(row.errors.map(({ column }) => column));
  const added = violations.flatMap(({ propertyPath, message }): readonly ColumnError[] => {
    const columns = columnsAt(propertyPath);
    if (columns.some((column) => known.has(column.header))) return [];
    return [{ column: columns[0]?.header ?? '', message }];
  });
  return [...row.errors, ...added];
}

/** The errors of a row as one text, each with its column: `recipient_phone: missing column or value. …`. */
export function formatErrors(errors: readonly ColumnError[]): string {
  return errors.map(({ column, message }) => (column === '' ? message : `${column}: ${message}`)).join(' | ');
}

/** Where each column stands; more than one place is an error on every row. */
type Layout = readonly (readonly [column: Column, places: readonly SheetHeader[]])[];

function readRow(source: SheetRow, layout: Layout, readers: ReturnType<typeof cellReaders>): ReadRow {
  const body: Record<string, unknown> = {};
  const errors: ColumnError[] = [];
  for (const [column, places] of layout) {
    const reading = readColumn(source, column, places, readers[column.kind]);
    if (reading === undefined) continue;
    if ('fault' in reading) errors.push({ column: column.header, message: reading.fault });
    else put(body, column.path, reading.value);
  }
  return { source, row: source.row, body, errors };
}

function readColumn(
  row: SheetRow,
  column: Column,
  places: readonly SheetHeader[],
  read: CellReader,
): ReturnType<CellReader> | undefined {
  if (places.length > 1) {
    const named = places.map((place) => `${columnName(place.column)} “${place.text}”`).join(' and ');
    return { fault: `the columns ${named} have the same meaning. Delete or rename all but one.` };
  }
  const missing = column.required
    ? { fault: `missing column or value. Write the ${column.hint}.` }
    : undefined;
  // Columns are counted from 1: there is nothing in column 0.
  const place = places[0]?.column ?? 0;
  const cell = row.cells.get(place);
  if (cell === undefined) return missing;
  if (typeof cell === 'object' && 'error' in cell) return { fault: errorFault(cell.error) };
  const mergedFrom = row.mergedFrom.get(place);
  if (column.kind === 'money' && mergedFrom !== undefined) {
    return {
      fault: `the amount is merged over several rows from row ${mergedFrom} on. Unmerge the cells and write the amount of each row.`,
    };
  }
  if (typeof cell === 'string' && cell.length > MAX_VALUE_LENGTH) {
    return { fault: `the value has ${cell.length} characters. Write at most ${MAX_VALUE_LENGTH}.` };
  }
  const reading = read(cell, column);
  const isBlank = 'value' in reading && reading.value === '';
  return isBlank ? (missing ?? reading) : reading;
}

function errorFault(error: string): string {
  if (error === '#NOT_CALCULATED') {
    return 'the formula has no stored result. Open the file in a spreadsheet program, save it and send it again.';
  }
  return `the formula returns ${error}. Fix it or write the value itself.`;
}

function put(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let target = body;
  for (const key of path.slice(0, -1)) {
    const inner = target[key];
    const child = isRecord(inner) ? inner : {};
    target[key] = child;
    target = child;
  }
  target[path.at(-1) ?? ''] = value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The columns that fill a property or, for an object such as `recipient.address`, what it is made of. */
function columnsAt(propertyPath: string): readonly Column[] {
  const path = propertyPath.replace(/\[\d+\]/gu, '').split('.');
  return COLUMNS.filter((column) => path.every((key, index) => column.path[index] === key));
}
