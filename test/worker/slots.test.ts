import fc from 'fast-check';
import test from 'ava';
import { workerSlots } from '../../worker/create-worker.ts';

test('tasks that hold a connection never need all connections, whatever the setting', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 500 }), (poolSize) => {
      const { workflowTasks, localActivities, activities, webhooks } = workerSlots(poolSize);
      return (
        localActivities + activities < poolSize &&
        localActivities + activities >= poolSize / 2 &&
        // The least that Temporal's worker takes next to a cache of runs.
        workflowTasks >= 2 &&
        webhooks >= poolSize
      );
    }),
  );
  t.pass();
});

test('the default of 20 connections makes 40 workflow tasks, 10 and 5 activities, 200 webhooks', (t) => {
  t.deepEqual(workerSlots(20), { workflowTasks: 40, localActivities: 10, activities: 5, webhooks: 200 });
});
