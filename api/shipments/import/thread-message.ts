import type { Cell } from './cell.ts';
import type { MergedRange } from './package/references.ts';
import type { Refusal } from './refusal.ts';

/** What the reading thread posts for each file: any number of `rows`, then one `end` or one `refused`. */
export type ThreadMessage =
  | { readonly kind: 'rows'; readonly rows: readonly ThreadRow[] }
  | { readonly kind: 'end'; readonly sheet: ThreadSheet }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface ThreadRow {
  readonly row: number;
  readonly hidden: boolean;
  /** The columns that hold a value, from 1, and those values. */
  readonly columns: readonly number[];
  readonly values: readonly Cell[];
}

export interface ThreadSheet {
  readonly name: string;
  readonly otherSheetNames: readonly string[];
  readonly merges: readonly MergedRange[];
}
