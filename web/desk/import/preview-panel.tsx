import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { shownFileName } from '../../../domain/import-record.ts';
import { Button } from '../parts/button.tsx';
import form from '../parts/form.module.css';
import { useFallenFocus } from '../parts/focus.ts';
import { Skeleton } from '../parts/states.tsx';
import type { ChosenFile, Preview } from './import-requests.ts';
import { previewFile } from './import-requests.ts';
import { FileProblem } from './file-problem.tsx';
import { PreviewTable } from './preview-table.tsx';
import { FileWarnings, RowErrors } from './row-errors.tsx';
import styles from './import.module.css';
import { useImport } from './use-import.ts';

interface Props {
  readonly chosen: ChosenFile;
  readonly onOther: () => void;
  /** Called when the service keeps a record of the import. */
  readonly onRecord: (id: string) => void;
}

/** A workbook as the service understands it, before anything is made. */
export function PreviewPanel({ chosen, onOther, onRecord }: Props) {
  const queries = useQueryClient();
  const [key] = useState(() => ['import-preview', crypto.randomUUID()]);
  const read = useQuery({
    queryKey: key,
    queryFn: () => previewFile(chosen),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const sending = useImport(chosen, onRecord);
  const name = shownFileName(chosen.file.name) ?? '';
  return (
    <Panel name={name} isBusy={read.isFetching}>
      {read.isFetching && (
        <>
          <p role="status">
            <Trans>The file is being read…</Trans>
          </p>
          <Skeleton rows={6} />
        </>
      )}
      <div role="alert">
        {!read.isFetching && read.error !== null && <FileProblem error={read.error} />}
        {sending.error !== undefined && <FileProblem error={sending.error} />}
      </div>
      {read.data && <PreviewSummary preview={read.data} />}
      {sending.isPending && (
        <div>
          <p role="status">
            <Trans>The import has begun. You may leave this page; the import continues.</Trans>
          </p>
          <progress className={styles['progress']} />
        </div>
      )}
      <div className={form['actions']}>
        {read.data !== undefined && (read.data.valid ?? 0) > 0 && (
          <Button kind="primary" isPending={sending.isPending} onClick={() => void sending.run()}>
            <Plural value={read.data.valid ?? 0} one="Import # shipment" other="Import # shipments" />
          </Button>
        )}
        {!read.isFetching && read.error !== null && (
          <Button onClick={() => void queries.refetchQueries({ queryKey: key })}>
            <Trans>Try again</Trans>
          </Button>
        )}
        <Button onClick={onOther} disabled={sending.isPending}>
          <Trans>Choose another file</Trans>
        </Button>
      </div>
      {read.data && <PreviewTable preview={read.data} />}
    </Panel>
  );
}

interface PanelProps {
  readonly name: string;
  readonly isBusy: boolean;
  readonly children: ReactNode;
}

/** It takes the place of the file's choice, and with it the focus. */
function Panel({ name, isBusy, children }: PanelProps) {
  const panel = useFallenFocus<HTMLElement>();
  return (
    <section ref={panel} tabIndex={-1} aria-label={name} className={styles['panel']} aria-busy={isBusy}>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      {children}
    </section>
  );
}

/** Totals, warnings of the file as a whole, and the rows with errors below those that are shown. */
function PreviewSummary({ preview }: { readonly preview: Preview }) {
  const { t } = useLingui();
  const { total, valid = 0, invalid = 0, rows = [], results } = preview;
  const lastShown = rows.at(-1)?.row ?? 0;
  const further = results.filter(({ row, status }) => status === 'error' && row > lastShown);
  return (
    <>
      <p>
        <Plural value={total} one="# row." other="# rows." />{' '}
        <strong>
          <Plural value={valid} one="# can be imported." other="# can be imported." />
        </strong>{' '}
        {invalid > 0 && (
          <strong className={styles['error']}>
            <Plural
              value={invalid}
              one="# has errors and is left out."
              other="# have errors and are left out."
            />
          </strong>
        )}
      </p>
      <FileWarnings {...preview} />
      {further.length > 0 && (
        <details>
          <summary>
            <Plural value={further.length} one="# more row with errors" other="# more rows with errors" />
          </summary>
          <RowErrors errors={further} label={t`Rows with errors`} />
        </details>
      )}
    </>
  );
}
