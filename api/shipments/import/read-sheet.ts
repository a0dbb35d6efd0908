import { cellText } from '../../../spreadsheet/cell.ts';
import type { Sheet, SheetHeader, SheetRow } from '../../../spreadsheet/cell.ts';
import { columnFinder } from './headers.ts';
import { MAX_DATA_ROWS } from '../../../spreadsheet/limits.ts';
import type { MergedRange } from '../../../spreadsheet/references.ts';
import { scanPackage } from '../../../spreadsheet/scan.ts';
import type { ScannedSheet } from '../../../spreadsheet/scan.ts';
import { tooManyShipments } from '../../../spreadsheet/sheet.ts';
import type { RawRow } from '../../../spreadsheet/sheet.ts';
import { readCells } from '../../../spreadsheet/slice.ts';
import type { ReadCells } from '../../../spreadsheet/slice.ts';
import { WorkbookError } from '../../../spreadsheet/workbook-error.ts';

/** Title lines above the header may be this many. */
const ROWS_SEARCHED_FOR_HEADER = 10;
/** Rows that exceljs holds at a time. */
const SLICE_ROWS = 500;
/** Characters that exceljs holds at once. */
const SLICE_LENGTH = 512 * 1024;
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
  const { rows, countsFrom1904 } = scanned;
  const top = await readCells(rows.slice(0, ROWS_SEARCHED_FOR_HEADER), countsFrom1904);
  const headerIndex = findHeaderIndex(top);
  const header = top[headerIndex];
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
    slices: readSlices(data, countsFrom1904, mergedFrom),
    warnings: warningsAbout(scanned, data),
  };
}

const USE_TEMPLATE = 'Download the template, fill it in and send it.';

async function* readSlices(
  rows: RawRow[],
  countsFrom1904: boolean,
  mergedFrom: MergeOrigins,
): AsyncGenerator<readonly SheetRow[]> {
  while (rows.length > 0) {
    const slice = await readCells(takeSlice(rows), countsFrom1904);
    yield slice.map(({ row, cells }) => ({ row, cells, mergedFrom: mergedFrom.get(row) ?? NOTHING_MERGED }));
  }
}

const NOTHING_MERGED: SheetRow['mergedFrom'] = new Map();

/** Removes the first rows: at least one, and no more than exceljs shall hold at once. */
function takeSlice(waiting: RawRow[]): readonly RawRow[] {
  let length = 0;
  let count = 0;
  for (const row of waiting) {
    length += row.cells.reduce((sum, cell) => sum + cell.value.length, 0);
    if (count > 0 && (count === SLICE_ROWS || length > SLICE_LENGTH)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** The first row with two known headers, as titles may stand above; else the first row that is not blank. */
function findHeaderIndex(rows: readonly ReadCells[]): number {
  const findColumn = columnFinder();
  const index = rows.findIndex((row) => {
    const columns = readHeaders(row).map(({ text }) => findColumn(text));
    return columns.filter((column) => column !== undefined).length >= 2;
  });
  return Math.max(index, 0);
}

function readHeaders(row: ReadCells): readonly SheetHeader[] {
  return [...row.cells].map(([column, cell]) => ({ column, text: cellText(cell) }));
}

/** By row and column number: the row in which a value stands that is merged over several. */
type MergeOrigins = ReadonlyMap<number, ReadonlyMap<number, number>>;

/**
 * A value merged over several rows was written once for all of them. Merging over columns means nothing
 * here: the value belongs to its first column. A row that is blank but for the merge stays blank.
 */
function spreadMerges(rows: readonly RawRow[], merges: readonly MergedRange[]): MergeOrigins {
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

function warningsAbout({ name, otherSheetNames }: ScannedSheet, rows: readonly RawRow[]): readonly string[] {
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
