import type { Said } from './messages.ts';

/** What is wrong with a cell of a row: `column` is the canonical header, or `WHOLE_ROW`. */
export interface RowViolation extends Said {
  readonly column: string;
}

/** The name of what is wrong with a row as a whole. */
export const WHOLE_ROW = 'row';

/** A row that was not imported, as the dispatcher reads it. */
export interface ImportRowError {
  readonly row: number;
  /** All that is wrong, each with its column. */
  readonly message: string;
  /** The same one by one, of the first failed rows; absent in what an earlier build kept. */
  readonly violations?: readonly RowViolation[];
}

/** Failed rows of which a record keeps the messages, and whose violations are told one by one; the workbook of failed rows has all. */
export const KEPT_ERRORS = 1_000;

/** Characters of a file's name that are kept. */
const MAX_NAME_CHARACTERS = 255;
/** Control characters, line ends, and marks that make a name look like another one. */
const INVISIBLE = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** The name of an uploaded file as it is kept and shown: without folders and invisible marks; null where nothing is left. */
export function shownFileName(sent: string): string | null {
  const own = sent.split(/[\\/]/u).at(-1) ?? '';
  const visible = own.replace(INVISIBLE, '').trim();
  return visible === '' ? null : Array.from(visible).slice(0, MAX_NAME_CHARACTERS).join('');
}
