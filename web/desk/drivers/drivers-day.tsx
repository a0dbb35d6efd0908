import { Trans, useLingui } from '@lingui/react/macro';
import { collectionPath } from '../../../domain/iri.ts';
import { idOf } from '../../shared/client.ts';
import { TASK_TYPE_WORDS } from '../../shared/domain-words.ts';
import type { DayTask } from '../day/day-rows.ts';
import { TaskWindow } from '../day/task-window.tsx';
import { useDay, useToday } from '../day/use-day.ts';
import { ParameterLink } from '../parts/parameter-link.tsx';
import { EmptyState, ReadFailure, Skeleton } from '../parts/states.tsx';
import { TaskStatusSign } from '../parts/status-sign.tsx';
import type { Column } from '../parts/table.tsx';
import { Table } from '../parts/table.tsx';

/** A driver's tasks of today, in the order of its run. */
export function DriversDay({ id }: { readonly id: string }) {
  const { t } = useLingui();
  const day = useDay(useToday());
  const columns = useColumns();
  const driver = `${collectionPath('driver')}/${id}`;
  const tasks = (day.data?.tasks ?? [])
    .filter((task) => task.driver === driver)
    .sort((one, other) => (one.position ?? Infinity) - (other.position ?? Infinity));
  return (
    <section>
      <h3>
        <Trans>Today</Trans>
      </h3>
      {day.isPending && <Skeleton rows={3} />}
      {day.error !== null && day.data === undefined && (
        <ReadFailure error={day.error} onRetry={() => void day.refetch()} />
      )}
      {day.data && tasks.length === 0 && <EmptyState title={<Trans>No tasks today.</Trans>} />}
      {tasks.length > 0 && (
        <Table caption={t`Tasks of today`} columns={columns} rows={tasks} keyOf={(task) => task.id} />
      )}
    </section>
  );
}

function useColumns(): readonly Column<DayTask>[] {
  const { i18n } = useLingui();
  return [
    {
      key: 'recipient',
      title: <Trans>Task</Trans>,
      isRowHeader: true,
      cell: (task) => (
        <>
          {i18n._(TASK_TYPE_WORDS[task.type])} ·{' '}
          <ParameterLink name="shipment" value={idOf(task.shipment)}>
            <bdi>{task.recipientName}</bdi>
          </ParameterLink>
        </>
      ),
    },
    { key: 'city', title: <Trans>Place</Trans>, cell: ({ street, city }) => <bdi>{street ?? city}</bdi> },
    { key: 'window', title: <Trans>When</Trans>, cell: (task) => <TaskWindow task={task} /> },
    {
      key: 'status',
      title: <Trans>Status</Trans>,
      cell: ({ status }) => <TaskStatusSign status={status} />,
    },
  ];
}
