import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { takesTasks } from '../../../domain/delivery-run.ts';
import { idOf } from '../../shared/client.ts';
import { formatDay } from '../../shared/format.ts';
import { useFreshQueries } from '../changes.tsx';
import type { Day } from '../day/day-rows.ts';
import { useDay } from '../day/use-day.ts';
import { ErrorNotice } from '../parts/notice.tsx';
import { ParameterLink } from '../parts/parameter-link.tsx';
import { ReadFailure, Skeleton } from '../parts/states.tsx';
import type { TaggedRecord } from '../parts/use-edit.ts';
import { useAction } from '../parts/use-action.ts';
import { AddTasks } from './add-tasks.tsx';
import { AssignmentResults } from './assignment-results.tsx';
import type { Assignment, Run } from './run-edits.ts';
import { addTasks, readRun, removeTask } from './run-edits.ts';
import { RunActions } from './run-actions.tsx';
import { RunStatusSign } from './run-status-sign.tsx';
import { RunStops } from './run-stops.tsx';
import styles from './runs.module.css';

interface Props {
  readonly id: string;
  /** Called when the run was deleted. */
  readonly onGone: () => void;
}

/** One run: who drives it, its tasks in order, and what can be done with it. */
export function RunPane({ id, onGone }: Props) {
  const { t } = useLingui();
  const read = useQuery({ queryKey: ['runs', id], queryFn: () => readRun(id) });
  useFreshQueries(['DeliveryRun', 'Task'], ['runs', id]);
  return (
    <section className={styles['pane']} aria-label={t`Run`}>
      {read.error !== null && <ReadFailure error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <Skeleton rows={6} />}
      {read.data && <ShownRun run={read.data} onGone={onGone} />}
    </section>
  );
}

function ShownRun({ run, onGone }: { readonly run: TaggedRecord<Run>; readonly onGone: () => void }) {
  const { body } = run;
  const day = useDay(body.date);
  const queries = useQueryClient();
  const [results, setResults] = useState<readonly Assignment[]>();
  const remove = useAction(async (taskId: string) => {
    await removeTask(body.id, taskId);
    await queries.invalidateQueries({ queryKey: ['runs', body.id] });
  });
  const keep = (answer: TaggedRecord<Run>) => {
    queries.setQueryData(['runs', body.id], answer);
    void queries.invalidateQueries({ queryKey: ['day'] });
    setResults(answer.body.assignments);
  };
  const planning = body.status === 'cancelled' ? 'cancelled' : 'planned';
  return (
    <>
      <RunHead run={body} day={day.data} />
      <RunActions run={run} onChanged={keep} onGone={onGone} />
      {results !== undefined && (
        <AssignmentResults
          results={results}
          tasks={body.tasks}
          day={day.data}
          onClose={() => setResults(undefined)}
        />
      )}
      {remove.error !== undefined && <ErrorNotice error={remove.error} />}
      <RunStops run={run} day={day.data} onRemove={(id) => void remove.run(id)} />
      {takesTasks(planning, body.status) && (
        <AddTasks
          day={day.data}
          add={async (ids) => {
            keep(await addTasks(body.id, ids));
          }}
        />
      )}
    </>
  );
}

function RunHead({ run, day }: { readonly run: Run; readonly day: Day | undefined }) {
  const { driver, name, reference } = run;
  const found = driver === undefined ? undefined : day?.drivers.find(({ id }) => id === idOf(driver));
  return (
    <div>
      <div className={styles['head']}>
        <h2>
          <bdi>{name ?? reference}</bdi>
        </h2>
        <RunStatusSign status={run.status} />
      </div>
      <p className={styles['quiet']}>
        {formatDay(run.date)} · <bdi dir="ltr">{reference}</bdi> ·{' '}
        {driver === undefined ? (
          <Trans>no driver yet</Trans>
        ) : (
          <ParameterLink name="driver" value={idOf(driver)}>
            <bdi>{found === undefined ? <Trans>Driver</Trans> : `${found.firstName} ${found.lastName}`}</bdi>
          </ParameterLink>
        )}
      </p>
    </div>
  );
}
