import test from 'ava';
import {
  isBeforeStart,
  canLeaveRun,
  obstacleToGrouping,
  obstacleToJoining,
  replan,
  runReference,
  runStatus,
  taskTotal,
} from '../../domain/delivery-run.ts';
import type { PlanningStatus, RunStage, StageCounts } from '../../domain/delivery-run.ts';
import { RUN_STATUSES, TASK_STATUSES } from '../../domain/enumerations.ts';
import type { RunStatus } from '../../domain/enumerations.ts';
import { toId } from '../../domain/ids.ts';

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

type Replanning = readonly [
  planning: PlanningStatus,
  current: RunStatus,
  wanted: RunStatus,
  expected: PlanningStatus | 'invalid' | 'conflict',
];

const REPLANNING: readonly Replanning[] = [
  ['draft', 'draft', 'planned', 'planned'],
  ['planned', 'planned', 'cancelled', 'cancelled'],
  ['cancelled', 'cancelled', 'draft', 'draft'],
  ['planned', 'in_progress', 'in_progress', 'planned'],
  ['draft', 'completed', 'completed', 'draft'],
  ['planned', 'planned', 'in_progress', 'invalid'],
  ['planned', 'in_progress', 'cancelled', 'conflict'],
  ['planned', 'completed', 'planned', 'conflict'],
  ['planned', 'cancelled', 'draft', 'conflict'],
];

for (const [planning, current, wanted, expected] of REPLANNING) {
  test(`a run planned as ${planning} that is ${current}, asked to be ${wanted}: ${expected}`, (t) => {
    const outcome = replan(planning, current, wanted);
    t.is(typeof outcome === 'string' ? outcome : outcome.kind, expected);
  });
}

test('an open or started task joins a run; an ended, failed or otherwise bound one does not', (t) => {
  const runId = toId<'delivery_run'>('3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11');
  const otherRunId = toId<'delivery_run'>('3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a12');
  const id = toId<'task'>('3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a14');
  const free = { id, runId: null, runReference: null };
  const joins = TASK_STATUSES.filter((status) => obstacleToJoining({ status, ...free }, runId) === undefined);
  t.deepEqual(joins, [
    'waiting_for_pickup',
    'assigned_waiting',
    'pending',
    'assigned',
    'pickup_in_progress',
    'delivery_in_progress',
    'in_transit',
  ]);
  t.is(obstacleToJoining({ id, status: 'delivered', runId, runReference: 'RUN-1' }, runId), undefined);
  const elsewhere = obstacleToJoining(
    { id, status: 'pending', runId: otherRunId, runReference: 'RUN-2' },
    runId,
  );
  t.like(elsewhere, { messageKey: 'in_other_run', parameters: { task: id, run: 'RUN-2' } });
});

test('a task leaves its run before its start or after its cancellation', (t) => {
  t.deepEqual(TASK_STATUSES.filter(canLeaveRun), [
    'waiting_for_pickup',
    'assigned_waiting',
    'pending',
    'assigned',
    'cancelled',
  ]);
});

test('a pickup is grouped at its own point while it is open and in no other run', (t) => {
  const pointId = toId<'pickup_point'>('3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a13');
  const runId = toId<'delivery_run'>('3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11');
  const otherRunId = toId<'delivery_run'>('3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a12');
  const pickup = { status: 'pending', runId: null, runReference: null } as const;
  const judge = (candidate: Parameters<typeof obstacleToGrouping>[0]) =>
    obstacleToGrouping(candidate, pointId, runId);
  t.is(judge({ pickupPointId: pointId, pickup }), undefined);
  t.is(judge({ pickupPointId: pointId, pickup: { ...pickup, runId } }), undefined);
  const keyOf = (candidate: Parameters<typeof obstacleToGrouping>[0]) => judge(candidate)?.messageKey;
  t.is(keyOf(undefined), 'unknown_reference');
  t.is(keyOf({ pickupPointId: null, pickup }), 'other_pickup_point');
  t.is(keyOf({ pickupPointId: pointId, pickup: null }), 'no_pickup_yet');
  t.regex(
    judge({ pickupPointId: pointId, pickup: { ...pickup, status: 'picked_up' } })?.message ?? '',
    /picked_up/,
  );
  const elsewhere = { ...pickup, runId: otherRunId, runReference: 'RUN-9' };
  t.regex(judge({ pickupPointId: pointId, pickup: elsewhere })?.message ?? '', /RUN-9/);
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
