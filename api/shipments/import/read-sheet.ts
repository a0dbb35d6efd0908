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
    throw new WorkbookError('empty', `The sheet “${scanned.name}” is empty. ${USE_TEMPLATE}`);
  }
  const headerIndex = findHeaderIndex(rows.slice(0, ROWS_SEARCHED_FOR_HEADER));
  const header = rows[headerIndex];
  if (header === undefined) {
    throw new WorkbookError(
      'no_header',
      `The sheet “${scanned.name}” has no header row: none of its first rows names a column such as recipient_phone. ${USE_TEMPLATE}`,
    );
  }
  const data = rows.slice(headerIndex + 1);
  if (data.length > MAX_DATA_ROWS) throw tooManyShipments();
  spreadMerges(data, scanned.merges);
  const warnings = [
    ...(data.length === 0 ? [`The sheet “${scanned.name}” has a header but no shipments below it.`] : []),
    ...warningsAbout(scanned, header.row),
  ];
  return { headers: readHeaders(header), rows: data, warnings };
}

const USE_TEMPLATE = 'Download the template, fill it in and send it.';

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
): readonly string[] {
  const warnings: string[] = [];
  const hidden = hiddenRows.filter((row) => row > headerRow);
  if (otherSheetNames.length > 0) {
    const others = otherSheetNames.map((other) => `“${other}”`).join(', ');
    warnings.push(`Only the sheet “${name}” was read; ${others} was ignored.`);
  }
  if (hidden.length > 0) {
    const named = hidden.slice(0, NAMED_ROWS).join(', ');
    const more = hidden.length > NAMED_ROWS ? ` and ${hidden.length - NAMED_ROWS} more` : '';
    warnings.push(`Hidden rows were read like the others: ${named}${more}.`);
  }
  return warnings;
}
