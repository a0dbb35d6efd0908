/** Why a whole file is refused. A fault of one row is never a refusal: it is that row's error. */
export type RefusalKind =
  | 'not_xlsx'
  | 'encrypted'
  | 'macro'
  | 'external_links'
  | 'entities'
  | 'truncated'
  | 'damaged'
  | 'empty'
  | 'too_large'
  | 'too_many_rows';

export interface Refusal {
  readonly kind: RefusalKind;
  /** Says what is wrong and what the dispatcher can do about it. */
  readonly message: string;
}

/** The HTTP status of each refusal (interpretation 34: 422 or 413). */
export const REFUSAL_STATUS = {
  not_xlsx: 422,
  encrypted: 422,
  macro: 422,
  external_links: 422,
  entities: 422,
  truncated: 422,
  damaged: 422,
  empty: 422,
  too_large: 413,
  too_many_rows: 413,
} as const satisfies Record<RefusalKind, 413 | 422>;

/** Thrown in the import process, which posts it as a value, and by `workbook.ts` again on the API's side. */
export class RefusedWorkbook extends Error {
  readonly refusal: Refusal;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.name = 'RefusedWorkbook';
    this.refusal = { kind, message };
  }
}

/** A refusal for a file whose inside contradicts itself. */
export function damaged(detail: string): RefusedWorkbook {
  return new RefusedWorkbook(
    'damaged',
    `The workbook is damaged: ${detail}. Open it in a spreadsheet program, save it again as .xlsx and send that file.`,
  );
}
