import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { ReactNode } from 'react';
import { memo, useCallback, useEffect, useId, useRef } from 'react';
import { formatAmount, formatNumber } from '../../shared/format.ts';
import { isNowhere } from '../parts/focus.ts';
import { useBoardTools, useDriver, useLane, useLaneFocus, useTopic } from './board-context.ts';
import { Card } from './card.tsx';
import { isDriverLane } from './lanes.ts';
import type { LaneKey } from './lanes.ts';
import type { Iri } from './rows.ts';
import { driverName } from './names.ts';
import styles from './lane.module.css';

/** A card of 56 px and the space below it. */
const ROW_PX = 60;
/** Room below the last card for what is said of it. */
const END_PX = 140;

/** One lane: its name, how much is in it, and its cards, of which only those in sight are in the page. */
export const Lane = memo(function Lane({ lane }: { readonly lane: LaneKey }) {
  const { order, total, cash } = useLane(lane);
  const { drag } = useBoardTools();
  const titleId = useId();
  const drop = useTopic(`drop ${lane}`, () => drag.of(lane));
  const classes = [styles['lane'], drop !== undefined && styles['over']];
  return (
    <section
      className={classes.filter(Boolean).join(' ')}
      aria-labelledby={titleId}
      data-drop={lane}
      data-shown={order.length}
    >
      <header className={styles['header']}>
        <h2 id={titleId} className={styles['title']}>
          <LaneName lane={lane} />
        </h2>
        <LaneSums lane={lane} shown={order.length} total={total} cash={cash} />
      </header>
      <Cards lane={lane} order={order} titleId={titleId} dropBefore={drop?.before} />
    </section>
  );
});

function LaneName({ lane }: { readonly lane: LaneKey }) {
  const driver = useDriver(lane);
  if (lane === 'attention') return <Trans>Needs you</Trans>;
  if (lane === 'unassigned') return <Trans>Unassigned</Trans>;
  if (lane === 'done') return <Trans>Done</Trans>;
  if (driver === undefined) return <Trans>Driver who is no longer there</Trans>;
  return (
    <>
      <bdi>{driverName(driver)}</bdi>
      {!driver.isAvailable && (
        <span className={styles['off']}>
          {' '}
          <Trans>off duty</Trans>
        </span>
      )}
    </>
  );
}

interface SumsProps {
  readonly lane: LaneKey;
  readonly shown: number;
  readonly total: number;
  readonly cash: string;
}

function LaneSums({ lane, shown, total, cash }: SumsProps): ReactNode {
  const [found, all] = [formatNumber(shown), formatNumber(total)];
  const { currency } = useBoardTools();
  const hasCash = cash !== '0.00' && (isDriverLane(lane) || lane === 'unassigned');
  return (
    <span className={styles['sums']}>
      <span className={styles['count']}>
        {shown === total ? (
          <Plural value={total} one="# task" other="# tasks" />
        ) : (
          <Trans>
            {found} of {all}
          </Trans>
        )}
      </span>
      {hasCash && <bdi>{formatAmount(cash, currency)}</bdi>}
    </span>
  );
}

interface CardsProps {
  readonly lane: LaneKey;
  readonly order: readonly Iri[];
  readonly titleId: string;
  readonly dropBefore: Iri | null | undefined;
}

function Cards({ lane, order, titleId, dropBefore }: CardsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const focus = useLaneFocus(lane);
  const focused = focus === undefined ? -1 : order.indexOf(focus.task);
  // The rule is for React's compiler, which would keep what the library changes; this build has none.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtualizer = useVirtualizer({
    count: order.length,
    getScrollElement: useCallback(() => scroller.current, []),
    estimateSize: useCallback(() => ROW_PX, []),
    getItemKey: useCallback((index: number) => order[index] ?? index, [order]),
    overscan: 1,
    paddingEnd: END_PX,
    // The card with the focus stays in the page, wherever the lane is scrolled to.
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) =>
        withIndex(defaultRangeExtractor(range), focused),
      [focused],
    ),
  });
  const request = focus?.request;
  useEffect(() => {
    if (request !== undefined && focused >= 0) virtualizer.scrollToIndex(focused);
  }, [request, focused, virtualizer]);
  useLostFocus(lane, order, focused);
  const tabStop = focused >= 0 ? focused : 0;
  const line = dropBefore === undefined ? -1 : dropBefore === null ? order.length : order.indexOf(dropBefore);
  return (
    <div ref={scroller} className={styles['scroller']}>
      {order.length === 0 ? (
        <EmptyLane lane={lane} />
      ) : (
        <div
          role="grid"
          aria-labelledby={titleId}
          aria-multiselectable="true"
          aria-rowcount={order.length}
          className={styles['canvas']}
          style={{ blockSize: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, start, key }) => (
            <Card
              key={key}
              task={order[index] ?? ''}
              lane={lane}
              index={index}
              offset={start}
              isTabStop={index === tabStop}
              focusRequest={index === focused ? request : undefined}
            />
          ))}
        </div>
      )}
      {line >= 0 && (
        <div className={styles['line']} style={{ transform: `translateY(${line * ROW_PX - 3}px)` }} />
      )}
    </div>
  );
}

function EmptyLane({ lane }: { readonly lane: LaneKey }) {
  return (
    <p className={styles['empty']}>
      {lane === 'attention' ? (
        <Trans>Nothing needs you.</Trans>
      ) : lane === 'unassigned' ? (
        <Trans>Everything has a driver.</Trans>
      ) : lane === 'done' ? (
        <Trans>Nothing is done yet.</Trans>
      ) : (
        <Trans>No tasks.</Trans>
      )}
    </p>
  );
}

/** When the card that has the focus leaves its lane without a person's act, the one in its place takes the focus. */
function useLostFocus(lane: LaneKey, order: readonly Iri[], focused: number): void {
  const { focus } = useBoardTools();
  const { t } = useLingui();
  const last = useRef(-1);
  useEffect(() => {
    if (focused >= 0) {
      last.current = focused;
      return;
    }
    const next = order[Math.min(last.current, order.length - 1)];
    if (last.current < 0 || next === undefined || focus.at?.lane !== lane) return;
    last.current = -1;
    if (focus.isInside && isNowhere(document.activeElement)) focus.request(lane, next);
  }, [focus, lane, order, focused, t]);
}

function withIndex(indexes: number[], index: number): number[] {
  if (index < 0 || indexes.includes(index)) return indexes;
  return [...indexes, index].sort((one, other) => one - other);
}
