import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime, formatNumber } from '../../shared/format.ts';
import { useFreshQueries } from '../changes.tsx';
import { ParameterLink } from '../parts/parameter-link.tsx';
import { ReadFailure, Skeleton } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Table } from '../parts/table.tsx';
import { useSession } from '../session.tsx';
import type { ImportRow } from './import-requests.ts';
import { isUnderWay, readImports } from './import-requests.ts';
import { ImportStatusSign } from './import-status.tsx';

const LOOK_EVERY_MS = 2_000;

/** Imports of the last day: also those whose page was closed. */
export function ImportList({ current }: { readonly current: string | undefined }) {
  const { t } = useLingui();
  const columns = useColumns();
  const read = useQuery({
    queryKey: ['imports', 'list'],
    queryFn: readImports,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) === true ? LOOK_EVERY_MS : false),
  });
  useFreshQueries(['Import'], ['imports']);
  if (read.isPending) return <Skeleton rows={3} />;
  if (read.data === undefined) return <ReadFailure error={read.error} onRetry={() => void read.refetch()} />;
  if (read.data.length === 0) return null;
  return (
    <section>
      <h2>
        <Trans>Imports of the last 24 hours</Trans>
      </h2>
      <Table
        caption={t`Imports`}
        columns={columns}
        rows={read.data}
        keyOf={({ id }) => id}
        currentKey={current}
      />
    </section>
  );
}

function useColumns(): readonly Column<ImportRow>[] {
  const { t } = useLingui();
  const { session } = useSession();
  const { timezone } = session.organization;
  return [
    {
      key: 'file',
      title: <Trans>File</Trans>,
      isRowHeader: true,
      cell: ({ id, fileName }) => (
        <ParameterLink name="import" value={id}>
          <bdi>{fileName ?? t`Workbook`}</bdi>
        </ParameterLink>
      ),
    },
    { key: 'user', title: <Trans>By</Trans>, cell: ({ userName }) => <bdi>{userName}</bdi> },
    { key: 'when', title: <Trans>When</Trans>, cell: ({ createdAt }) => formatDateTime(createdAt, timezone) },
    {
      key: 'status',
      title: <Trans>Status</Trans>,
      cell: ({ status }) => <ImportStatusSign status={status} />,
    },
    {
      key: 'created',
      title: <Trans>Imported</Trans>,
      isNumber: true,
      cell: ({ created }) => formatNumber(created),
    },
    {
      key: 'failed',
      title: <Trans>Left out</Trans>,
      isNumber: true,
      cell: ({ failed }) => formatNumber(failed),
    },
  ];
}
