import test from 'ava';
import { isBeforeStart, runReference, runStatus, taskTotal } from '../../domain/delivery-run.ts';
import type { PlanningStatus, RunStage, StageCounts } from '../../domain/delivery-run.ts';
import { RUN_STATUSES } from '../../domain/enumerations.ts';
import type { RunStatus } from '../../domain/enumerations.ts';

type Row = readonly [planning: PlanningStatus, tasks: readonly RunStage[], status: RunStatus];

const TABLE: readonly Row[] = [
  ['draft', [], 'draft'],
  ['planned', [], 'planned'],
  ['cancelled', [], 'cancelled'],
  ['draft', ['open', 'open'], 'draft'],
  ['planned', ['open', 'cancelled'], 'planned'],
  ['draft', ['underway', 'open'], 'in_progress'],
  ['planned', ['done', 'open'], 'in_progress'],
  ['planned', ['failed', 'open'], 'in_progress'],
  ['planned', ['done', 'underway', 'cancelled'], 'in_progress'],
  ['planned', ['done'], 'completed'],
  ['draft', ['failed'], 'completed'],
  ['planned', ['done', 'failed', 'cancelled'], 'completed'],
  ['planned', ['cancelled', 'cancelled'], 'cancelled'],
  ['cancelled', ['cancelled'], 'cancelled'],
];

for (const [planning, tasks, status] of TABLE) {
  test(`a ${planning} run with tasks [${tasks.join(', ')}] is ${status}`, (t) => {
    t.is(runStatus(planning, countsOf(tasks)), status);
    t.is(taskTotal(countsOf(tasks)), tasks.length);
  });
}

test('every status of a run is reached by the table', (t) => {
  t.deepEqual([...new Set(TABLE.map(([, , status]) => status))].sort(), [...RUN_STATUSES].sort());
});

test('a run has not begun exactly while it is draft, planned or cancelled', (t) => {
  t.deepEqual(RUN_STATUSES.filter(isBeforeStart), ['draft', 'planned', 'cancelled']);
});

test('a reference is RUN, the date and four characters', (t) => {
  t.is(runReference('2026-03-01', Uint8Array.from([0, 31, 32, 255])), 'RUN-20260301-0Z0Z');
  t.throws(() => runReference('2026-03-01', new Uint8Array(3)), { instanceOf: RangeError });
});

function countsOf(tasks: readonly RunStage[]): StageCounts {
  const count = (stage: RunStage) => tasks.filter((task) => task === stage).length;
  return {
    open: count('open'),
    underway: count('underway'),
    done: count('done'),
    failed: count('failed'),
    cancelled: count('cancelled'),
  };
}
