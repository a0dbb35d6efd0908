import test from 'ava';
import type { ShipmentStatus, TaskStatus } from '../../domain/enumerations.ts';
import { SHIPMENT_STATUSES, TASK_STATUSES, TASK_TYPES } from '../../domain/enumerations.ts';
import type { ShipmentState } from '../../domain/shipment-state.ts';
import type { TransitionRequest } from '../../domain/transition.ts';
import {
  allowedTransitions,
  decideApproval,
  decideTransition,
  decideDeletion,
  dependsOnSiblings,
} from '../../domain/transition.ts';
import { approvable, DELIVERY, DETOUR, DRIVER, OTHER_DRIVER, PICKUP, task, taskId } from './shipments.ts';

const AVAILABLE = { id: DRIVER, name: 'Ana', isAvailable: true };
const WITH_EVERYTHING = { driver: AVAILABLE, reason: 'other', role: null } as const;

function direct(status: TaskStatus, shipmentStatus: ShipmentStatus = 'pending'): ShipmentState {
  return { status: shipmentStatus, tasks: [task(DELIVERY, 'delivery', status)] };
}

function decide(shipment: ShipmentState, request: Partial<TransitionRequest>) {
  return decideTransition(shipment, {
    taskId: DELIVERY,
    transition: 'assign',
    ...WITH_EVERYTHING,
    ...request,
  });
}

test('assign without a driver is a violation of `driver`', (t) => {
  const decision = decide(direct('pending'), { driver: null });
  t.like(decision, {
    kind: 'rejected',
    problem: { kind: 'invalid', violations: [{ propertyPath: 'driver', code: 'reference' }] },
  });
});

test('assign to a driver who is not available is a violation of `driver`', (t) => {
  const decision = decide(direct('pending'), { driver: { ...AVAILABLE, isAvailable: false } });
  t.like(decision, {
    kind: 'rejected',
    problem: { kind: 'invalid', violations: [{ propertyPath: 'driver', code: 'rule' }] },
  });
});

test('fail without a reason is a violation of `reason`', (t) => {
  const decision = decide(direct('assigned'), { transition: 'fail', reason: null });
  t.like(decision, {
    kind: 'rejected',
    problem: { kind: 'invalid', violations: [{ propertyPath: 'reason', code: 'required' }] },
  });
});

test('a wrong state is reported before a missing driver', (t) => {
  t.like(decide(direct('in_transit'), { driver: null }), {
    kind: 'rejected',
    problem: { kind: 'conflict', currentStatus: 'in_transit' },
  });
});

test('a task that the shipment has not is missing', (t) => {
  t.like(decide(direct('pending'), { taskId: taskId(9) }), {
    kind: 'rejected',
    problem: { kind: 'missing' },
  });
});

for (const status of ['assigned', 'assigned_waiting'] as const) {
  test(`the same driver assigned again to an ${status} task changes nothing`, (t) => {
    const shipment: ShipmentState = {
      status: 'pending',
      tasks: [task(DELIVERY, 'delivery', status, { driverId: DRIVER })],
    };
    t.deepEqual(decide(shipment, {}), { kind: 'unchanged' });
  });

  test(`another driver takes over an ${status} task`, (t) => {
    const shipment: ShipmentState = {
      status: 'pending',
      tasks: [task(DELIVERY, 'delivery', status, { driverId: OTHER_DRIVER })],
    };
    t.like(decide(shipment, {}), {
      kind: 'applied',
      change: { tasks: [{ task: { status, driverId: DRIVER, driverName: 'Ana' } }] },
    });
  });
}

test('a delivery without a pickup leaves the shipment pending when assigned and when it fails', (t) => {
  t.like(decide(direct('pending'), {}), { kind: 'applied', change: { status: 'pending' } });
  t.like(decide(direct('in_transit', 'in_transit'), { transition: 'fail' }), {
    kind: 'applied',
    change: { status: 'pending' },
  });
});

for (const status of ['pending', 'pickup_in_progress', 'picked_up', 'in_transit'] as const) {
  test(`assigning a delivery that waits leaves the shipment ${status}`, (t) => {
    const shipment: ShipmentState = {
      status,
      tasks: [
        task(PICKUP, 'pickup', 'assigned'),
        task(DELIVERY, 'delivery', 'waiting_for_pickup', { previousId: PICKUP }),
      ],
    };
    t.like(decide(shipment, {}), { kind: 'applied', change: { status } });
  });
}

test('a pickup releases its assigned delivery with its driver, without an event', (t) => {
  const shipment: ShipmentState = {
    status: 'pending',
    tasks: [
      task(PICKUP, 'pickup', 'assigned', { driverId: DRIVER }),
      task(DELIVERY, 'delivery', 'assigned_waiting', { previousId: PICKUP, driverId: OTHER_DRIVER }),
    ],
  };
  const decision = decide(shipment, { taskId: PICKUP, transition: 'pick_up' });
  if (decision.kind !== 'applied') return t.fail(decision.kind);
  t.like(decision.change.tasks[1], {
    task: { id: DELIVERY, status: 'assigned', driverId: OTHER_DRIVER },
    transition: null,
    leavesRun: false,
  });
});

test('a pickup that fails or is reactivated never releases its delivery', (t) => {
  for (const [status, transition] of [
    ['pickup_in_progress', 'fail'],
    ['failed', 'reactivate'],
  ] as const) {
    const shipment: ShipmentState = {
      status: 'pending',
      tasks: [
        task(PICKUP, 'pickup', status),
        task(DELIVERY, 'delivery', 'waiting_for_pickup', { previousId: PICKUP }),
      ],
    };
    const decision = decide(shipment, { taskId: PICKUP, transition });
    if (decision.kind !== 'applied') return t.fail(decision.kind);
    t.is(decision.change.tasks.length, 1);
  }
});

