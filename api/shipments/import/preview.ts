import { setImmediate } from 'node:timers/promises';
import type { ImportRowError, RowViolation } from '../../../domain/import-record.ts';
import { iriOf } from '../../../domain/iri.ts';
import type { Said } from '../../../domain/messages.ts';
import { say } from '../../../domain/messages.ts';
import type { Sheet } from '../../../spreadsheet/cell.ts';
import { cellText } from '../../../spreadsheet/cell.ts';
import type { CheckedRow, ImportContext } from './check-rows.ts';
import { rowChecker } from './check-rows.ts';
import { COLUMNS, findColumn } from './columns.ts';
import type { Column } from './columns.ts';
import { rowError, warnOfUnknownHeaders } from './rows.ts';

/** Rows of a sheet that a preview shows. */
export const PREVIEW_ROWS = 50;
/** Characters of a value that a preview shows; the import takes the whole. */
const MAX_SHOWN_CHARACTERS = 500;
/** Rows that are checked before the event loop gets a turn. */
const ROWS_PER_TURN = 100;

/** Texts by the canonical header of their column. */
type ByColumn = Readonly<Record<string, string>>;

/** A row as the import would understand it. */
export interface PreviewRow {
  /** The spreadsheet's row number. */
  readonly row: number;
  /** What was read, in the words of the import; of a column with an error, the cell as it was sent. */
  readonly values: ByColumn;
  readonly errors: ByColumn;
  readonly warnings: ByColumn;
  /** The errors and the warnings one by one. */
  readonly violations: readonly RowViolation[];
  readonly warningMessages: readonly RowViolation[];
}

/** What an import of a sheet would come to. */
export interface SheetPreview {
  readonly total: number;
  readonly valid: number;
  readonly failed: readonly ImportRowError[];
  /** The first rows. */
  readonly rows: readonly PreviewRow[];
  /** The sheet's headers, each with the column that it means; null for one that is left alone. */
  readonly columns: readonly { readonly header: string; readonly column: string | null }[];
  readonly warnings: readonly Said[];
}

/** Checks all rows of a sheet as an import does, and keeps what a person looks at before it. */
export async function previewSheet(sheet: Sheet, context: ImportContext): Promise<SheetPreview> {
  const { headers, rows, warnings } = sheet;
  const check = rowChecker(headers, context);
  const show = rowShower(headers, context);
  const shown: PreviewRow[] = [];
  const failed: ImportRowError[] = [];
  for (const [index, source] of rows.entries()) {
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await setImmediate();
    const checked = check(source);
    const { result } = checked;
    if (result.kind === 'failed') failed.push(rowError(source.row, result.errors, failed.length));
    if (shown.length < PREVIEW_ROWS) shown.push(show(checked));
  }
  return {
    total: rows.length,
    valid: rows.length - failed.length,
    failed,
    rows: shown,
    columns: headers.map(({ text }) => ({ header: text, column: findColumn(text)?.header ?? null })),
    warnings: [...warnings, ...warnOfUnknownHeaders(headers)],
  };
}

/** Makes what shows checked rows in the order of the sheet: a repeated reference is only seen in that order. */
function rowShower(headers: Sheet['headers'], context: ImportContext): (row: CheckedRow) => PreviewRow {
  const nameOf = recordNames(context);
  const places = COLUMNS.flatMap((column) => {
    const place = headers.find(({ text }) => findColumn(text) === column)?.column;
    return place === undefined ? [] : [{ column, place }];
  });
  const rowOfReference = new Map<string, number>();
  return ({ read, result }) => {
    const violations = result.kind === 'good' ? [] : result.errors;
    const errors = byColumn(violations);
    const values = places.flatMap(({ column, place }) => {
      const cell = read.source.cells.get(place);
      if (cell === undefined) return [];
      const value = column.header in errors ? undefined : valueAt(read.body, column);
      const text = value === undefined ? cellText(cell) : textOf(value, nameOf);
      return text === '' ? [] : [[column.header, shortened(text)] as const];
    });
    const warned = referenceWarnings(valueAt(read.body, REFERENCE), read.row, rowOfReference);
    return {
      row: read.row,
      values: Object.fromEntries(values),
      errors,
      warnings: byColumn(warned),
      violations,
      warningMessages: warned,
    };
  };
}

const REFERENCE = { header: 'external_reference', path: ['externalReference'] } satisfies Partial<Column>;

/** Two rows with one reference are most often one shipment that was written twice. */
function referenceWarnings(
  reference: unknown,
  row: number,
  rowOfReference: Map<string, number>,
): readonly RowViolation[] {
  if (typeof reference !== 'string' || reference === '') return [];
  const earlier = rowOfReference.get(reference);
  if (earlier !== undefined)
    return [{ ...say('same_reference', { row: earlier }), column: REFERENCE.header }];
  rowOfReference.set(reference, row);
  return [];
}

/** The sentences of each column. */
function byColumn(sentences: readonly RowViolation[]): ByColumn {
  const messages: Record<string, string> = {};
  for (const { column, message } of sentences) {
    const before = messages[column];
    messages[column] = before === undefined ? message : `${before} ${message}`;
  }
  return messages;
}

/** What people call the records that a sheet names: a pickup point by its code, else by its name. */
function recordNames({ points, merchants }: ImportContext): ReadonlyMap<string, string> {
  return new Map([
    ...points.map(({ id, code, name }) => [iriOf('pickup_point', id), code ?? name] as const),
    ...merchants.map(({ id, name }) => [iriOf('merchant', id), name] as const),
  ]);
}

function valueAt(body: Readonly<Record<string, unknown>>, { path }: Pick<Column, 'path'>): unknown {
  let value: unknown = body;
  for (const name of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return value;
}

function textOf(value: unknown, nameOf: ReadonlyMap<string, string>): string {
  if (Array.isArray(value)) return value.map((part: unknown) => textOf(part, nameOf)).join(';');
  if (typeof value === 'string') return nameOf.get(value) ?? value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function shortened(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= MAX_SHOWN_CHARACTERS) return text;
  return `${characters.slice(0, MAX_SHOWN_CHARACTERS - 1).join('')}…`;
}
