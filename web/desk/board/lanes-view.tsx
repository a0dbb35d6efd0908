import { useLingui } from '@lingui/react/macro';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { FocusEvent } from 'react';
import { useCallback, useEffect, useRef } from 'react';
import { isNowhere } from '../parts/focus.ts';
import { focusBoard } from './acts.ts';
import { useBoardTools, useTopic } from './board-context.ts';
import { registerDrag } from './drag.ts';
import { useCardClicks, useCardKeys, usePageKeys } from './keys.ts';
import { Lane } from './lane.tsx';
import type { LaneKey } from './lanes.ts';
import { TOPICS } from './views.ts';
import styles from './board.module.css';

/** A lane and the space after it. */
const LANE_PX = 288;

/** The lanes side by side: what needs somebody first and always in sight, then the drivers, then what is done. */
export function LanesView() {
  const tools = useBoardTools();
  const { t } = useLingui();
  const board = useRef<HTMLDivElement>(null);
  const onKeyDown = useCardKeys();
  const clicks = useCardClicks();
  useEffect(() => {
    if (board.current === null) return undefined;
    return registerDrag(board.current, tools, tools.drag, (tasks) => {
      const [first] = tasks;
      const count = tasks.length;
      return count > 1 ? t`${count} cards` : (tools.store.task(first ?? '')?.recipientName ?? '');
    });
  }, [tools, t]);
  useEffect(() => {
    // The keys work immediately, unless the person has gone somewhere already.
    if (isNowhere(document.activeElement)) focusBoard(tools);
  }, [tools]);
  usePageKeys();
  const onFocus = ({ target }: FocusEvent) => {
    const card = target.closest('[data-task]');
    if (!(card instanceof HTMLElement)) return;
    const { task, lane } = card.dataset;
    if (task !== undefined && lane !== undefined) tools.focus.note(lane, task);
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    // A card that is taken away leaves the focus nowhere; another place that takes it is outside of the board.
    if (relatedTarget !== null && !board.current?.contains(relatedTarget)) tools.focus.leave();
  };
  return (
    <div
      ref={board}
      className={styles['lanes']}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onBlur={onBlur}
      {...clicks}
    >
      <div className={styles['pinned']}>
        <Lane lane="attention" />
        <Lane lane="unassigned" />
      </div>
      <DriverLanes />
    </div>
  );
}

function DriverLanes() {
  const { store, focus } = useBoardTools();
  const { t, i18n } = useLingui();
  const scroller = useRef<HTMLDivElement>(null);
  const drivers = useTopic(TOPICS.lanes, () => store.driverLanes());
  const lanes: readonly LaneKey[] = [...drivers, 'done'];
  const at = useTopic('focus', () => focus.at);
  const focused = at === undefined ? -1 : lanes.indexOf(at.lane);
  // The rule is for React's compiler, which would keep what the library changes; this build has none.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtualizer = useVirtualizer({
    horizontal: true,
    isRtl: i18n.locale === 'ar',
    count: lanes.length,
    getScrollElement: useCallback(() => scroller.current, []),
    estimateSize: useCallback(() => LANE_PX, []),
    getItemKey: (index) => lanes[index] ?? index,
    overscan: 0,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return focused < 0 || indexes.includes(focused)
        ? indexes
        : [...indexes, focused].sort((one, other) => one - other);
    },
  });
  useEffect(() => {
    if (focused >= 0) virtualizer.scrollToIndex(focused);
  }, [focused, virtualizer]);
  return (
    <div ref={scroller} className={styles['drivers']} tabIndex={-1} role="region" aria-label={t`Drivers`}>
      <div className={styles['row']} style={{ inlineSize: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => (
          <div key={key} className={styles['slot']} style={{ insetInlineStart: start }}>
            <Lane lane={lanes[index] ?? 'done'} />
          </div>
        ))}
      </div>
    </div>
  );
}
