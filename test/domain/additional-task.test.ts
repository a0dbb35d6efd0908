import test from 'ava';
import type { AdditionalTaskType } from '../../domain/additional-task.ts';
import { ADDITIONAL_TASK_TYPES, decideAdditionalTask } from '../../domain/additional-task.ts';
import type { ShipmentStatus, TaskStatus } from '../../domain/enumerations.ts';
import { TASK_STATUSES } from '../../domain/enumerations.ts';
import type { ShipmentState, ShipmentTask } from '../../domain/shipment-state.ts';
import { DELIVERY, DETOUR, DRIVER, PICKUP, RECIPIENT, task, taskId } from './shipments.ts';

const ADDED = taskId(9);

function add(to: ShipmentState, type: AdditionalTaskType) {
  return decideAdditionalTask(to, { id: ADDED, type, address: RECIPIENT.address, contact: null });
}

function shipment(
  delivery: TaskStatus,
  options: {
    readonly pickup?: TaskStatus | null;
    readonly detour?: ShipmentTask;
    readonly status?: ShipmentStatus;
  } = {},
): ShipmentState {
  const { pickup = 'picked_up', detour, status = 'picked_up' } = options;
  return {
    status,
    tasks: [
      ...(pickup === null ? [] : [task(PICKUP, 'pickup', pickup)]),
      task(DELIVERY, 'delivery', delivery, {
        previousId: pickup === null ? null : PICKUP,
        driverId: DRIVER,
        failureReason: 'weather',
      }),
      ...(detour === undefined ? [] : [detour]),
    ],
  };
}

/** Interpretation 15, a second time by hand: from which status of the delivery to which; a failed one stays so for a return. */
const BECOMES: Readonly<Record<AdditionalTaskType, Partial<Record<TaskStatus, TaskStatus>>>> = {
  transfer: { pending: 'waiting_for_pickup', assigned: 'assigned_waiting', failed: 'waiting_for_pickup' },
  return: { pending: 'waiting_for_pickup', assigned: 'assigned_waiting' },
};

for (const status of TASK_STATUSES) {
  for (const type of ADDITIONAL_TASK_TYPES) {
    const becomes = BECOMES[type][status];
    if (becomes === undefined) continue;
    test(`a ${type} while the delivery is ${status} goes before it: it is ${becomes}`, (t) => {
      const fresh = { driverId: null, failureReason: null, attempts: 2 };
      t.like(add(shipment(status), type), {
        kind: 'applied',
        change: {
          status: 'picked_up',
          tasks: [
            {
              task: {
                id: DELIVERY,
                status: becomes,
                previousId: ADDED,
                ...(status === 'failed' ? fresh : { driverId: DRIVER, attempts: 1 }),
              },
              transition: null,
              leavesRun: status === 'failed',
            },
          ],
          added: [{ id: ADDED, type, status: 'pending', previousId: PICKUP }],
          milestone: 'task_added',
        },
      });
    });
  }

  test(`a return while the delivery is ${status}: ${status === 'failed' ? 'after it' : 'not after it'}`, (t) => {
    const decision = add(shipment(status), 'return');
    if (status === 'failed') {
      t.like(decision, {
        kind: 'applied',
        change: {
          tasks: [],
          added: [{ id: ADDED, type: 'return', status: 'pending', previousId: DELIVERY }],
        },
      });
    } else if (BECOMES.return[status] === undefined) {
      t.like(decision, { kind: 'rejected', problem: { kind: 'conflict', currentStatus: 'picked_up' } });
      t.is(add(shipment(status), 'transfer').kind, 'rejected');
    } else t.like(decision, { change: { added: [{ previousId: PICKUP }] } });
  });

  test(`a transfer with the pickup ${status}: ${status === 'picked_up' ? 'added' : 'conflict'}`, (t) => {
    const decision = add(shipment('pending', { pickup: status }), 'transfer');
    t.is(decision.kind, status === 'picked_up' ? 'applied' : 'rejected');
  });
}

test('a shipment without a pickup can have a transfer without a predecessor', (t) => {
  t.like(add(shipment('pending', { pickup: null }), 'transfer'), {
    change: { added: [{ previousId: null }] },
  });
});

for (const type of ['transfer', 'return'] as const) {
  for (const status of ['pending', 'assigned', 'in_transit', 'failed', 'delivered', 'cancelled'] as const) {
    const isOpen = status !== 'delivered' && status !== 'cancelled';
    test(`with a ${type} that is ${status}, another one is ${isOpen ? 'a conflict' : 'added'}`, (t) => {
      const before = shipment('failed', { detour: task(DETOUR, type, status) });
      for (const added of ['transfer', 'return'] as const) {
        t.is(add(before, added).kind, isOpen ? 'rejected' : 'applied');
      }
    });
  }
}

for (const status of ['delivered', 'returned', 'cancelled'] as const) {
  test(`a ${status} shipment cannot have an additional task`, (t) => {
    for (const added of ['transfer', 'return'] as const) {
      t.like(add(shipment('failed', { status }), added), {
        kind: 'rejected',
        problem: { kind: 'conflict', currentStatus: status },
      });
    }
  });
}

test('a shipment that awaits approval has no delivery and cannot have an additional task', (t) => {
  t.is(add({ status: 'pending_approval', tasks: [] }, 'return').kind, 'rejected');
});
