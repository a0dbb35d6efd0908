import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAddressParameter } from '../address.ts';
import { useFreshQueries } from '../changes.tsx';
import { ScreenHeader } from '../parts/screen-header.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../parts/states.tsx';
import { Pager } from '../parts/table.tsx';
import { useShipmentPage } from '../shipments/reads.ts';
import { Inbox } from './inbox.tsx';
import type { ApprovalResults } from './results.tsx';
import { Results } from './results.tsx';

const ITEMS_PER_PAGE = 100;

/** What merchants asked for and nobody has approved yet, the oldest first. */
export default function ApprovalsScreen() {
  const { t } = useLingui();
  const [pageParameter, setPage] = useAddressParameter('page');
  const [results, setResults] = useState<ApprovalResults>();
  const number = Math.max(1, Number.parseInt(pageParameter ?? '1', 10) || 1);
  const page = useShipmentPage(
    new URLSearchParams({
      status: 'pending_approval',
      'order[createdAt]': 'asc',
      page: String(number),
      itemsPerPage: String(ITEMS_PER_PAGE),
    }),
  );
  useFreshQueries(['Shipment'], ['shipments', 'list']);
  const count = page.data?.totalItems ?? 0;
  return (
    <>
      <ScreenHeader title={<Trans>Approvals</Trans>}>
        {page.data && (
          <span role="status">
            <Plural value={count} one="# request awaits approval" other="# requests await approval" />
          </span>
        )}
      </ScreenHeader>
      {results && <Results results={results} />}
      {page.isPending && <Skeleton rows={8} />}
      {page.isError && <ReadFailure error={page.error} onRetry={() => void page.refetch()} />}
      {page.data?.totalItems === 0 && (
        <EmptyState title={t`Nothing awaits approval`}>
          <p>
            <Trans>Shipments that merchants make or import appear here.</Trans>
          </p>
        </EmptyState>
      )}
      {page.data && page.data.totalItems > 0 && (
        <>
          <Inbox rows={page.data.member} onResults={setResults} />
          <Pager
            page={number}
            itemsPerPage={ITEMS_PER_PAGE}
            totalItems={page.data.totalItems}
            isPlaceholderData={page.isPlaceholderData}
            onPage={(next, options) => setPage(next === 1 ? undefined : String(next), options)}
          />
        </>
      )}
    </>
  );
}
