import type { Said } from '../domain/messages.ts';
import { say, sayAs } from '../domain/messages.ts';

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

/** The sentence says what is wrong and what the dispatcher can do about it. */
export interface WorkbookProblem extends Said {
  readonly kind: WorkbookProblemKind;
}

/** Whether a file is rejected for its size alone (interpretation 34: 413, else 422). */
export function isTooLarge({ kind }: WorkbookProblem): boolean {
  return kind === 'too_large' || kind === 'too_many_rows';
}

/** Thrown in the import process, which posts it as a value, and by `workbook.ts` again on the API's side. */
export class WorkbookError extends Error {
  readonly problem: WorkbookProblem;

  constructor(kind: WorkbookProblemKind, said: Said) {
    super(said.message);
    this.name = 'WorkbookError';
    this.problem = { kind, ...said };
  }
}

/** The error for a file that contradicts itself. `row` is where, if it is in one. */
export function damaged(detail: string, row?: number): WorkbookError {
  const message = `The workbook is damaged: ${detail}. Open it in a spreadsheet program, save it again as .xlsx and send that file.`;
  const said = row === undefined ? say('workbook_damaged') : say('workbook_damaged_row', { row });
  return new WorkbookError('damaged', sayAs(message, said));
}

/** The error for a file beyond a limit of size; `said` says which, and what to do. */
export function tooLarge(said: Said): WorkbookError {
  return new WorkbookError('too_large', said);
}

/** The error for a file of another format, as its name ends or as people call it; undefined where it is not known. */
export function notXlsx(format: string | undefined): WorkbookError {
  const said = format === undefined ? say('workbook_not_xlsx') : say('workbook_other_format', { format });
  return new WorkbookError('not_xlsx', said);
}

/** The error for a file that only a password opens. */
export function encrypted(): WorkbookError {
  return new WorkbookError('encrypted', say('workbook_encrypted'));
}

/** The error for a document type, where entities are declared: ECMA-376 forbids it. */
export function entities(): WorkbookError {
  return new WorkbookError('entities', say('workbook_entities'));
}
