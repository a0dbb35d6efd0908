import { useQuery } from '@tanstack/react-query';
import { keepPreviousData } from '@tanstack/react-query';
import { useAddressParameter } from '../../address.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../../parts/states.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { MakeDialog } from './make-dialog.tsx';
import type { RecordKind } from './record-kind.ts';
import { PAGE_SIZE } from './record-kind.ts';
import styles from '../settings.module.css';

const NEW = 'new';

/** The records of a kind as a table; `?edit=<id>` opens one of them, `?edit=new` makes one. */
export function RecordSection<Member extends { readonly id: string }, Row, Body extends object>({
  kind,
}: {
  readonly kind: RecordKind<Member, Row, Body>;
}) {
  const { words, name, columns } = kind;
  const [edited, open] = useAddressParameter('edit');
  const [pageText = '1', setPage] = useAddressParameter('page');
  const page = Math.max(1, Number.parseInt(pageText, 10) || 1);
  const found = useQuery({
    queryKey: [name, 'settings', page],
    queryFn: () => kind.list(page),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className={styles['header']}>
        <h2>{words.plural}</h2>
        <Button kind="primary" onClick={() => open(NEW)}>
          {words.make}
        </Button>
      </div>
      {found.isPending && <Skeleton rows={6} />}
      {found.isError && found.data === undefined && (
        <ReadFailure error={found.error} onRetry={() => void found.refetch()} />
      )}
      {found.data?.totalItems === 0 && <EmptyState title={words.empty} />}
      {found.data && found.data.totalItems > 0 && (
        <>
          <Table
            caption={words.plural}
            columns={columns}
            rows={found.data.member}
            keyOf={({ id }) => id}
            currentKey={edited}
          />
          {(found.data.totalItems > PAGE_SIZE || page > 1) && (
            <Pager
              page={page}
              itemsPerPage={PAGE_SIZE}
              totalItems={found.data.totalItems}
              isPlaceholderData={found.isPlaceholderData}
              onPage={(next, options) => setPage(next === 1 ? undefined : String(next), options)}
            />
          )}
        </>
      )}
      {edited === NEW && <MakeDialog kind={kind} onClose={() => open(undefined)} />}
      {edited !== undefined && edited !== NEW && (
        <ChangeDialog key={edited} kind={kind} id={edited} onClose={() => open(undefined)} />
      )}
    </>
  );
}
