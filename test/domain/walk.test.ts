import test from 'ava';
import * as fc from 'fast-check';
import type { ShipmentStatus } from '../../domain/enumerations.ts';
import { TASK_PLANS } from '../../domain/task-plan.ts';
import type { ShipmentState, TaskState } from '../../domain/transition.ts';
import { DRIVER, OTHER_DRIVER, task, taskId } from './shipments.ts';
import { assertLaws, beginnings, steps, take } from './walk.ts';

const RUNS = 800;
const KNOWN_SEED = 1;

function plannedTasks(hasPickup: boolean): TaskState[] {
  return TASK_PLANS[hasPickup ? 'point' : 'none'].map(({ type, status, follows }, index) =>
    task(taskId(index + 1), type, status, follows === null ? {} : { previousId: taskId(follows + 1) }),
  );
}

/** Walks many shipments, holding the laws at each step, and tells which statuses they came through. */
function walkMany(seed: number): Set<ShipmentStatus> {
  const reached = new Set<ShipmentStatus>();
  fc.assert(
    fc.property(beginnings, steps, ({ hasPickup, awaitsApproval }, walk) => {
      const planned = plannedTasks(hasPickup);
      let shipment: ShipmentState = awaitsApproval
        ? { status: 'pending_approval', tasks: [] }
        : { status: 'pending', tasks: planned };
      for (const step of walk) {
        const { after, decision } = take(shipment, step, {
          drivers: [DRIVER, OTHER_DRIVER],
          plannedTasks: planned,
          newTaskId: taskId(shipment.tasks.length + 1),
        });
        assertLaws(shipment, after, decision);
        shipment = after;
        reached.add(shipment.status);
      }
    }),
    { numRuns: RUNS, seed },
  );
  return reached;
}

test('the invariants of a shipment hold for any sequence of requests', (t) => {
  t.notThrows(() => walkMany(Date.now()));
});

test('the walks come through every shipment status', (t) => {
  // One seed that is known to: chance alone leaves a status out now and then.
  t.is(walkMany(KNOWN_SEED).size, 8);
});
