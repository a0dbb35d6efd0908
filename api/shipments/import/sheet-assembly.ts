import { setImmediate as nextTurn } from 'node:timers/promises';

import { cellText } from './cell.ts';
import type { Cell, Sheet, SheetHeader, SheetRow } from './cell.ts';
import { columnFinder } from './headers.ts';
import { MAX_DATA_ROWS } from './limits.ts';
import type { MergedRange } from './package/references.ts';
import { tooManyShipments } from './package/sheet.ts';
import type { Refusal } from './refusal.ts';
import type { PostedRow, PostedSheet } from './reading-message.ts';

/** Title lines above the header may be this many. */
const ROWS_SEARCHED_FOR_HEADER = 10;
/** Merged cells that are spread before other requests get their turn. */
const CELLS_PER_TURN = 2_000;
/** Rows named one by one in a warning. */
const NAMED_ROWS = 10;

/**
 * Puts the rows of a sheet together: finds the header, spreads vertically merged values over their rows
 * and leaves out what stands above the header. Refuses a sheet without a header, without shipments or
 * with too many of them. Gives way to other requests where many cells are merged.
 */
export async function assembleSheet(
  sheet: PostedSheet,
  rows: readonly AssembledRow[],
): Promise<Sheet | Refusal> {
  const headerIndex = findHeaderIndex(rows);
  const header = rows[headerIndex];
  if (header === undefined)
    return { kind: 'empty', message: `The sheet «${sheet.name}» is empty. ${USE_TEMPLATE}` };
  const data = rows.slice(headerIndex + 1);
  if (data.length === 0) {
    return {
      kind: 'empty',
      message: `The sheet «${sheet.name}» has a header but no shipments below it. ${USE_TEMPLATE}`,
    };
  }
  if (data.length > MAX_DATA_ROWS) return tooManyShipments().refusal;
  await spreadMerges(data, sheet.merges);
  return {
    name: sheet.name,
    headers: readHeaders(header),
    rows: data,
    warnings: warningsAbout(
      sheet,
      data.filter(({ hidden }) => hidden).map(({ row }) => row),
    ),
  };
}

const USE_TEMPLATE = 'Download the template, fill it in and send it.';

/** A row as it came from the reading process; merged values are written into it. */
export interface AssembledRow extends SheetRow {
  readonly cells: Map<number, Cell>;
  readonly mergedFrom: Map<number, number>;
  readonly hidden: boolean;
}

/** A row out of its message. */
export function assembleRow({ row, hidden, columns, values }: PostedRow): AssembledRow {
  const cells = new Map<number, Cell>();
  for (const [index, value] of values.entries()) cells.set(columns[index] ?? 0, value);
  return { row, hidden, cells, mergedFrom: new Map() };
}

/** The first row with two known headers, as titles may stand above; else the first row that is not blank. */
function findHeaderIndex(rows: readonly SheetRow[]): number {
  const findColumn = columnFinder();
  const index = rows.slice(0, ROWS_SEARCHED_FOR_HEADER).findIndex((row) => {
    const columns = readHeaders(row).map(({ text }) => findColumn(text));
    return columns.filter((column) => column !== undefined).length >= 2;
  });
  return Math.max(index, 0);
}

function readHeaders(row: SheetRow): readonly SheetHeader[] {
  return [...row.cells].map(([column, cell]) => ({ column, text: cellText(cell) }));
}

/**
 * A value merged over several rows was written once for all of them. Merging over columns means nothing
 * here: the value belongs to its first column. A row that is blank but for the merge stays blank.
 */
async function spreadMerges(rows: readonly AssembledRow[], merges: readonly MergedRange[]): Promise<void> {
  if (merges.length === 0) return;
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  let looked = 0;
  for (const { top, left, bottom } of merges) {
    const first = byNumber.get(top);
    const cell = first?.cells.get(left);
    for (let row = top + 1; row <= bottom; row++) {
      looked += 1;
      if (looked % CELLS_PER_TURN === 0) await nextTurn();
      const merged = byNumber.get(row);
      if (first === undefined || cell === undefined || merged === undefined) continue;
      merged.cells.set(left, cell);
      for (const sharer of [first, merged]) sharer.mergedFrom.set(left, top);
    }
  }
}

function warningsAbout(sheet: PostedSheet, hiddenRows: readonly number[]): readonly string[] {
  const warnings: string[] = [];
  if (sheet.otherSheetNames.length > 0) {
    const others = sheet.otherSheetNames.map((name) => `«${name}»`).join(', ');
    warnings.push(`Only the sheet «${sheet.name}» was read; ${others} was left alone.`);
  }
  if (hiddenRows.length > 0) {
    const named = hiddenRows.slice(0, NAMED_ROWS).join(', ');
    const more = hiddenRows.length > NAMED_ROWS ? ` and ${hiddenRows.length - NAMED_ROWS} more` : '';
    warnings.push(`Hidden rows were read like the others: ${named}${more}.`);
  }
  return warnings;
}
