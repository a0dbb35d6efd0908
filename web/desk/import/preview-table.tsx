import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { WHOLE_ROW } from '../../../domain/import-record.ts';
import type { ServiceSentence } from '../parts/sentence.tsx';
import { Sentence } from '../parts/sentence.tsx';
import type { Preview, PreviewRow } from './import-requests.ts';
import type { CellSentence } from './row-errors.tsx';
import styles from './import.module.css';

/** A column of the sheet that is understood: its header there, and its name for the service. */
interface PreviewColumn {
  readonly header: string;
  readonly column: string;
}

/** The first rows of a workbook as they are understood, with what is wrong at its cell. */
export function PreviewTable({ preview }: { readonly preview: Preview }) {
  const { t } = useLingui();
  const { rows = [] } = preview;
  const columns = columnsOf(preview);
  const hasRowErrors = rows.some(({ errors }) => WHOLE_ROW in errors);
  if (rows.length === 0) return null;
  return (
    <section>
      <p className={styles['quiet']}>
        <Plural
          value={rows.length}
          one="The first row as it is understood:"
          other="The first # rows as they are understood:"
        />
      </p>
      {/* It scrolls in both directions: the keyboard must reach it. */}
      <div className={styles['cells']} tabIndex={0} role="region" aria-label={t`Preview`}>
        <table>
          <caption className={styles['hidden']}>
            <Trans>Rows of the workbook</Trans>
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <Trans>Row</Trans>
              </th>
              {columns.map(({ header, column }) => (
                <th key={column} scope="col">
                  <bdi>{header}</bdi>
                </th>
              ))}
              {hasRowErrors && (
                <th scope="col">
                  <Trans>The whole row</Trans>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.row}>
                <th scope="row" className={styles['number']}>
                  {row.row}
                </th>
                {columns.map(({ column }) => (
                  <PreviewCell key={column} row={row} column={column} />
                ))}
                {hasRowErrors && <PreviewCell row={row} column={WHOLE_ROW} />}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function PreviewCell({ row, column }: { readonly row: PreviewRow; readonly column: string }) {
  const errors = sentencesAt(column, row.errors, row.violations);
  const warnings = sentencesAt(column, row.warnings, row.warningMessages);
  return (
    <td className={errors.length === 0 ? undefined : styles['wrong']}>
      <div className={styles['value']}>
        <bdi>{row.values[column]}</bdi>
      </div>
      {errors.map((error) => (
        <div key={error.message} className={styles['error']}>
          <span aria-hidden="true">! </span>
          <Sentence {...error} />
        </div>
      ))}
      {warnings.map((warning) => (
        <div key={warning.message} className={styles['warning']}>
          <Sentence {...warning} />
        </div>
      ))}
    </td>
  );
}

/** What is said of a column: with keys, or in English alone where an earlier build of the service answers. */
function sentencesAt(
  column: string,
  texts: Readonly<Record<string, string>>,
  sentences: readonly CellSentence[] | undefined,
): readonly ServiceSentence[] {
  if (sentences !== undefined) return sentences.filter((sentence) => sentence.column === column);
  const message = texts[column];
  return message === undefined ? [] : [{ message }];
}

/** The columns in the order of the sheet; one that the sheet has not, and that is missed, comes last. */
function columnsOf({ columns = [], rows = [] }: Preview): readonly PreviewColumn[] {
  const inSheet = columns.flatMap(({ header, column }) => (column === undefined ? [] : [{ header, column }]));
  const known = new Set([WHOLE_ROW, ...inSheet.map(({ column }) => column)]);
  const missing = new Set(
    rows.flatMap(({ errors }) => Object.keys(errors)).filter((name) => !known.has(name)),
  );
  return [...inSheet, ...[...missing].map((column) => ({ header: column, column }))];
}
