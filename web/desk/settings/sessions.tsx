import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '../../shared/client.ts';
import { answer, api, done, idOf } from '../../shared/client.ts';
import { formatDateTime } from '../../shared/format.ts';
import { programName } from '../../shared/program-name.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { ReadFailure, Skeleton } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { useAction } from '../parts/use-action.ts';
import { LARGEST_PAGE, readAll } from '../read-all.ts';
import { useSession } from '../session.tsx';
import styles from './settings.module.css';

type Row = Schemas['SessionCollection']['member'][number];

/** Where the person is signed in: each browser and app, which can be signed out from here. */
export function OwnSessions() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { session } = useSession();
  const user = session.user['@id'];
  const found = useQuery({ queryKey: ['sessions', user], queryFn: () => readOwn(user) });
  const again = () => queries.invalidateQueries({ queryKey: ['sessions'] });
  const ending = useAction(async (id: string) => {
    await done(api.DELETE('/sessions/{id}', { params: { path: { id } } }));
    await again();
  });
  const endingOthers = useAction(async () => {
    await answer(api.POST('/sessions/end-others'));
    await again();
  });
  const columns = useColumns((id) => void ending.run(id));
  const error = ending.error ?? endingOthers.error;
  const rows = found.data ?? [];
  return (
    <section className={styles['content']}>
      <h3>
        <Trans>Where you are signed in</Trans>
      </h3>
      {found.isPending && <Skeleton rows={3} />}
      {found.isError && <ReadFailure error={found.error} onRetry={() => void found.refetch()} />}
      {rows.length > 0 && (
        <PagedTable
          caption={t`Where you are signed in`}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
      {error !== undefined && (
        <div role="alert">
          <ErrorNotice error={error} />
        </div>
      )}
      {rows.length > 1 && (
        <div>
          <Button kind="danger" isPending={endingOthers.isPending} onClick={() => void endingOthers.run()}>
            <Trans>Sign out everywhere else</Trans>
          </Button>
        </div>
      )}
    </section>
  );
}

function readOwn(user: string): Promise<readonly Row[]> {
  return readAll((page) =>
    answer(
      api.GET('/sessions', {
        params: { query: { user: idOf(user), page, itemsPerPage: LARGEST_PAGE, 'order[updatedAt]': 'desc' } },
      }),
    ),
  );
}

function useColumns(onEnd: (id: string) => void): readonly Column<Row>[] {
  const { t } = useLingui();
  const { timezone } = useSession().session.organization;
  return [
    {
      key: 'program',
      title: <Trans>Program</Trans>,
      isRowHeader: true,
      cell: (row) => <Program row={row} />,
    },
    {
      key: 'address',
      title: <Trans>Network address</Trans>,
      cell: ({ address }) => <bdi dir="ltr">{address ?? '–'}</bdi>,
    },
    {
      key: 'used',
      title: <Trans>Last used</Trans>,
      cell: ({ lastUsedAt }) => formatDateTime(lastUsedAt, timezone),
    },
    {
      key: 'opened',
      title: <Trans>Signed in</Trans>,
      cell: ({ createdAt }) => formatDateTime(createdAt, timezone),
    },
    {
      key: 'end',
      title: <Trans>Sign out</Trans>,
      cell: (row) => {
        if (row.isCurrent) return <Trans>This is here</Trans>;
        const program = programName(row.userAgent);
        return (
          <Button kind="quiet" onClick={() => onEnd(row.id)} aria-label={t`Sign out: ${program}`}>
            <Trans>Sign out</Trans>
          </Button>
        );
      },
    },
  ];
}

function Program({ row: { kind, userAgent } }: { readonly row: Row }) {
  const name = programName(userAgent);
  return (
    <>
      <bdi>{name === '' ? <Trans>An unknown program</Trans> : name}</bdi>
      {kind === 'token' && (
        <>
          {' '}
          <span className={styles['quiet']}>
            (<Trans>app</Trans>)
          </span>
        </>
      )}
    </>
  );
}
