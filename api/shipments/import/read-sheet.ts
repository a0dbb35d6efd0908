import { cellText } from '../../../spreadsheet/cell.ts';
import type { Sheet, SheetHeader, SheetRow } from '../../../spreadsheet/cell.ts';
import { columnFinder } from './headers.ts';
import { MAX_DATA_ROWS } from '../../../spreadsheet/limits.ts';
import type { MergedRange } from '../../../spreadsheet/references.ts';
import { scanPackage } from '../../../spreadsheet/scan.ts';
import type { ScannedSheet } from '../../../spreadsheet/scan.ts';
import { tooManyShipments } from '../../../spreadsheet/sheet.ts';
import type { ScannedRow } from '../../../spreadsheet/sheet.ts';
import { WorkbookError } from '../../../spreadsheet/workbook-error.ts';

/** Title lines above the header may be this many. */
const ROWS_SEARCHED_FOR_HEADER = 10;
/** Rows named one by one in a warning. */
const NAMED_ROWS = 10;

/**
 * Reads the first visible sheet of a workbook: finds the header, leaves out what stands above it, and spreads
 * vertically merged values over their rows. The whole file has been gone through, under its limits, when it resolves;
 * the rows are made as they are asked for.
 *
 * @throws WorkbookError for any file that is not to be read: also one without a header, without shipments or with too
 *   many of them.
 */
export async function readSheet(file: Buffer): Promise<Sheet> {
  const scanned = await scanPackage(file);
  const { rows } = scanned;
  const headerIndex = findHeaderIndex(rows.slice(0, ROWS_SEARCHED_FOR_HEADER));
  const header = rows[headerIndex];
  if (header === undefined) {
    throw new WorkbookError('empty', `The sheet “${scanned.name}” is empty. ${USE_TEMPLATE}`);
  }
  const data = rows.slice(headerIndex + 1);
  if (data.length === 0) {
    throw new WorkbookError(
      'empty',
      `The sheet “${scanned.name}” has a header but no shipments below it. ${USE_TEMPLATE}`,
    );
  }
  if (data.length > MAX_DATA_ROWS) throw tooManyShipments();
  const mergedFrom = spreadMerges(data, scanned.merges);
  return {
    headers: readHeaders(header),
    rows: rowsOf(data, mergedFrom),
    warnings: warningsAbout(scanned, data),
  };
}

const USE_TEMPLATE = 'Download the template, fill it in and send it.';

function* rowsOf(rows: readonly ScannedRow[], mergedFrom: MergeOrigins): Generator<SheetRow> {
  for (const { row, cells } of rows) {
    const values = new Map(cells.map(({ column, value }) => [column, value]));
    yield { row, cells: values, mergedFrom: mergedFrom.get(row) ?? NOTHING_MERGED };
  }
}

const NOTHING_MERGED: SheetRow['mergedFrom'] = new Map();

/** The first row with two known headers, as titles may stand above; else the first row that is not blank. */
function findHeaderIndex(rows: readonly ScannedRow[]): number {
  const findColumn = columnFinder();
  const index = rows.findIndex((row) => {
    const columns = readHeaders(row).map(({ text }) => findColumn(text));
    return columns.filter((column) => column !== undefined).length >= 2;
  });
  return Math.max(index, 0);
}

function readHeaders({ cells }: ScannedRow): readonly SheetHeader[] {
  return cells.map(({ column, value }) => ({ column, text: cellText(value) }));
}

/** By row and column number: the row in which a value stands that is merged over several. */
type MergeOrigins = ReadonlyMap<number, ReadonlyMap<number, number>>;

/**
 * A value merged over several rows was written once for all of them. Merging over columns means nothing
 * here: the value belongs to its first column. A row that is blank but for the merge stays blank.
 */
function spreadMerges(rows: readonly ScannedRow[], merges: readonly MergedRange[]): MergeOrigins {
  const origins = new Map<number, Map<number, number>>();
  if (merges.length === 0) return origins;
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  const note = (row: number, column: number, top: number): void => {
    const known = origins.get(row) ?? new Map<number, number>();
    origins.set(row, known.set(column, top));
  };
  for (const { top, left, bottom } of merges) {
    const cell = byNumber.get(top)?.cells.find(({ column }) => column === left);
    if (cell === undefined) continue;
    for (let row = top + 1; row <= bottom; row++) {
      const merged = byNumber.get(row);
      if (merged === undefined) continue;
      const place = merged.cells.findIndex(({ column }) => column === left);
      if (place === -1) merged.cells.push(cell);
      else merged.cells[place] = cell;
      note(top, left, top);
      note(row, left, top);
    }
  }
  return origins;
}

function warningsAbout(
  { name, otherSheetNames }: ScannedSheet,
  rows: readonly ScannedRow[],
): readonly string[] {
  const warnings: string[] = [];
  const hiddenRows = rows.filter(({ hidden }) => hidden).map(({ row }) => row);
  if (otherSheetNames.length > 0) {
    const others = otherSheetNames.map((other) => `“${other}”`).join(', ');
    warnings.push(`Only the sheet “${name}” was read; ${others} was ignored.`);
  }
  if (hiddenRows.length > 0) {
    const named = hiddenRows.slice(0, NAMED_ROWS).join(', ');
    const more = hiddenRows.length > NAMED_ROWS ? ` and ${hiddenRows.length - NAMED_ROWS} more` : '';
    warnings.push(`Hidden rows were read like the others: ${named}${more}.`);
  }
  return warnings;
}
