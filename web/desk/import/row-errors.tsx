import { Plural, Trans } from '@lingui/react/macro';
import { WHOLE_ROW } from '../../../domain/import-record.ts';
import { Notice } from '../parts/notice.tsx';
import type { ServiceSentence } from '../parts/sentence.tsx';
import { Sentence } from '../parts/sentence.tsx';
import styles from './import.module.css';

/** What the service says of a cell. */
export interface CellSentence extends ServiceSentence {
  /** The canonical header, or `WHOLE_ROW`. */
  readonly column: string;
}

interface WarningsProps {
  readonly warnings: readonly string[];
  /** The same with their keys; absent where an earlier build of the service answers. */
  readonly warningMessages?: readonly ServiceSentence[];
}

/** What a person should know of a file though nothing failed. */
export function FileWarnings({ warnings, warningMessages }: WarningsProps) {
  const shown = warningMessages ?? warnings.map((message): ServiceSentence => ({ message }));
  if (shown.length === 0) return null;
  return (
    <Notice kind="warning">
      <ul className={styles['list']}>
        {shown.map((warning) => (
          <li key={warning.message}>
            <Sentence {...warning} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface RowError {
  readonly row: number;
  readonly message: string;
  /** Absent in what an earlier build kept, and of many rows. */
  readonly violations?: readonly CellSentence[];
}

interface RowErrorsProps {
  readonly errors: readonly RowError[];
  readonly label: string;
}

/** Most of them are read in the workbook of failed rows. */
const SHOWN_ERRORS = 200;

/** What is wrong, row by row. */
export function RowErrors({ errors, label }: RowErrorsProps) {
  const further = Math.max(0, errors.length - SHOWN_ERRORS);
  return (
    <>
      <ul className={styles['list']} aria-label={label}>
        {errors.slice(0, SHOWN_ERRORS).map(({ row, ...said }) => (
          <li key={row}>
            <Trans>Row {row}:</Trans> <Violations {...said} />
          </li>
        ))}
      </ul>
      {further > 0 && (
        <p>
          <Plural value={further} one="And # more." other="And # more." />
        </p>
      )}
    </>
  );
}

function Violations({ message, violations }: Omit<RowError, 'row'>) {
  if (violations === undefined) return <bdi>{message}</bdi>;
  return violations.map(({ column, ...said }, index) => (
    <span key={`${column} ${said.message}`}>
      {index > 0 && ' · '}
      {column !== WHOLE_ROW && (
        <>
          <bdi dir="ltr">{column}</bdi>:{' '}
        </>
      )}
      <Sentence {...said} />
    </span>
  ));
}
