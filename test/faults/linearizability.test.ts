import test from 'ava';
import { checkLinearizable } from './checker/linearizability.ts';
import { accepted, applied, exchange, history, operation, SHIPMENT, transition } from './checker/samples.ts';
import type { Operation, Seen } from './checker/history.ts';

function read(id: string, when: readonly [number, number], seen: Seen): Operation {
  return operation(id, { kind: 'read_task', task: 0 }, [exchange(when, 'applied', seen)]);
}

function rejected(
  id: string,
  name: string,
  when: readonly [number, number],
  seen: Seen | null = null,
): Operation {
  return operation(id, transition(name, 0, 'driver'), [exchange(when, 'rejected', seen)]);
}

function isAccepted(operations: readonly Operation[], hasPickup = false): boolean {
  return checkLinearizable(history(operations, hasPickup)).length === 0;
}

test('a delivery from its assignment to its end is linearizable', (t) => {
  t.true(
    isAccepted([
      applied('a', 'assign', [0, 10]),
      read('b', [11, 12], { taskStatus: 'assigned', shipmentStatus: 'pending' }),
      applied('c', 'start_delivery', [13, 20]),
      applied('d', 'deliver', [21, 30]),
      read('e', [31, 32], { taskStatus: 'delivered', shipmentStatus: 'delivered', allowedTransitions: [] }),
    ]),
  );
});

test('a transition that the table does not allow is a violation when it was applied', (t) => {
  t.false(isAccepted([applied('a', 'assign', [0, 10]), applied('b', 'reactivate', [11, 20])]));
});

test('a transition that the table allows is a violation when it was rejected', (t) => {
  t.false(isAccepted([applied('a', 'assign', [0, 10]), rejected('b', 'start_delivery', [11, 20])]));
});

test('a rejection that names another state than there was is a violation', (t) => {
  const operations = (taskStatus: string) => [
    applied('a', 'assign', [0, 10]),
    rejected('b', 'reactivate', [11, 20], { taskStatus }),
  ];
  t.true(isAccepted(operations('assigned')));
  t.false(isAccepted(operations('pending')));
});

test('a read that does not show an earlier success is a violation', (t) => {
  t.false(isAccepted([applied('a', 'assign', [0, 10]), read('b', [11, 12], { taskStatus: 'pending' })]));
});

test('a read during a write may show the state before or after it', (t) => {
  for (const taskStatus of ['pending', 'assigned']) {
    t.true(isAccepted([applied('a', 'assign', [0, 10]), read('b', [5, 6], { taskStatus })]));
  }
});

test('two reads one after the other must not go back in time', (t) => {
  const write = applied('a', 'assign', [0, 10]);
  const reads = (first: string, second: string) => [
    read('b', [2, 3], { taskStatus: first }),
    read('c', [4, 5], { taskStatus: second }),
  ];
  t.true(isAccepted([write, ...reads('pending', 'assigned')]));
  t.false(isAccepted([write, ...reads('assigned', 'pending')]));
});

test('of two clients that end a shipment at the same moment only one may succeed', (t) => {
  const begin = [applied('a', 'assign', [0, 10]), applied('b', 'start_delivery', [11, 20])];
  t.true(isAccepted([...begin, applied('c', 'deliver', [21, 30]), rejected('d', 'cancel', [22, 29])]));
  t.false(isAccepted([...begin, applied('c', 'deliver', [21, 30]), applied('d', 'cancel', [22, 29])]));
});

test('a write without a response may have happened, at any time after it was sent, or never', (t) => {
  const lost = operation('a', transition('assign', 0, 'driver'), [exchange([0, 10], 'none')]);
  for (const taskStatus of ['pending', 'assigned']) {
    t.true(isAccepted([lost, read('b', [100, 101], { taskStatus })]));
  }
  t.false(isAccepted([read('b', [-5, -4], { taskStatus: 'assigned' }), lost]));
});

test('a repeat with the same key takes effect once, from the first request on', (t) => {
  const repeated = operation('a', transition('assign', 0, 'driver'), [
    exchange([0, 10], 'none'),
    exchange([20, 30], 'applied'),
  ]);
  t.true(isAccepted([repeated, read('b', [11, 12], { taskStatus: 'assigned' })]));
});

test('commands accepted with 202 are decided in the order of their acceptance', (t) => {
  const first = accepted('a', 'assign', [0, 10], 'applied', 100);
  t.true(isAccepted([first, accepted('b', 'deliver', [11, 20], 'applied', 100)]));
  t.false(isAccepted([first, accepted('b', 'deliver', [11, 20], 'rejected', 100)]));
  // Sent at the same time, either may be the first.
  t.true(isAccepted([first, accepted('b', 'deliver', [5, 20], 'rejected', 100)]));
});

test('the state in a response may be newer than its write, never older', (t) => {
  const write = (taskStatus: string) =>
    operation('a', transition('assign', 0, 'driver'), [exchange([0, 20], 'applied', { taskStatus })]);
  const next = applied('b', 'start_delivery', [5, 15]);
  t.true(isAccepted([write('assigned'), next]));
  t.true(isAccepted([write('delivery_in_progress'), next]));
  t.false(isAccepted([write('pending'), next]));
});

