/** Why a whole file is rejected. An error of one row never rejects the file. */
export type WorkbookProblemKind =
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

export interface WorkbookProblem {
  readonly kind: WorkbookProblemKind;
  /** Says what is wrong and what the dispatcher can do about it. */
  readonly message: string;
}

/** The HTTP status of each kind (interpretation 34: 422 or 413). */
export const WORKBOOK_PROBLEM_STATUS = {
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
} as const satisfies Record<WorkbookProblemKind, 413 | 422>;

/** Thrown in the import process, which posts it as a value, and by `workbook.ts` again on the API's side. */
export class WorkbookError extends Error {
  readonly problem: WorkbookProblem;

  constructor(kind: WorkbookProblemKind, message: string) {
    super(message);
    this.name = 'WorkbookError';
    this.problem = { kind, message };
  }
}

/** The error for a file that contradicts itself. */
export function damaged(detail: string): WorkbookError {
  return new WorkbookError(
    'damaged',
    `The workbook is damaged: ${detail}. Open it in a spreadsheet program, save it again as .xlsx and send that file.`,
  );
}
