import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { ownAddress } from '../../shared/client.ts';
import { formatNumber } from '../../shared/format.ts';
import { RejectedRequest } from '../../shared/problem.ts';
import { ButtonLink } from '../parts/button.tsx';
import { useFallenFocus } from '../parts/focus.ts';
import form from '../parts/form.module.css';
import { ReadFailure, Skeleton } from '../parts/states.tsx';
import type { ImportRecord } from './import-requests.ts';
import { isUnderWay, readImport } from './import-requests.ts';
import { ImportStatusSign } from './import-status.tsx';
import { FileProblem } from './file-problem.tsx';
import { FileWarnings, RowErrors } from './row-errors.tsx';
import styles from './import.module.css';

const LOOK_EVERY_MS = 1_000;

/** One import: how far it is, then what became of it. */
export function ImportResult({ id }: { readonly id: string }) {
  const read = useQuery({
    queryKey: ['imports', id],
    queryFn: () => readImport(id),
    // The stream tells of its progress too; this is for the time in which it is lost.
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data) ? LOOK_EVERY_MS : false,
  });
  if (read.isPending) return <Skeleton rows={4} />;
  if (read.data === undefined) return <ReadFailure error={read.error} onRetry={() => void read.refetch()} />;
  return <Shown record={read.data} />;
}

function Shown({ record }: { readonly record: ImportRecord }) {
  const { t } = useLingui();
  const panel = useFallenFocus<HTMLElement>();
  return (
    <section ref={panel} tabIndex={-1} className={styles['panel']} aria-label={t`Import`}>
      <h2>
        <bdi>{record.fileName ?? t`Workbook`}</bdi>
      </h2>
      <div role="status">
        <ImportStatusSign status={record.status} />
        {isUnderWay(record) ? <Progress record={record} /> : <Counts record={record} />}
      </div>
      <Details record={record} />
    </section>
  );
}

function Progress({ record: { processedRows, totalRows } }: { readonly record: ImportRecord }) {
  const { t } = useLingui();
  const done = formatNumber(processedRows);
  const all = formatNumber(totalRows);
  return (
    <>
      <p>
        <Trans>You may leave this page; the import continues.</Trans>{' '}
        {totalRows > 0 && (
          <Trans>
            {done} of {all} rows.
          </Trans>
        )}
      </p>
      <progress
        className={styles['progress']}
        aria-label={t`Progress of the import`}
        {...(totalRows > 0 && { max: totalRows, value: processedRows })}
      />
    </>
  );
}

function Counts({ record: { status, created, failed } }: { readonly record: ImportRecord }) {
  if (status !== 'done') return null;
  return (
    <p>
      <strong>
        <Plural value={created} one="# shipment was imported." other="# shipments were imported." />
      </strong>{' '}
      {failed > 0 && (
        <strong className={styles['error']}>
          <Plural value={failed} one="# row was left out." other="# rows were left out." />
        </strong>
      )}
    </p>
  );
}

function Details({ record }: { readonly record: ImportRecord }) {
  const { t } = useLingui();
  const { problem, errors, failedRows } = record;
  return (
    <>
      {problem && <FileProblem error={new RejectedRequest({ ...problem, status: problem.status })} />}
      <FileWarnings {...record} />
      {failedRows !== undefined && (
        <div className={form['form']}>
          <p>
            <Trans>Correct the rows that were left out in their workbook, and import it.</Trans>
          </p>
          <div className={form['actions']}>
            <ButtonLink href={ownAddress(failedRows)} download>
              <Trans>Download the rows that were left out</Trans>
            </ButtonLink>
          </div>
        </div>
      )}
      {errors.length > 0 && <RowErrors errors={errors} label={t`Rows that were left out`} />}
    </>
  );
}
