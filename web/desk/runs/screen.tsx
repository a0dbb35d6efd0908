import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { taskTotal, STAGE_OF_STATUS } from '../../../domain/delivery-run.ts';
import type { StageCounts } from '../../../domain/delivery-run.ts';
import { idOf } from '../../shared/client.ts';
import { formatDay, formatNumber } from '../../shared/format.ts';
import { useAddressParameter } from '../address.ts';
import type { Day, DayRun } from '../day/day-rows.ts';
import { useDay, useToday } from '../day/use-day.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { ParameterLink } from '../parts/parameter-link.tsx';
import { ScreenHeader } from '../parts/screen-header.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { RunDialog } from './run-dialog.tsx';
import { RunPane } from './run-pane.tsx';
import { RunStatusSign } from './run-status-sign.tsx';
import styles from './runs.module.css';

/** A day's delivery runs, and one of them with its tasks in order: `?date=2026-03-12&run=<id>`. */
export default function RunsScreen() {
  const { t } = useLingui();
  const today = useToday();
  const [date = today, setDate] = useAddressParameter('date');
  const [run, openRun] = useAddressParameter('run');
  const day = useDay(date);
  const [isCreating, setIsCreating] = useState(false);
  return (
    <>
      <ScreenHeader title={<Trans>Runs</Trans>}>
        <TextField
          label={t`Day`}
          type="date"
          value={date}
          onChange={(value) => setDate(value === '' || value === today ? undefined : value)}
        />
        <Button kind="primary" onClick={() => setIsCreating(true)}>
          <Trans>New run</Trans>
        </Button>
      </ScreenHeader>
      <div className={styles['panes']}>
        <section aria-label={t`Runs of the day`}>
          {day.isPending && <Skeleton rows={6} />}
          {day.error !== null && day.data === undefined && (
            <ReadFailure error={day.error} onRetry={() => void day.refetch()} />
          )}
          {day.data && <RunTable day={day.data} current={run} />}
        </section>
        {run === undefined ? (
          <EmptyState title={<Trans>Choose a run to see its tasks.</Trans>} />
        ) : (
          <RunPane key={run} id={run} onGone={() => openRun(undefined)} />
        )}
      </div>
      {isCreating && (
        <RunDialog
          date={date}
          onClose={() => setIsCreating(false)}
          onDone={(id) => {
            setIsCreating(false);
            openRun(id);
          }}
        />
      )}
    </>
  );
}

function RunTable({ day, current }: { readonly day: Day; readonly current: string | undefined }) {
  const { t } = useLingui();
  const columns = useColumns(day);
  const name = formatDay(day.date);
  if (day.runs.length === 0) {
    return (
      <EmptyState title={<Trans>There are no runs on {name}.</Trans>}>
        <p>
          <Trans>Make a run, add tasks to it, and give it to a driver.</Trans>
        </p>
      </EmptyState>
    );
  }
  const runs = day.runs.toSorted((one, other) => titleOf(one).localeCompare(titleOf(other)));
  return (
    <PagedTable
      caption={t`Runs on ${name}`}
      columns={columns}
      rows={runs}
      keyOf={({ id }) => id}
      currentKey={current}
    />
  );
}

function useColumns(day: Day): readonly Column<DayRun>[] {
  const counts = countsByRun(day);
  const names = new Map(
    day.drivers.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`] as const),
  );
  return [
    {
      key: 'name',
      title: <Trans>Run</Trans>,
      isRowHeader: true,
      cell: (run) => (
        <ParameterLink name="run" value={run.id}>
          <bdi>{titleOf(run)}</bdi>
        </ParameterLink>
      ),
    },
    {
      key: 'driver',
      title: <Trans>Driver</Trans>,
      cell: ({ driver }) =>
        driver === undefined ? <Trans>None</Trans> : <bdi>{names.get(idOf(driver)) ?? '–'}</bdi>,
    },
    { key: 'status', title: <Trans>Status</Trans>, cell: ({ status }) => <RunStatusSign status={status} /> },
    {
      key: 'tasks',
      title: <Trans>Done</Trans>,
      isNumber: true,
      cell: ({ id }) => {
        const count = counts.get(id);
        const done = formatNumber(count?.done ?? 0);
        const total = formatNumber(count === undefined ? 0 : taskTotal(count));
        return (
          <Trans>
            {done} of {total}
          </Trans>
        );
      },
    },
  ];
}

function titleOf({ name, reference }: DayRun): string {
  return name ?? reference;
}

function countsByRun({ tasks }: Day): ReadonlyMap<string, StageCounts> {
  const none: StageCounts = { open: 0, underway: 0, done: 0, failed: 0, cancelled: 0 };
  const counts = new Map<string, StageCounts>();
  for (const { deliveryRun, status } of tasks) {
    if (deliveryRun === undefined) continue;
    const id = idOf(deliveryRun);
    const before = counts.get(id) ?? none;
    const stage = STAGE_OF_STATUS[status];
    counts.set(id, { ...before, [stage]: before[stage] + 1 });
  }
  return counts;
}
