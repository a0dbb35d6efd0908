import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { lazy, memo, Suspense, useEffect, useRef } from 'react';
import { FAILURE_REASON_WORDS, PRIORITY_WORDS, TASK_TYPE_WORDS } from '../../shared/domain-words.ts';
import { dayOf, formatAmount, formatTime, formatWeekdayTime } from '../../shared/format.ts';
import { TaskStatusSign } from '../parts/status-sign.tsx';
import { useBoardTools, useCard, useDriver } from './board-context.ts';
import { dueMs, pinOf } from './lanes.ts';
import type { LaneKey } from './lanes.ts';
import type { BoardTask, Iri } from './rows.ts';
import type { Card as CardView, Mark } from './views.ts';
import { driverName } from './names.ts';
import styles from './card.module.css';

/** Its code is loaded with the first rejection. */
const RejectionNote = lazy(() =>
  import('./rejection-note.tsx').then((part) => ({ default: part.RejectionNote })),
);

interface Props {
  readonly task: Iri;
  readonly lane: LaneKey;
  /** Where it stands in its lane, from 0. */
  readonly index: number;
  /** Pixels from the lane's beginning. */
  readonly offset: number;
  readonly isTabStop: boolean;
  /** Another object asks the card to take the focus. */
  readonly focusRequest: object | undefined;
}

/** One task in a lane. It is drawn anew when something of it changes, and with no other card. */
export const Card = memo(function Card({ task, lane, index, offset, isTabStop, focusRequest }: Props) {
  const card = useCard(task);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focusRequest === undefined) return;
    element.current?.focus({ preventScroll: true });
    // The lane scrolls to it; where the window is small, the page must too.
    element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [focusRequest]);
  if (card === undefined) return null;
  const classes = [styles['row'], card.rejection !== undefined && styles['raised']];
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={card.isSelected}
      tabIndex={isTabStop ? 0 : -1}
      data-task={task}
      data-lane={lane}
      className={classes.filter(Boolean).join(' ')}
      style={{ transform: `translateY(${offset}px)` }}
    >
      <CardFace card={card} lane={lane} />
      {card.rejection !== undefined && (
        <Suspense fallback={null}>
          <RejectionNote task={card.task} rejection={card.rejection} />
        </Suspense>
      )}
    </div>
  );
});

function CardFace({ card, lane }: { readonly card: CardView; readonly lane: LaneKey }) {
  const { task, attention, mark } = card;
  const { i18n } = useLingui();
  const isMarked = mark !== undefined && mark !== 'applied';
  const tone = styles[pinOf(task, attention)];
  return (
    <div role="gridcell" className={`${styles['card']} ${tone} ${isMarked ? styles['marked'] : ''}`}>
      <div className={styles['line']}>
        <span className={styles['name']}>
          <TaskStatusSign status={task.status} isShort />{' '}
          {task.type !== 'delivery' && (
            <span className={styles['type']}>{i18n._(TASK_TYPE_WORDS[task.type])}</span>
          )}{' '}
          <bdi>{task.recipientName}</bdi>
        </span>
        <Window task={task} />
      </div>
      <div className={styles['line']}>
        <span className={styles['place']}>
          {isMarked ? <MarkText mark={mark} /> : <SecondLine card={card} lane={lane} />}
        </span>
        <Sums task={task} />
      </div>
    </div>
  );
}

function Sums({ task: { cashToCollect, priority } }: { readonly task: BoardTask }) {
  const { currency } = useBoardTools();
  const { i18n } = useLingui();
  const isUrgent = priority === 'urgent' || priority === 'high';
  return (
    <span className={styles['end']}>
      {isUrgent && (
        <span className={styles['urgent']} title={i18n._(PRIORITY_WORDS[priority])}>
          <span role="img" aria-label={i18n._(PRIORITY_WORDS[priority])}>
            ▲
          </span>
        </span>
      )}
      {cashToCollect !== '0.00' && <bdi>{formatAmount(cashToCollect, currency)}</bdi>}
    </span>
  );
}

function Window({ task: { after, before } }: { readonly task: BoardTask }) {
  const timeOf = useTimeOf();
  const { timeZone } = useBoardTools();
  const from = after === undefined ? '' : timeOf(after);
  const isOneDay = after && before && dayOf(new Date(after), timeZone) === dayOf(new Date(before), timeZone);
  const to = before === undefined ? '' : isOneDay ? formatTime(before, timeZone) : timeOf(before);
  if (from === '' && to === '') return null;
  if (to === '') return <End>{<Trans>from {from}</Trans>}</End>;
  if (from === '') return <End>{<Trans>by {to}</Trans>}</End>;
  return (
    <End>
      <bdi dir="ltr">
        {from}–{to}
      </bdi>
    </End>
  );
}

/** A time of the board's day; of another day with the day of the week. */
function useTimeOf(): (moment: string | Date) => string {
  const { timeZone, store } = useBoardTools();
  return (moment) => {
    const { day } = store.rows;
    const at = new Date(moment);
    const isThatDay = day === undefined || (at >= day.startsAt && at < day.endsAt);
    return isThatDay ? formatTime(at, timeZone) : formatWeekdayTime(at, timeZone);
  };
}

function End({ children }: { readonly children: ReactNode }) {
  return <span className={styles['end']}>{children}</span>;
}

/** Under «Needs you» why it is there; elsewhere the place. */
function SecondLine({
  card: { task, attention },
  lane,
}: {
  readonly card: CardView;
  readonly lane: LaneKey;
}) {
  const timeOf = useTimeOf();
  const { i18n } = useLingui();
  const driver = useDriver(task.driver ?? '');
  if (lane === 'attention') {
    const due = dueMs(task);
    const time = Number.isFinite(due) ? timeOf(new Date(due)) : '';
    return (
      <>
        <strong className={styles['why']}>
          {attention === 'late' && <Trans>Late, due {time}</Trans>}
          {attention === 'no_place' && <Trans>Not on the map</Trans>}
          {attention === 'failed' &&
            (task.failureReason === undefined ? (
              <Trans>Failed</Trans>
            ) : (
              i18n._(FAILURE_REASON_WORDS[task.failureReason])
            ))}
        </strong>{' '}
        {driver && <bdi>{driverName(driver)}</bdi>}
      </>
    );
  }
  const { street, city, landmark } = task;
  const place = [landmark, street, city].filter(Boolean).join(' · ');
  return <bdi>{place}</bdi>;
}

function MarkText({ mark }: { readonly mark: Mark }) {
  return (
    <span className={styles['mark']}>
      {mark === 'unsent' ? (
        <Trans>Not sent</Trans>
      ) : mark === 'unconfirmed' ? (
        <Trans>Not confirmed</Trans>
      ) : mark === 'pending' ? (
        <Trans>Accepted, not decided yet</Trans>
      ) : (
        <Trans>Sending…</Trans>
      )}
    </span>
  );
}
