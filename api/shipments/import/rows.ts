import { cellReaders } from './cell-values.ts';
import type { CellContext, CellReader } from './cell-values.ts';
import type { ImportRowError, RowViolation } from '../../../domain/import-record.ts';
import { KEPT_ERRORS, WHOLE_ROW } from '../../../domain/import-record.ts';
import type { Said } from '../../../domain/messages.ts';
import { say } from '../../../domain/messages.ts';
import type { Violation } from '../../../domain/problem.ts';
import type { Sheet, SheetHeader, SheetRow } from '../../../spreadsheet/cell.ts';
import { ADDED_COLUMNS } from '../export/export-row.ts';
import { COLUMNS, ERRORS_HEADER, findColumn, headerKey } from './columns.ts';
import type { Column } from './columns.ts';
import { MAX_VALUE_LENGTH } from '../../../spreadsheet/limits.ts';
import { columnName } from '../../../spreadsheet/references.ts';

/** A row as the JSON body of `POST /shipments`. */
export interface ReadRow {
  readonly source: SheetRow;
  /** The spreadsheet's row number. */
  readonly row: number;
  /** What could be read: it goes through the rules of the JSON body even when `errors` is not empty. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Faults of the cells themselves. A row without any may still break a rule of the body. */
  readonly errors: readonly RowViolation[];
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
export function warnOfUnknownHeaders(headers: readonly SheetHeader[]): readonly Said[] {
  const ignored = new Set([ERRORS_HEADER, ...ADDED_COLUMNS.map(({ header }) => header)].map(headerKey));
  const unknown = headers.filter(
    ({ text }) => findColumn(text) === undefined && !ignored.has(headerKey(text)),
  );
  if (unknown.length === 0) return [];
  return [say('unknown_columns', { columns: unknown.map(({ text }) => `“${text}”`).join(', ') })];
}

/**
 * All errors of a row: those of its cells and the violations of its body, by column. A violation of
 * a column that has an error already is left out, as it follows from that one.
 */
export function describeViolations(
  row: ReadRow,
  violations: readonly (Omit<Violation, 'code'> & Partial<Pick<Violation, 'code'>>)[],
): readonly RowViolation[] {
  const known = new Set(row.errors.map(({ column }) => column));
  const added = violations.flatMap(({ propertyPath, code: _code, ...said }): readonly RowViolation[] => {
    const columns = columnsAt(propertyPath);
    if (columns.some((column) => known.has(column.header))) return [];
    return [{ ...said, column: columns[0]?.header ?? WHOLE_ROW }];
  });
  return [...row.errors, ...added];
}

/** The errors of a row as one text, each with its column: `recipient_phone: missing column or value. …`. */
export function formatErrors(errors: readonly RowViolation[]): string {
  return errors
    .map(({ column, message }) => (column === WHOLE_ROW ? message : `${column}: ${message}`))
    .join(' | ');
}

/** A failed row as it is answered; `index` counts the failed rows before it. */
export function rowError(row: number, errors: readonly RowViolation[], index: number): ImportRowError {
  const message = formatErrors(errors);
  return index < KEPT_ERRORS ? { row, message, violations: errors } : { row, message };
}

/** Where each column stands; more than one place is an error on every row. */
type Layout = readonly (readonly [column: Column, places: readonly SheetHeader[]])[];

function readRow(source: SheetRow, layout: Layout, readers: ReturnType<typeof cellReaders>): ReadRow {
  const body: Record<string, unknown> = {};
  const errors: RowViolation[] = [];
  for (const [column, places] of layout) {
    const reading = readColumn(source, column, places, readers[column.kind]);
    if (reading === undefined) continue;
    if ('fault' in reading) errors.push({ ...reading.fault, column: column.header });
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
    const columns = places.map((place) => `${columnName(place.column)} “${place.text}”`).join(', ');
    return { fault: say('cell_columns_repeated', { columns }) };
  }
  const missing = column.required ? { fault: say('cell_missing', { hint: column.hint }) } : undefined;
  // Columns are counted from 1: there is nothing in column 0.
  const place = places[0]?.column ?? 0;
  const cell = row.cells.get(place);
  if (cell === undefined) return missing;
  if (typeof cell === 'object' && 'error' in cell) return { fault: errorFault(cell.error) };
  const mergedFrom = row.mergedFrom.get(place);
  if (column.kind === 'money' && mergedFrom !== undefined) {
    return { fault: say('cell_merged_amount', { row: mergedFrom }) };
  }
  if (typeof cell === 'string' && cell.length > MAX_VALUE_LENGTH) {
    return { fault: say('cell_too_long', { count: cell.length, limit: MAX_VALUE_LENGTH }) };
  }
  const reading = read(cell, column);
  const isBlank = 'value' in reading && reading.value === '';
  return isBlank ? (missing ?? reading) : reading;
}

function errorFault(error: string): Said {
  return error === '#NOT_CALCULATED' ? say('cell_not_calculated') : say('cell_formula_error', { error });
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
