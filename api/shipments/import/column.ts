/** How the cells of a column are read; `cell-values.ts` has one reader for each. */
export type CellKind =
  | 'text'
  | 'email'
  | 'reference'
  | 'phone'
  | 'postal_code'
  | 'decimal'
  | 'money'
  | 'enumeration'
  | 'list'
  | 'pickup_point'
  | 'earliest_time'
  | 'latest_time';

export interface Column {
  /** The canonical header, as the template and the export write it. */
  readonly header: string;
  readonly required: boolean;
  /** Other headers that mean this column: French ones and the short English ones. */
  readonly aliases: readonly string[];
  /** Where the value goes in the body of `POST /shipments`. */
  readonly path: readonly string[];
  readonly kind: CellKind;
  /** The words allowed, for `enumeration` and `list`. */
  readonly words?: readonly string[];
  /** What the dispatcher has to write, for the notes of the template and for messages. */
  readonly hint: string;
  /** The cell of the template's example row. */
  readonly example: string | number;
  /** Width in characters when the workbook is opened. */
  readonly width: number;
}
