import fc from 'fast-check';
import test from 'ava';
import { laneRate, laneSlots, WEBHOOK_LANE_NAMES } from '../../domain/webhook-lanes.ts';
import { workerSlots } from '../../worker/create-worker.ts';

test('tasks that hold a connection never need all connections, whatever the setting', (t) => {
  const holds = fc.property(fc.integer({ min: 4, max: 500 }), (poolSize) => {
    const { workflowTasks, localActivities, activities } = workerSlots(poolSize);
    return (
      localActivities + activities < poolSize &&
      localActivities + activities >= poolSize / 2 &&
      // The least that Temporal's worker takes next to a cache of runs.
      workflowTasks >= 2 &&
      WEBHOOK_LANE_NAMES.every((lane) => laneSlots(lane, poolSize) >= 1)
    );
  });
  t.notThrows(() => fc.assert(holds));
});

test('20 connections make 40 workflow tasks, 10 and 5 activities, and the slots of each lane', (t) => {
  t.deepEqual(workerSlots(20), { workflowTasks: 40, localActivities: 10, activities: 5 });
  const slots = WEBHOOK_LANE_NAMES.map((lane) => [lane, laneSlots(lane, 20)]);
  t.deepEqual(Object.fromEntries(slots), { live: 200, slow: 60, replay: 20, test: 10 });
});

test('with 20 connections the slow lane begins 20 attempts a second, the other lanes any number', (t) => {
  const rates = WEBHOOK_LANE_NAMES.map((lane) => [lane, laneRate(lane, 20).maxActivitiesPerSecond]);
  t.deepEqual(Object.fromEntries(rates), { live: undefined, slow: 20, replay: undefined, test: undefined });
});
