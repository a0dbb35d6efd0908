import test from 'ava';
import * as fc from 'fast-check';
import type { ShipmentStatus } from '../../domain/enumerations.ts';
import { TASK_PLANS } from '../../domain/task-plan.ts';
import type { ShipmentState, TaskState } from '../../domain/transition.ts';
import { DRIVER, OTHER_DRIVER, task, taskId } from './shipments.ts';
import { assertLaws, beginnings, steps, take } from './walk.ts';

const RUNS = 800;

function plannedTasks(hasPickup: boolean): TaskState[] {
  return TASK_PLANS[hasPickup ? 'point' : 'none'].map(({ type, status, follows }, index) =>
    task(taskId(index + 1), type, status, follows === null ? {} : { previousId: taskId(follows + 1) }),
  );
}

test('whatever is asked of a shipment, in whatever order, the laws of its states hold', (t) => {
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
    { numRuns: RUNS },
  );
  t.is(reached.size, 8, 'the walks came through every shipment status');
});