test('only the tasks that follow the ended one are released', (t) => {
  const shipment: ShipmentState = {
    status: 'pending',
    tasks: [
      task(PICKUP, 'pickup', 'assigned'),
      task(DELIVERY, 'delivery', 'waiting_for_pickup', { previousId: taskId(8) }),
    ],
  };
  const decision = decide(shipment, { taskId: PICKUP, transition: 'pick_up' });
  if (decision.kind !== 'applied') return t.fail(decision.kind);
  t.deepEqual(
    decision.change.tasks.map((move) => move.task.id),
    [PICKUP],
  );
});

const withReturn = (returnStatus: TaskStatus): ShipmentState => ({
  status: 'picked_up',
  tasks: [
    task(PICKUP, 'pickup', 'picked_up'),
    task(DELIVERY, 'delivery', 'failed', { previousId: PICKUP }),
    task(DETOUR, 'return', returnStatus, { previousId: DELIVERY }),
  ],
});

for (const status of ['pending', 'assigned', 'in_transit', 'failed'] as const) {
  test(`a delivery is not reactivated while a return is ${status}`, (t) => {
    const decision = decide(withReturn(status), { transition: 'reactivate' });
    t.like(decision, {
      kind: 'rejected',
      problem: { kind: 'conflict', currentStatus: 'failed', allowedTransitions: ['cancel'] },
    });
  });
}

test('a delivery is reactivated once its return has been cancelled', (t) => {
  t.like(decide(withReturn('cancelled'), { transition: 'reactivate' }), {
    kind: 'applied',
    change: {
      status: 'pending',
      tasks: [{ task: { status: 'pending', driverId: null, attempts: 2 }, leavesRun: true }],
    },
  });
});

test('a failed return is reactivated although it is itself the open return', (t) => {
  const decision = decide(withReturn('failed'), { taskId: DETOUR, transition: 'reactivate' });
  t.like(decision, { kind: 'applied', change: { status: 'pending' } });
});

for (const status of SHIPMENT_STATUSES) {
  const isTerminal = status === 'delivered' || status === 'returned' || status === 'cancelled';
  test(`deletion of a ${status} shipment is ${isTerminal ? 'rejected' : 'applied'}`, (t) => {
    const decision = decideDeletion({ status, tasks: [], deletedAt: null });
    if (isTerminal) {
      t.like(decision, { kind: 'rejected', problem: { kind: 'conflict', currentStatus: status } });
      return;
    }
    t.like(decision, { kind: 'applied', change: { status: 'cancelled', tasks: [], milestone: 'deleted' } });
  });

  test(`approval of a ${status} shipment`, (t) => {
    const decision = decideApproval(approvable(status), {
      now: new Date('2026-03-02T08:00:00Z'),
      pickup: null,
      newTaskId: () => DELIVERY,
    });
    if (isTerminal) {
      t.like(decision, { kind: 'rejected', problem: { kind: 'conflict', currentStatus: status } });
    } else if (status === 'pending_approval') {
      t.like(decision, {
        kind: 'applied',
        change: {
          status: 'pending',
          added: [{ id: DELIVERY, type: 'delivery', status: 'pending' }],
          milestone: 'approved',
          deliveryDeadline: new Date('2026-03-04T08:00:00Z'),
        },
      });
    } else t.is(decision.kind, 'unchanged');
  });

  test(`a task of a ${status} shipment allows ${isTerminal ? 'nothing' : 'what the table has'}`, (t) => {
    const shipment = direct('assigned', status);
    const [delivery] = shipment.tasks;
    if (delivery === undefined) return t.fail();
    const expected = [
      'assign',
      'unassign',
      'start_delivery',
      'start_delivery_approach',
      'start_transit',
      'deliver',
      'fail',
      'cancel',
    ] as const;
    t.deepEqual(allowedTransitions(shipment, delivery, null), isTerminal ? [] : expected);
    t.is(decide(shipment, { transition: 'start_delivery' }).kind, isTerminal ? 'rejected' : 'applied');
  });
}

test('deletion cancels each open task with an event, and leaves ended ones alone', (t) => {
  const decision = decideDeletion({ ...withReturn('in_transit'), deletedAt: null });
  if (decision.kind !== 'applied') return t.fail(decision.kind);
  t.deepEqual(
    decision.change.tasks.map(({ task: { id, status }, transition }) => ({ id, status, transition })),
    [DELIVERY, DETOUR].map((id) => ({ id, status: 'cancelled', transition: 'cancel' })),
  );
});

test('a shipment that has been deleted is left as it is by another deletion', (t) => {
  t.deepEqual(decideDeletion({ status: 'cancelled', tasks: [], deletedAt: new Date(0) }), {
    kind: 'unchanged',
  });
});

test('where a task does not depend on its siblings, no sibling in any state changes what is allowed', (t) => {
  const dependent = new Set<string>();
  for (const [type, status] of TASK_TYPES.flatMap((type) =>
    TASK_STATUSES.map((status) => [type, status] as const),
  )) {
    const own = task(DELIVERY, type, status);
    for (const shipmentStatus of SHIPMENT_STATUSES) {
      const alone = allowedTransitions({ status: shipmentStatus, tasks: [] }, own, null);
      for (const otherType of TASK_TYPES) {
        for (const otherStatus of TASK_STATUSES) {
          const tasks = [own, task(DETOUR, otherType, otherStatus)];
          const together = allowedTransitions({ status: shipmentStatus, tasks }, own, null);
          if (together.join(' ') !== alone.join(' ')) dependent.add(`${type} ${status}`);
        }
      }
    }
    t.is(dependent.has(`${type} ${status}`), dependsOnSiblings(own), `${type} ${status}`);
  }
  t.true(dependent.size > 0);
});
