import type { Said } from '../domain/messages.ts';

/** The value of one cell, formulas resolved; blank cells do not occur. A string is text as it was typed. */
export type Cell = string | number | boolean | DateCell | ErrorCell;

export interface DateCell {
  /** A wall clock without a zone, `2026-03-12T14:00:00`; in the year 1899 or 1904 for a time without a date. */
  readonly date: string;
}

export interface ErrorCell {
  /** `#N/A`, `#REF!` and the like, or `#NOT_CALCULATED` for a formula without a stored value. */
  readonly error: string;
}

/** The column of a sheet as its header names it. */
export interface SheetHeader {
  /** The column's number, from 1. */
  readonly column: number;
  /** The header as it is written. */
  readonly text: string;
}

export interface SheetRow {
  /** The row's number in the spreadsheet, from 1. */
  readonly row: number;
  /** By column number. */
  readonly cells: Map<number, Cell>;
  /** By column number, for a value that was written once for several merged rows: the first of these rows. */
  readonly mergedFrom: Map<number, number>;
}

/** The first visible sheet of a workbook. */
export interface Sheet {
  readonly headers: readonly SheetHeader[];
  /** Rows below the header that hold a value, in the order of the sheet; blank ones are left out. */
  readonly rows: readonly SheetRow[];
  /** What the dispatcher should know though nothing failed: sheets that were not read, hidden rows. */
  readonly warnings: readonly Said[];
}

/** The value as text, for headers and messages. */
export function cellText(cell: Cell): string {
  if (typeof cell !== 'object') return String(cell).trim();
  return 'date' in cell ? cell.date.replace('T00:00:00', '').replace('T', ' ') : cell.error;
}
