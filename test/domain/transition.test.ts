import test from 'ava';
import type { ShipmentStatus, TaskStatus } from '../../domain/enumerations.ts';
import { SHIPMENT_STATUSES } from '../../domain/enumerations.ts';
import type { ShipmentState, TransitionRequest } from '../../domain/transition.ts';
import {
  allowedTransitions,
  decideApproval,
  decideTransition,
  decideDeletion,
} from '../../domain/transition.ts';
import { DELIVERY, DETOUR, DRIVER, OTHER_DRIVER, PICKUP, task, taskId } from './shipments.ts';

const WITH_EVERYTHING = { driver: { id: DRIVER, isAvailable: true }, hasReason: true } as const;

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
  const decision = decide(direct('pending'), { driver: { id: DRIVER, isAvailable: false } });
  t.like(decision, {
    kind: 'rejected',
    problem: { kind: 'invalid', violations: [{ propertyPath: 'driver', code: 'rule' }] },
  });
});

test('fail without a reason is a violation of `reason`', (t) => {
  const decision = decide(direct('assigned'), { transition: 'fail', hasReason: false });
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
      moves: [{ to: status, driver: { change: 'set', id: DRIVER } }],
    });
  });
}

test('a delivery without a pickup leaves the shipment pending when assigned and when it fails', (t) => {
  t.like(decide(direct('pending'), {}), { kind: 'applied', shipmentStatus: 'pending' });
  t.like(decide(direct('in_transit', 'in_transit'), { transition: 'fail' }), {
    kind: 'applied',
    shipmentStatus: 'pending',
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
    t.like(decide(shipment, {}), { kind: 'applied', shipmentStatus: status });
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
  t.deepEqual(decision.moves[1], {
    taskId: DELIVERY,
    to: 'assigned',
    notifies: false,
    transition: null,
    driver: { change: 'keep' },
    startsOver: false,
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
    t.is(decision.moves.length, 1);
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
    decision.moves.map((move) => move.taskId),
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
    shipmentStatus: 'pending',
    moves: [{ to: 'pending', driver: { change: 'clear' }, startsOver: true }],
  });
});

test('a failed return is reactivated although it is itself the open return', (t) => {
  const decision = decide(withReturn('failed'), { taskId: DETOUR, transition: 'reactivate' });
  t.like(decision, { kind: 'applied', shipmentStatus: 'pending' });
});

for (const status of SHIPMENT_STATUSES) {
  const isTerminal = status === 'delivered' || status === 'returned' || status === 'cancelled';
  test(`deletion of a ${status} shipment is ${isTerminal ? 'rejected' : 'applied'}`, (t) => {
    const decision = decideDeletion({ status, tasks: [] });
    if (isTerminal) {
      t.like(decision, { kind: 'rejected', problem: { kind: 'conflict', currentStatus: status } });
      return;
    }
    t.deepEqual(decision, { kind: 'applied', shipmentStatus: 'cancelled', moves: [] });
  });

  test(`approval of a ${status} shipment`, (t) => {
    const decision = decideApproval(status);
    if (isTerminal) t.like(decision, { kind: 'conflict', currentStatus: status });
    else t.is(decision, status === 'pending_approval' ? 'approve' : 'unchanged');
  });

  test(`a task of a ${status} shipment allows ${isTerminal ? 'nothing' : 'what the table has'}`, (t) => {
    const shipment = direct('assigned', status);
    const [delivery] = shipment.tasks;
    if (delivery === undefined) return t.fail();
    const expected = [
      'assign',
      'start_delivery',
      'start_delivery_approach',
      'start_transit',
      'fail',
      'cancel',
    ] as const;
    t.deepEqual(allowedTransitions(shipment, delivery), isTerminal ? [] : expected);
    t.is(decide(shipment, { transition: 'start_delivery' }).kind, isTerminal ? 'rejected' : 'applied');
  });
}

test('deletion cancels each open task with an event, and leaves ended ones alone', (t) => {
  const decision = decideDeletion(withReturn('in_transit'));
  if (decision.kind !== 'applied') return t.fail(decision.kind);
  t.deepEqual(
    decision.moves.map(({ taskId: id, to, notifies, transition }) => ({ id, to, notifies, transition })),
    [DELIVERY, DETOUR].map((id) => ({ id, to: 'cancelled', notifies: true, transition: 'cancel' })),
  );
});
