import { Trans, useLingui } from '@lingui/react/macro';
import { Suspense, useMemo } from 'react';
import { Link } from 'wouter';
import { useAddressParameter } from '../address.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../parts/states.tsx';
import { BoardContext } from './board-context.ts';
import { BoardFilters } from './filters.tsx';
import { LanesView } from './lanes-view.tsx';
import { BoardMap } from './map-slot.ts';
import { mapSource } from './map-source.ts';
import { BoardQuestion } from './question.tsx';
import { Toolbar } from './toolbar.tsx';
import { useBoard } from './use-board.ts';
import styles from './board.module.css';

/** The day of an organization: who has which task, what needs somebody, and the map beside. */
export default function BoardScreen() {
  const { t } = useLingui();
  const [date] = useAddressParameter('date');
  const [driver] = useAddressParameter('driver');
  const [merchant] = useAddressParameter('merchant');
  const [zone] = useAddressParameter('zone');
  const [map, showMap] = useAddressParameter('map');
  const { tools, board, error, refetch, question, ask } = useBoard({ date, driver, merchant, zone });
  const source = useMemo(() => mapSource(tools), [tools]);
  return (
    <BoardContext value={tools}>
      <section className={styles['board']} aria-label={t`Board`} data-board="">
        <BoardFilters date={board?.date ?? date}>
          <Button onClick={() => showMap(map === '1' ? undefined : '1')} aria-pressed={map === '1'}>
            <Trans>Map</Trans>
          </Button>
        </BoardFilters>
        {board?.isPartial === true && (
          <Notice kind="warning">
            <Trans>There are too many tasks to show all of them. Filter by merchant, zone or driver.</Trans>
          </Notice>
        )}
        {error !== null && <ReadFailure error={error} onRetry={() => void refetch()} />}
        {board === undefined ? (
          error === null && <Skeleton rows={8} />
        ) : (
          <div className={styles['panes']}>
            <LanesView />
            {map === '1' && (
              <div className={styles['map']}>
                <Suspense fallback={<Skeleton rows={4} />}>
                  <BoardMap source={source} />
                </Suspense>
              </div>
            )}
          </div>
        )}
        {board?.isEmpty === true && <EmptyDay />}
        {board !== undefined && <Toolbar />}
        <BoardQuestion question={question} onClose={() => ask(undefined)} />
      </section>
    </BoardContext>
  );
}

function EmptyDay() {
  return (
    <EmptyState title={<Trans>There is nothing to do on this day.</Trans>}>
      <p>
        <Trans>
          <Link href="/shipments">Create a shipment</Link>, or <Link href="/import">import a workbook</Link>.
        </Trans>
      </p>
    </EmptyState>
  );
}
