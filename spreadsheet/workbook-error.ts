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
  | 'no_header'
  | 'too_large'
  | 'too_many_rows';

export interface WorkbookProblem {
  readonly kind: WorkbookProblemKind;
  /** Says what is wrong and what the dispatcher can do about it. */
  readonly message: string;
}

/** Whether a file is rejected for its size alone (interpretation 34: 413, else 422). */
export function isTooLarge({ kind }: WorkbookProblem): boolean {
  return kind === 'too_large' || kind === 'too_many_rows';
}

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

/** The error for a file beyond a limit of size; `message` says which, and what to do. */
export function tooLarge(message: string): WorkbookError {
  return new WorkbookError('too_large', message);
}

/** The error for a file of another format; `what` follows «The file is». */
export function notXlsx(what: string): WorkbookError {
  const message = `The file is ${what}. Save the sheet as .xlsx (Excel workbook) and send that file.`;
  return new WorkbookError('not_xlsx', message);
}

/** The error for a file that only a password opens. */
export function encrypted(): WorkbookError {
  const message = 'The workbook is protected by a password. Remove it and send the file again.';
  return new WorkbookError('encrypted', message);
}

/** The error for a document type, where entities are declared: ECMA-376 forbids it. */
export function entities(): WorkbookError {
  return new WorkbookError(
    'entities',
    'The workbook declares XML entities, which no spreadsheet program does. Save it again as .xlsx and send that file.',
  );
}
