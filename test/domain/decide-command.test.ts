import test from 'ava';
import type { Command } from '../../domain/command.ts';
import type { DecidableShipment, DecisionContext } from '../../domain/decide-command.ts';
import { commandCaption, decideCommand, decideMissedDeadline } from '../../domain/decide-command.ts';
import { momentsSetBy } from '../../domain/shipment-state.ts';
import { approvable, DELIVERY, DRIVER, RECIPIENT, task, taskId } from './shipments.ts';

const SHIPMENT: DecidableShipment = {
  ...approvable('pending'),
  tasks: [task(DELIVERY, 'delivery', 'assigned', { driverId: DRIVER })],
  deletedAt: null,
};
const CONTEXT: DecisionContext = {
  driver: null,
  pickup: null,
  now: new Date('2026-03-02T08:00:00Z'),
  newTaskId: () => taskId(9),
};
const FAIL: Command = {
  kind: 'transition',
  taskId: DELIVERY,
  request: { transition: 'fail', reason: 'weather' },
  actor: null,
};

test('a command is denied before the table is asked', (t) => {
  const actor = { role: 'ROLE_DRIVER', isEnabled: true, driverId: null } as const;
  const decision = decideCommand(SHIPMENT, { ...FAIL, actor }, CONTEXT);
  t.like(decision, { kind: 'rejected', problem: { kind: 'forbidden' } });
  t.is(decideCommand(SHIPMENT, FAIL, CONTEXT).kind, 'applied');
});

test('a conflict names what its sender may do, not what others may', (t) => {
  const tasks = [task(DELIVERY, 'delivery', 'failed', { driverId: DRIVER })];
  for (const [role, allowed] of [
    ['ROLE_DRIVER', []],
    ['ROLE_DISPATCHER', ['cancel', 'reactivate']],
  ] as const) {
    const actor = { role, isEnabled: true, driverId: DRIVER };
    const decision = decideCommand({ ...SHIPMENT, tasks }, { ...FAIL, actor }, CONTEXT);
    t.like(decision, { kind: 'rejected', problem: { kind: 'conflict', currentStatus: 'failed' } });
    t.deepEqual(
      decision.kind === 'rejected' && decision.problem.kind === 'conflict'
        ? decision.problem.allowedTransitions
        : undefined,
      allowed,
    );
  }
});

test('a reason that is not in the list counts as none', (t) => {
  const request = { transition: 'fail', reason: 'the bridge was shut' };
  t.like(decideCommand(SHIPMENT, { ...FAIL, request }, CONTEXT), {
    kind: 'rejected',
    problem: { violations: [{ propertyPath: 'reason' }] },
  });
});

test('a stored command that lacks what its kind needs is a fault', (t) => {
  t.throws(() => decideCommand(SHIPMENT, { ...FAIL, request: {} }, CONTEXT), {
    message: /lacks its task or its name/,
  });
  t.throws(() => decideCommand(SHIPMENT, { ...FAIL, kind: 'add_task', request: {} }, CONTEXT), {
    message: /lacks its id, type or address/,
  });
});

test('a caption has the command and the type of its task', (t) => {
  t.is(commandCaption(FAIL, SHIPMENT.tasks), 'fail (delivery)');
  t.is(commandCaption(FAIL, []), 'fail');
  t.is(commandCaption({ ...FAIL, kind: 'approve', taskId: null, request: {} }, SHIPMENT.tasks), 'approve');
  const request = { taskType: 'return', address: RECIPIENT.address };
  t.is(commandCaption({ ...FAIL, kind: 'add_task', taskId: taskId(9), request }, []), 'add_task (return)');
});

test('a deadline is missed once it has passed, once, and never after the end', (t) => {
  const due = new Date('2026-03-02T08:00:00Z');
  const open = { status: 'pending', deliveryDeadline: due, deadlineMissedAt: null } as const;
  t.like(decideMissedDeadline(open, due), { kind: 'applied', change: { milestone: 'deadline_missed' } });
  for (const settled of [
    { ...open, deliveryDeadline: new Date(due.getTime() + 1) },
    { ...open, deliveryDeadline: null },
    { ...open, deadlineMissedAt: due },
    { ...open, status: 'delivered' as const },
  ]) {
    t.is(decideMissedDeadline(settled, due).kind, 'unchanged');
  }
});

for (const [status, transition, moments] of [
  ['assigned', 'assign', 'assigned'],
  ['assigned_waiting', 'assign', 'assigned'],
  ['assigned', null, ''],
  ['pending', 'unassign', ''],
  ['pickup_in_progress', 'start_approach', 'started'],
  ['in_transit', 'start_transit', 'started'],
  ['picked_up', 'pick_up', 'started completed'],
  ['delivered', 'deliver', 'started completed'],
  ['cancelled', 'cancel', 'completed'],
  ['failed', 'fail', ''],
  ['pending', 'reactivate', ''],
] as const) {
  test(`a task that becomes ${status} by ${transition ?? 'another task'} sets: ${moments === '' ? 'no moment' : moments}`, (t) => {
    const change = { task: task(DELIVERY, 'pickup', status), transition, leavesRun: false };
    t.is(momentsSetBy(change).join(' '), moments);
  });
}
