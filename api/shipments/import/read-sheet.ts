import type { Said } from '../../../domain/messages.ts';
import { say } from '../../../domain/messages.ts';
import { cellText } from '../../../spreadsheet/cell.ts';
import type { Sheet, SheetHeader, SheetRow } from '../../../spreadsheet/cell.ts';
import { findColumn } from './columns.ts';
import { MAX_DATA_ROWS } from '../../../spreadsheet/limits.ts';
import type { MergedRange } from '../../../spreadsheet/references.ts';
import { scanPackage } from '../../../spreadsheet/scan.ts';
import type { ScannedSheet } from '../../../spreadsheet/scan.ts';
import { tooManyShipments } from '../../../spreadsheet/sheet.ts';
import { WorkbookError } from '../../../spreadsheet/workbook-error.ts';

/** Title lines above the header may be this many. */
const ROWS_SEARCHED_FOR_HEADER = 10;
/** Rows named one by one in a warning. */
const NAMED_ROWS = 10;

/**
 * Reads the first visible sheet of a workbook: finds the header, leaves out what stands above it, and spreads
 * vertically merged values over their rows. A header without shipments below it is a sheet of no rows, with a warning.
 *
 * @throws WorkbookError for any file that is not to be read: also one without a header or with too many shipments.
 */
export async function readSheet(file: Buffer): Promise<Sheet> {
  const scanned = await scanPackage(file);
  const { rows } = scanned;
  if (rows.length === 0) {
    throw new WorkbookError('empty', say('workbook_empty', { sheet: scanned.name }));
  }
  const headerIndex = findHeaderIndex(rows.slice(0, ROWS_SEARCHED_FOR_HEADER));
  const header = rows[headerIndex];
  if (header === undefined) {
    const said = say('workbook_no_header', { sheet: scanned.name, column: 'recipient_phone' });
    throw new WorkbookError('no_header', said);
  }
  const data = rows.slice(headerIndex + 1);
  if (data.length > MAX_DATA_ROWS) throw tooManyShipments();
  spreadMerges(data, scanned.merges);
  const warnings = [
    ...(data.length === 0 ? [say('sheet_without_rows', { sheet: scanned.name })] : []),
    ...warningsAbout(scanned, header.row),
  ];
  return { headers: readHeaders(header), rows: data, warnings };
}

/** The first row with two known headers, as titles may stand above; else the first with one; -1 where none has any. */
function findHeaderIndex(rows: readonly SheetRow[]): number {
  const known = rows.map(
    (row) => readHeaders(row).filter(({ text }) => findColumn(text) !== undefined).length,
  );
  const surest = known.findIndex((count) => count >= 2);
  return surest === -1 ? known.indexOf(1) : surest;
}

function readHeaders({ cells }: SheetRow): readonly SheetHeader[] {
  return Array.from(cells, ([column, value]) => ({ column, text: cellText(value) }));
}

/**
 * A value merged over several rows was written once for all of them. Merging over columns means nothing
 * here: the value belongs to its first column. A row that is blank but for the merge stays blank.
 */
function spreadMerges(rows: readonly SheetRow[], merges: readonly MergedRange[]): void {
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  for (const { top, left, bottom } of merges) {
    const cell = byNumber.get(top)?.cells.get(left);
    const merged = Array.from(
      { length: bottom - top + 1 },
      (_, index) => byNumber.get(top + index) ?? [],
    ).flat();
    if (cell === undefined || merged.length < 2) continue;
    for (const row of merged) {
      row.cells.set(left, cell);
      row.mergedFrom.set(left, top);
    }
  }
}

function warningsAbout(
  { name, otherSheetNames, hiddenRows }: ScannedSheet,
  headerRow: number,
): readonly Said[] {
  const warnings: Said[] = [];
  const hidden = hiddenRows.filter((row) => row > headerRow);
  if (otherSheetNames.length > 0) {
    const others = otherSheetNames.map((other) => `“${other}”`).join(', ');
    warnings.push(say('sheets_ignored', { sheet: name, others }));
  }
  if (hidden.length > 0) {
    const rows = hidden.slice(0, NAMED_ROWS).join(', ');
    const count = hidden.length - NAMED_ROWS;
    warnings.push(count > 0 ? say('more_hidden_rows', { rows, count }) : say('hidden_rows', { rows }));
  }
  return warnings;
}
