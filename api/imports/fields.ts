import { IMPORT_STATUSES } from '../../domain/enumerations.ts';
import type { ImportRowError, RowViolation } from '../../domain/import-record.ts';
import { KEPT_ERRORS, WHOLE_ROW } from '../../domain/import-record.ts';
import { API_PREFIX } from '../../domain/iri.ts';
import type { Said } from '../../domain/messages.ts';
import type { FullImportRow, ImportRow } from '../../store/shipments/import-records.ts';
import { problemResponse } from '../http/problem-response.ts';
import { fileProblemJson, SAID } from '../http/problem-shapes.ts';
import { recordType } from '../hydra/record-type.ts';
import { DATES } from '../hydra/record-type.ts';
import type { Document } from '../hydra/resource.ts';
import { fieldsOf, view } from '../schema/fields.ts';
import { shownAsIs } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { shownList } from '../schema/schema-objects.ts';
import { choice, count, reference, text } from '../schema/schema-values.ts';
import { array, iri, shape, string } from '../schema/shapes.ts';

const { shown, shownIfSet } = fieldsOf<ImportRow>();
const { shown: shownAlone, shownIfSet: shownAloneIfSet } = fieldsOf<FullImportRow>();

const sentenceJson = { title: 'Sentence', ...shape({ message: string, ...SAID }, ['message']) };
const columnSentenceJson = {
  title: 'ColumnSentence',
  ...shape(
    {
      column: {
        type: 'string',
        description: `The canonical header of the column; ${WHOLE_ROW} for the row as a whole.`,
      },
      message: string,
      ...SAID,
    },
    ['column', 'message'],
  ),
};
/** What is said of cells, one by one. */
export const columnSentencesJson = array(columnSentenceJson);
/** What is wrong with a row, one by one. */
export const rowViolationsJson = {
  ...columnSentencesJson,
  description: `What message says, one by one; of the first ${KEPT_ERRORS} failed rows.`,
};
/** The warnings about a file, for clients that say them in another language. */
export const warningMessagesJson = { ...array(sentenceJson), description: 'The warnings with their keys.' };

/** The warnings about a file as they are answered. */
export function warningsOf(warningMessages: readonly Said[]): {
  readonly warnings: readonly string[];
  readonly warningMessages: readonly Said[];
} {
  return { warnings: warningMessages.map(({ message }) => message), warningMessages };
}

const error = fieldsOf<ImportRowError>();
const rowError = view({
  row: error.shown(count('The row’s number in the spreadsheet.'), ({ row }) => row),
  message: error.shown(text(), ({ message }) => message),
  violations: error.shownIfSet(
    shownAsIs<readonly RowViolation[]>(rowViolationsJson),
    ({ violations }) => violations,
  ),
});

/** Where the failed rows of an import are downloaded. */
export function failedRowsPath(id: string): string {
  return `${API_PREFIX}/shipments/imports/${id}/failed-rows`;
}

/** An import with its progress (decision 0032); in full with the messages of its failed rows. */
export const importRecord = recordType(
  'import',
  'Import',
  {
    fileName: shownIfSet(text(), (row) => row.fileName),
    status: shown(
      choice(
        IMPORT_STATUSES,
        'reading: the file waits or is being read. creating: its rows are checked and created. done: the valid rows are created. failed: nothing was created.',
      ),
      (row) => row.status,
    ),
    user: shown(reference('user'), (row) => row.userId),
    userName: shown(text({ description: 'Who sent it.' }), (row) => row.userName),
    merchant: shownIfSet(
      reference('merchant', { description: 'Whose user sent it, where that was a merchant’s.' }),
      (row) => row.merchantId,
    ),
    totalRows: shown(count('Rows below the header; 0 while the file is read.'), (row) => row.totalRows),
    processedRows: shown(count('Rows that were created or have failed.'), (row) => row.processedRows),
    created: shown(count(), (row) => row.createdRows),
    failed: shown(count(), (row) => row.failedRows),
    failedRows: shownIfSet(
      shownAsIs<string>({ ...iri, description: 'Where to download the failed rows as a workbook.' }),
      (row) => (row.hasFailedRows && row.status === 'done' ? failedRowsPath(row.id) : null),
    ),
    problem: shownIfSet(
      shownAsIs<Document>({ ...fileProblemJson, description: 'Why it failed.' }),
      ({ problem, id }) => (problem === null ? null : problemResponse(problem, id).body),
    ),
    version: shown(count('Grows with each change.'), (row) => row.version),
    finishedAt: shownIfSet(dateTime(), (row) => row.finishedAt),
    expiresAt: shown(dateTime('When the record and its failed rows are removed.'), (row) => row.expiresAt),
    ...DATES,
  },
  {
    errors: shownAlone(
      shownList(
        rowError,
        `The messages of failed rows, at most ${KEPT_ERRORS}; the workbook of failed rows has all.`,
      ),
      (row) => row.errors,
    ),
    warnings: shownAlone(shownList(text()), (row) => row.warnings),
    // An earlier release kept none: clients go by warnings then.
    warningMessages: shownAloneIfSet(
      shownAsIs<readonly Said[]>(warningMessagesJson),
      (row) => row.warningMessages,
    ),
  },
);
