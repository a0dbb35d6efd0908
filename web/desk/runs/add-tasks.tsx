import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { STAGE_OF_STATUS } from '../../../domain/delivery-run.ts';
import { idOf } from '../../shared/client.ts';
import { TASK_TYPE_WORDS } from '../../shared/domain-words.ts';
import { matches, searchWords } from '../../../domain/text-search.ts';
import { formatList } from '../../shared/format.ts';
import type { Day, DayTask } from '../day/day-rows.ts';
import { TaskWindow } from '../day/task-window.tsx';
import { Button } from '../parts/button.tsx';
import { CheckField, TextField } from '../parts/fields.tsx';
import form from '../parts/form.module.css';
import { ErrorNotice } from '../parts/notice.tsx';
import { EmptyState } from '../parts/states.tsx';
import { useAction } from '../parts/use-action.ts';
import styles from './runs.module.css';

interface Props {
  /** The day of the run; its tasks without a run are offered. */
  readonly day: Day | undefined;
  readonly add: (taskIds: readonly string[]) => Promise<void>;
}

/** More are found by a search. */
const SHOWN_TASKS = 50;

/** Looks for tasks that are in no run, and adds those that are ticked. */
export function AddTasks({ day, add }: Props) {
  const { t } = useLingui();
  const [search, setSearch] = useState('');
  const [isFreeOnly, setIsFreeOnly] = useState(true);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const found = candidates(day, search, isFreeOnly);
  const ids = [...chosen].filter((id) => day?.tasks.some((task) => task.id === id && isAddable(task)));
  const action = useAction(async () => {
    await add(ids);
    setChosen(new Set());
  });
  const choose = (id: string, isChosen: boolean) =>
    setChosen(new Set(isChosen ? [...chosen, id] : [...chosen].filter((other) => other !== id)));
  return (
    <section className={form['form']}>
      <h3>
        <Trans>Add tasks</Trans>
      </h3>
      <TextField
        label={t`Search tasks without a run`}
        hint={t`Recipient, street, city or tracking number`}
        type="search"
        value={search}
        onChange={setSearch}
      />
      <CheckField label={t`Only tasks without a driver`} value={isFreeOnly} onChange={setIsFreeOnly} />
      <Candidates {...{ day, found, chosen }} onChoose={choose} />
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      <div className={form['actions']}>
        <Button
          kind="primary"
          disabled={ids.length === 0}
          isPending={action.isPending}
          onClick={() => void action.run()}
        >
          <Plural value={ids.length} one="Add # task" other="Add # tasks" />
        </Button>
      </div>
    </section>
  );
}

interface CandidatesProps {
  readonly day: Day | undefined;
  readonly found: readonly DayTask[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (id: string, isChosen: boolean) => void;
}

function Candidates({ day, found, chosen, onChoose }: CandidatesProps) {
  const further = Math.max(0, found.length - SHOWN_TASKS);
  return (
    <>
      {found.length === 0 ? (
        <EmptyState title={<Trans>No such task.</Trans>} />
      ) : (
        <ul className={styles['candidates']}>
          {found.slice(0, SHOWN_TASKS).map((task) => (
            <Candidate
              key={task.id}
              task={task}
              driver={driverOf(day, task)}
              isChosen={chosen.has(task.id)}
              onChoose={(isChosen) => onChoose(task.id, isChosen)}
            />
          ))}
        </ul>
      )}
      {further > 0 && (
        <p className={styles['quiet']}>
          <Plural value={further} one="# more; search to find it." other="# more; search to find them." />
        </p>
      )}
    </>
  );
}

interface CandidateProps {
  readonly task: DayTask;
  readonly driver: string;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

function Candidate({ task, driver, isChosen, onChoose }: CandidateProps) {
  const { i18n } = useLingui();
  return (
    <li className={styles['candidate']}>
      <label>
        <input type="checkbox" checked={isChosen} onChange={(event) => onChoose(event.target.checked)} />
        <span>
          <bdi>{task.recipientName}</bdi>
          <br />
          <span className={styles['quiet']}>
            {i18n._(TASK_TYPE_WORDS[task.type])} ·{' '}
            <bdi>
              {formatList(
                [task.street, task.city].flatMap((part) => (part === undefined || part === '' ? [] : [part])),
              )}
            </bdi>
            {driver !== '' && (
              <>
                {' · '}
                <bdi>{driver}</bdi>
              </>
            )}
          </span>
        </span>
        <TaskWindow task={task} />
      </label>
    </li>
  );
}

function isAddable({ deliveryRun, status }: DayTask): boolean {
  return deliveryRun === undefined && ['open', 'underway'].includes(STAGE_OF_STATUS[status]);
}

function candidates(day: Day | undefined, search: string, isFreeOnly: boolean): readonly DayTask[] {
  const words = searchWords(search);
  return (day?.tasks ?? []).filter((task) => {
    if (!isAddable(task) || (isFreeOnly && task.driver !== undefined)) return false;
    const { recipientName, street = '', city = '', trackingNumber } = task;
    return matches(words, `${recipientName} ${street} ${city} ${trackingNumber}`);
  });
}

function driverOf(day: Day | undefined, { driver }: DayTask): string {
  const found = driver === undefined ? undefined : day?.drivers.find(({ id }) => id === idOf(driver));
  return found === undefined ? '' : `${found.firstName} ${found.lastName}`;
}
