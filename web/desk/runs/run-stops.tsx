import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { canLeaveRun } from '../../../domain/delivery-run.ts';
import { idOf } from '../../shared/client.ts';
import { TASK_TYPE_WORDS } from '../../shared/domain-words.ts';
import { formatAmount, formatList } from '../../shared/format.ts';
import type { Day, DayTask } from '../day/day-rows.ts';
import { TaskWindow } from '../day/task-window.tsx';
import { Button } from '../parts/button.tsx';
import { ConflictNotice } from '../parts/conflict.tsx';
import { isNowhere } from '../parts/focus.ts';
import { ErrorNotice } from '../parts/notice.tsx';
import { ParameterLink } from '../parts/parameter-link.tsx';
import { EmptyState } from '../parts/states.tsx';
import { TaskStatusSign } from '../parts/status-sign.tsx';
import type { TaggedRecord } from '../parts/use-edit.ts';
import { useSession } from '../session.tsx';
import type { Run, RunTask } from './run-edits.ts';
import styles from './runs.module.css';
import type { RunOrder } from './use-run-order.ts';
import { useRunOrder } from './use-run-order.ts';

interface Props {
  readonly run: TaggedRecord<Run>;
  readonly day: Day | undefined;
  readonly onRemove: (taskId: string) => void;
}

/** The tasks of a run in their order; buttons and alt with an arrow key change it. */
export function RunStops({ run, day, onRemove }: Props) {
  const { t } = useLingui();
  const stops = useRunOrder(run);
  const [said, setSaid] = useState('');
  const { tasks } = run.body;
  const known = new Map((day?.tasks ?? []).map((task) => [task.id, task]));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const nameOf = (id: string) => known.get(id)?.recipientName ?? byId.get(id)?.trackingNumber ?? id;
  const count = tasks.length;
  const { list, leaving } = useNextStop(count);
  const move = (id: string, by: -1 | 1) => {
    const place = stops.order.indexOf(id) + 1 + by;
    if (place < 1 || place > count) return;
    stops.move(id, by);
    setSaid(t`${nameOf(id)} is now number ${place} of ${count}.`);
  };
  if (count === 0) return <NoStops isCancelled={run.body.status === 'cancelled'} />;
  return (
    <div>
      <OrderConflict stops={stops} nameOf={nameOf} />
      {stops.error !== undefined && <ErrorNotice error={stops.error} />}
      <p className={styles['quiet']} id="run-stops-help">
        <Plural value={count} one="# task." other="# tasks." />{' '}
        <Trans>Change the order with the arrow buttons, or with Alt and ↑ or ↓ on a task.</Trans>
      </p>
      <ol
        ref={list}
        className={styles['stops']}
        aria-describedby="run-stops-help"
        aria-busy={stops.isPending}
      >
        {stops.order.map((id, index) => {
          const task = byId.get(id);
          if (task === undefined) return null;
          return (
            <Stop
              key={id}
              {...{ task, index, count }}
              shown={known.get(id)}
              name={nameOf(id)}
              onMove={(by) => move(id, by)}
              onRemove={() => {
                leaving.current = index;
                onRemove(id);
              }}
            />
          );
        })}
      </ol>
      <p className={styles['quiet']} role="status">
        {said}
      </p>
    </div>
  );
}

function NoStops({ isCancelled }: { readonly isCancelled: boolean }) {
  return (
    <EmptyState
      title={
        isCancelled ? <Trans>No tasks.</Trans> : <Trans>This run has no tasks yet. Add some below.</Trans>
      }
    />
  );
}

/** Gives the focus to the stop that takes the place of one that was removed: the button that had it is gone with its stop. */
function useNextStop(count: number) {
  const list = useRef<HTMLOListElement>(null);
  const leaving = useRef<number>(undefined);
  useEffect(() => {
    const index = leaving.current;
    leaving.current = undefined;
    if (index === undefined || !isNowhere(document.activeElement)) return;
    const stop = list.current?.children[Math.min(index, count - 1)];
    stop?.querySelector<HTMLElement>('button:last-of-type')?.focus();
  }, [count]);
  return { list, leaving };
}

interface ConflictProps {
  readonly stops: RunOrder;
  readonly nameOf: (taskId: string) => string;
}

/** The order that somebody else made meanwhile, beside one's own. */
function OrderConflict({ stops, nameOf }: ConflictProps) {
  const { t } = useLingui();
  if (stops.conflict === undefined) return null;
  const { mine, theirs } = stops.conflict;
  const textOf = (order: readonly string[]) =>
    order.map((id, index) => `${index + 1}. ${nameOf(id)}`).join('\n');
  const fields = [
    {
      label: t`Order`,
      before: '',
      mine: textOf(mine),
      theirs: textOf(theirs.body.tasks.map(({ id }) => id)),
    },
  ];
  return (
    <ConflictNotice
      fields={fields}
      isPending={stops.isPending}
      onTakeTheirs={stops.takeTheirs}
      onKeepMine={stops.keepMine}
    />
  );
}

interface StopProps {
  readonly task: RunTask;
  /** The task as the day shows it: with the recipient and the amount. */
  readonly shown: DayTask | undefined;
  readonly name: string;
  readonly index: number;
  readonly count: number;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

function Stop({ task, shown, name, index, count, onMove, onRemove }: StopProps) {
  const { t } = useLingui();
  const byKey = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li className={styles['stop']} onKeyDown={byKey}>
      <span className={styles['place']}>{index + 1}</span>
      <StopFacts task={task} shown={shown} name={name} />
      <TaskStatusSign status={task.status} />
      <span className={styles['tools']}>
        {/* At an end of the run a button does nothing, and keeps the focus. */}
        <Button
          kind="quiet"
          aria-label={t`Move ${name} up`}
          aria-disabled={index === 0}
          onClick={() => onMove(-1)}
        >
          <span aria-hidden="true">↑</span>
        </Button>
        <Button
          kind="quiet"
          aria-label={t`Move ${name} down`}
          aria-disabled={index === count - 1}
          onClick={() => onMove(1)}
        >
          <span aria-hidden="true">↓</span>
        </Button>
        <Button
          kind="quiet"
          aria-label={t`Remove ${name} from the run`}
          disabled={!canLeaveRun(task.status)}
          onClick={onRemove}
        >
          <span aria-hidden="true">✕</span>
        </Button>
      </span>
    </li>
  );
}

function StopFacts({ task, shown, name }: Pick<StopProps, 'task' | 'shown' | 'name'>) {
  const { i18n } = useLingui();
  const { session } = useSession();
  const { street, city } = task.address;
  return (
    <span className={styles['what']}>
      <ParameterLink name="shipment" value={idOf(task.shipment)}>
        <bdi>{name}</bdi>
      </ParameterLink>
      <br />
      <span className={styles['quiet']}>
        {i18n._(TASK_TYPE_WORDS[task.type])} · <bdi>{formatList([street, city])}</bdi> ·{' '}
        <TaskWindow task={task} />
        {shown !== undefined && Number(shown.cashToCollect) > 0 && (
          <>
            {' · '}
            <bdi>{formatAmount(shown.cashToCollect, session.organization.currency)}</bdi>
          </>
        )}
      </span>
    </span>
  );
}