test('a delivery waits for its pickup, and a cancelled pickup cancels it', (t) => {
  const pickUp = [applied('a', 'assign', [0, 10]), applied('b', 'pick_up', [11, 20])];
  const shown = (seen: Seen) =>
    operation('z', { kind: 'read_shipment' }, [exchange([50, 51], 'applied', seen)]);
  t.true(isAccepted([shown({ tasks: ['pickup pending', 'delivery waiting_for_pickup'] })], true));
  const released = { shipmentStatus: 'picked_up', tasks: ['pickup picked_up', 'delivery pending'] };
  t.true(isAccepted([...pickUp, shown(released)], true));
  const cancelled = { shipmentStatus: 'cancelled', tasks: ['pickup cancelled', 'delivery cancelled'] };
  t.true(isAccepted([applied('c', 'cancel', [0, 10]), shown(cancelled)], true));
  t.false(isAccepted([applied('c', 'cancel', [0, 10]), shown(released)], true));
});

test('404 is right on a deleted shipment alone', (t) => {
  const gone = operation('b', { kind: 'read_shipment' }, [exchange([20, 21], 'gone')]);
  const deletion = operation('a', { kind: 'delete' }, [exchange([0, 10], 'applied')]);
  t.true(isAccepted([deletion, gone]));
  t.false(isAccepted([gone]));
});

test('an accepted external request is processing until it exists, and never again', (t) => {
  const shown = (id: string, when: readonly [number, number], shipmentStatus: string) =>
    operation(id, { kind: 'read_external' }, [exchange(when, 'applied', { shipmentStatus })]);
  const gone = (id: string, when: readonly [number, number]) =>
    operation(id, { kind: 'read_shipment' }, [exchange(when, 'gone')]);
  const check = (operations: readonly Operation[]) =>
    checkLinearizable({
      shipmentId: SHIPMENT,
      beginning: { status: 'absent', hasPickup: false },
      operations,
    });
  t.deepEqual(check([shown('a', [0, 1], 'processing'), shown('b', [2, 3], 'pending')]), []);
  t.is(check([shown('a', [0, 1], 'pending'), shown('b', [2, 3], 'processing')]).length, 1);
  t.deepEqual(check([gone('a', [0, 1]), shown('b', [2, 3], 'pending')]), []);
  t.is(check([shown('a', [0, 1], 'pending'), gone('b', [2, 3])]).length, 1);
});

test('a transfer makes the delivery wait, and its end releases it', (t) => {
  const add = operation('b', { kind: 'add_task', type: 'transfer' }, [
    exchange([11, 20], 'applied', { addedTask: 1, taskStatus: 'pending' }),
  ]);
  const move = (id: string, name: string, when: readonly [number, number]) =>
    operation(id, transition(name, 1, 'driver'), [exchange(when, 'applied')]);
  const begin = [applied('a', 'assign', [0, 10]), add];
  t.true(isAccepted([...begin, read('c', [21, 22], { taskStatus: 'assigned_waiting' })]));
  const through = [
    move('d', 'assign', [30, 31]),
    move('e', 'start_transit', [32, 33]),
    move('f', 'deliver', [34, 35]),
  ];
  t.true(isAccepted([...begin, ...through, read('g', [40, 41], { taskStatus: 'assigned' })]));
  t.false(isAccepted([...begin, ...through, read('g', [40, 41], { taskStatus: 'assigned_waiting' })]));
});

test('an unassigned task has no driver, waits again where it waited, and moves no shipment', (t) => {
  const unassigned = applied('b', 'unassign', [11, 20]);
  const shown = { taskStatus: 'pending', shipmentStatus: 'pending' };
  t.true(isAccepted([applied('a', 'assign', [0, 10]), unassigned, read('c', [21, 22], shown)]));
  t.false(isAccepted([unassigned]));
  const again = operation('d', transition('assign', 0, 'driver'), [exchange([30, 40], 'applied')]);
  t.true(
    isAccepted([applied('a', 'assign', [0, 10]), unassigned, again, rejected('e', 'pick_up', [41, 42])]),
  );
});

test('the evidence of a violation names the state and the step that does not fit', (t) => {
  const [violation] = checkLinearizable(
    history([applied('a', 'assign', [0, 10]), applied('b', 'reactivate', [11, 20])]),
  );
  t.is(violation?.shipmentId, SHIPMENT);
  t.regex(violation?.evidence ?? '', /delivery,assigned.*reactivate of task 0 \[b\] was applied/);
});

test('a history of forty concurrent operations is decided', (t) => {
  const reads = Array.from({ length: 20 }, (_, index) =>
    read(`r${index}`, [0, 100], { taskStatus: index % 2 === 0 ? 'pending' : 'assigned' }),
  );
  const lost = Array.from({ length: 20 }, (_, index) =>
    operation(`l${index}`, transition('cancel'), [exchange([0, 10], 'none')]),
  );
  t.true(isAccepted([applied('a', 'assign', [0, 100]), ...reads, ...lost]));
});
