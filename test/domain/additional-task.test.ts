import test from 'ava';
import { decideAdditionalTask } from '../../domain/additional-task.ts';
import type { ShipmentStatus, TaskStatus } from '../../domain/enumerations.ts';
import { TASK_STATUSES } from '../../domain/enumerations.ts';
import type { ShipmentState, TaskState } from '../../domain/transition.ts';
import { DELIVERY, DETOUR, PICKUP, task } from './shipments.ts';

function shipment(
  delivery: TaskStatus,
  options: {
    readonly pickup?: TaskStatus | null;
    readonly detour?: TaskState;
    readonly status?: ShipmentStatus;
  } = {},
): ShipmentState {
  const { pickup = 'picked_up', detour, status = 'picked_up' } = options;
  return {
    status,
    tasks: [
      ...(pickup === null ? [] : [task(PICKUP, 'pickup', pickup)]),
      task(DELIVERY, 'delivery', delivery, pickup === null ? {} : { previousId: PICKUP }),
      ...(detour === undefined ? [] : [detour]),
    ],
  };
}

/** Interpretation 15, a second time by hand: from which status of the delivery to which. */
const TRANSFER: Partial<Record<TaskStatus, TaskStatus>> = {
  pending: 'waiting_for_pickup',
  assigned: 'assigned_waiting',
  failed: 'waiting_for_pickup',
};

for (const status of TASK_STATUSES) {
  const becomes = TRANSFER[status];
  test(`a transfer while the delivery is ${status}: ${becomes === undefined ? 'conflict' : 'added'}`, (t) => {
    const decision = decideAdditionalTask(shipment(status), 'transfer');
    if (becomes === undefined) {
      t.like(decision, { kind: 'conflict', currentStatus: 'picked_up' });
      return;
    }
    t.deepEqual(decision, {
      deliveryId: DELIVERY,
      deliveryBecomes: becomes,
      deliveryStartsOver: status === 'failed',
      previousId: PICKUP,
      becomesPredecessor: true,
    });
  });

  test(`a return while the delivery is ${status}: ${status === 'failed' ? 'added' : 'conflict'}`, (t) => {
    const decision = decideAdditionalTask(shipment(status), 'return');
    if (status !== 'failed') {
      t.like(decision, { kind: 'conflict' });
      return;
    }
    t.deepEqual(decision, {
      deliveryId: DELIVERY,
      deliveryBecomes: 'failed',
      deliveryStartsOver: false,
      previousId: DELIVERY,
      becomesPredecessor: false,
    });
  });

  test(`a transfer with the pickup ${status}: ${status === 'picked_up' ? 'added' : 'conflict'}`, (t) => {
    const decision = decideAdditionalTask(shipment('pending', { pickup: status }), 'transfer');
    if (status === 'picked_up') t.like(decision, { deliveryId: DELIVERY });
    else t.like(decision, { kind: 'conflict' });
  });
}

test('a shipment without a pickup can have a transfer without a predecessor', (t) => {
  t.like(decideAdditionalTask(shipment('pending', { pickup: null }), 'transfer'), { previousId: null });
});

for (const type of ['transfer', 'return'] as const) {
  for (const status of ['pending', 'assigned', 'in_transit', 'failed', 'delivered', 'cancelled'] as const) {
    const isOpen = status !== 'delivered' && status !== 'cancelled';
    test(`with a ${type} that is ${status}, another one is ${isOpen ? 'a conflict' : 'added'}`, (t) => {
      const before = shipment('failed', { detour: task(DETOUR, type, status) });
      for (const added of ['transfer', 'return'] as const) {
        const decision = decideAdditionalTask(before, added);
        if (isOpen) t.like(decision, { kind: 'conflict' });
        else t.like(decision, { deliveryId: DELIVERY });
      }
    });
  }
}

for (const status of ['delivered', 'returned', 'cancelled'] as const) {
  test(`a ${status} shipment cannot have an additional task`, (t) => {
    for (const added of ['transfer', 'return'] as const) {
      t.like(decideAdditionalTask(shipment('failed', { status }), added), {
        kind: 'conflict',
        currentStatus: status,
      });
    }
  });
}

test('a shipment that awaits approval has no delivery and cannot have an additional task', (t) => {
  t.like(decideAdditionalTask({ status: 'pending_approval', tasks: [] }, 'return'), { kind: 'conflict' });
});
