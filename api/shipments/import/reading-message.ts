import type { Cell } from './cell.ts';
import type { MergedRange } from './package/references.ts';
import type { Refusal } from './refusal.ts';

/** What the reading process posts for each file: any number of `rows`, then one of the others. */
export type ReadingMessage =
  | { readonly kind: 'rows'; readonly rows: readonly PostedRow[] }
  | { readonly kind: 'end'; readonly sheet: PostedSheet }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The reader itself is broken: for the log, not for the caller. */
  | { readonly kind: 'failed'; readonly stack: string };

export interface PostedRow {
  readonly row: number;
  readonly hidden: boolean;
  /** The columns that hold a value, from 1, and those values. */
  readonly columns: readonly number[];
  readonly values: readonly Cell[];
}

export interface PostedSheet {
  readonly name: string;
  readonly otherSheetNames: readonly string[];
  readonly merges: readonly MergedRange[];
}
