import test from 'ava';
import type { ShipmentStatus, TaskStatus, TaskType, Transition } from '../../domain/enumerations.ts';
import { TASK_STATUSES, TASK_TYPES, TRANSITIONS } from '../../domain/enumerations.ts';
import type { Decision, ShipmentState } from '../../domain/shipment-state.ts';
import { allowedTransitions, decideTransition } from '../../domain/transition.ts';
import { DELIVERY, DETOUR, DRIVER, OTHER_DRIVER, PICKUP, task } from './shipments.ts';

/**
 * The table of the contract and interpretations 8 to 15, written a second time by hand: type, transition, from, to, the
 * shipment's status after it. A cell that is not here is rejected.
 */
const EXPECTED: readonly (readonly [TaskType, Transition, TaskStatus, TaskStatus, ShipmentStatus])[] = [
  ['pickup', 'assign', 'pending', 'assigned', 'pending'],
  ['pickup', 'assign', 'assigned', 'assigned', 'pending'],
  ['pickup', 'unassign', 'assigned', 'pending', 'pending'],
  ['pickup', 'start_approach', 'assigned', 'pickup_in_progress', 'pickup_in_progress'],
  ['pickup', 'pick_up', 'assigned', 'picked_up', 'picked_up'],
  ['pickup', 'pick_up', 'pickup_in_progress', 'picked_up', 'picked_up'],
  ['pickup', 'fail', 'assigned', 'failed', 'pending'],
  ['pickup', 'fail', 'pickup_in_progress', 'failed', 'pending'],
  ['pickup', 'cancel', 'pending', 'cancelled', 'cancelled'],
  ['pickup', 'cancel', 'assigned', 'cancelled', 'cancelled'],
  ['pickup', 'cancel', 'pickup_in_progress', 'cancelled', 'cancelled'],
  ['pickup', 'cancel', 'failed', 'cancelled', 'cancelled'],
  ['pickup', 'reactivate', 'failed', 'pending', 'pending'],
  ['delivery', 'assign', 'pending', 'assigned', 'picked_up'],
  ['delivery', 'assign', 'assigned', 'assigned', 'picked_up'],
  ['delivery', 'assign', 'waiting_for_pickup', 'assigned_waiting', 'pickup_in_progress'],
  ['delivery', 'assign', 'assigned_waiting', 'assigned_waiting', 'pickup_in_progress'],
  ['delivery', 'unassign', 'assigned', 'pending', 'picked_up'],
  ['delivery', 'unassign', 'assigned_waiting', 'waiting_for_pickup', 'pickup_in_progress'],
  ['delivery', 'start_delivery', 'assigned', 'delivery_in_progress', 'in_transit'],
  ['delivery', 'start_delivery_approach', 'assigned', 'delivery_in_progress', 'in_transit'],
  ['delivery', 'start_transit', 'assigned', 'in_transit', 'in_transit'],
  ['delivery', 'start_transit', 'delivery_in_progress', 'in_transit', 'in_transit'],
  ['delivery', 'deliver', 'assigned', 'delivered', 'delivered'],
  ['delivery', 'deliver', 'delivery_in_progress', 'delivered', 'delivered'],
  ['delivery', 'deliver', 'in_transit', 'delivered', 'delivered'],
  ['delivery', 'fail', 'assigned', 'failed', 'picked_up'],
  ['delivery', 'fail', 'delivery_in_progress', 'failed', 'picked_up'],
  ['delivery', 'fail', 'in_transit', 'failed', 'picked_up'],
  ['delivery', 'cancel', 'waiting_for_pickup', 'cancelled', 'cancelled'],
  ['delivery', 'cancel', 'assigned_waiting', 'cancelled', 'cancelled'],
  ['delivery', 'cancel', 'pending', 'cancelled', 'cancelled'],
  ['delivery', 'cancel', 'assigned', 'cancelled', 'cancelled'],
  ['delivery', 'cancel', 'delivery_in_progress', 'cancelled', 'cancelled'],
  ['delivery', 'cancel', 'in_transit', 'cancelled', 'cancelled'],
  ['delivery', 'cancel', 'failed', 'cancelled', 'cancelled'],
  ['delivery', 'reactivate', 'failed', 'pending', 'pending'],
  ['transfer', 'assign', 'pending', 'assigned', 'picked_up'],
  ['transfer', 'assign', 'assigned', 'assigned', 'picked_up'],
  ['transfer', 'unassign', 'assigned', 'pending', 'picked_up'],
  ['transfer', 'start_transit', 'assigned', 'in_transit', 'in_transit'],
  ['transfer', 'deliver', 'assigned', 'delivered', 'picked_up'],
  ['transfer', 'deliver', 'in_transit', 'delivered', 'picked_up'],
  ['transfer', 'fail', 'assigned', 'failed', 'picked_up'],
  ['transfer', 'fail', 'in_transit', 'failed', 'picked_up'],
  ['transfer', 'cancel', 'pending', 'cancelled', 'picked_up'],
  ['transfer', 'cancel', 'assigned', 'cancelled', 'picked_up'],
  ['transfer', 'cancel', 'in_transit', 'cancelled', 'picked_up'],
  ['transfer', 'cancel', 'failed', 'cancelled', 'picked_up'],
  ['transfer', 'reactivate', 'failed', 'pending', 'pending'],
  ['return', 'assign', 'pending', 'assigned', 'picked_up'],
  ['return', 'assign', 'assigned', 'assigned', 'picked_up'],
  ['return', 'unassign', 'assigned', 'pending', 'picked_up'],
  ['return', 'start_transit', 'assigned', 'in_transit', 'in_transit'],
  ['return', 'deliver', 'assigned', 'delivered', 'returned'],
  ['return', 'deliver', 'in_transit', 'delivered', 'returned'],
  ['return', 'fail', 'assigned', 'failed', 'picked_up'],
  ['return', 'fail', 'in_transit', 'failed', 'picked_up'],
  ['return', 'cancel', 'pending', 'cancelled', 'picked_up'],
  ['return', 'cancel', 'assigned', 'cancelled', 'picked_up'],
  ['return', 'cancel', 'in_transit', 'cancelled', 'picked_up'],
  ['return', 'cancel', 'failed', 'cancelled', 'picked_up'],
  ['return', 'reactivate', 'failed', 'pending', 'pending'],
];

/** What every subject has, so that keeping it differs from clearing it. */
const SUBJECT_STATE = { driverId: OTHER_DRIVER, failureReason: 'damaged', attempts: 2 } as const;

/** A shipment in which a task of the type can stand in the status: what surrounds it is as life would have it. */
function shipmentWith(type: TaskType, status: TaskStatus): ShipmentState {
  const pickedUp = task(PICKUP, 'pickup', 'picked_up');
  switch (type) {
    case 'pickup':
      return {
        status: 'pending',
        tasks: [
          task(PICKUP, 'pickup', status, SUBJECT_STATE),
          task(DELIVERY, 'delivery', 'waiting_for_pickup', { previousId: PICKUP }),
        ],
      };
    case 'delivery': {
      const waits = status === 'waiting_for_pickup' || status === 'assigned_waiting';
      return {
        status: waits ? 'pickup_in_progress' : 'picked_up',
        tasks: [
          waits ? task(PICKUP, 'pickup', 'pickup_in_progress') : pickedUp,
          task(DELIVERY, 'delivery', status, { ...SUBJECT_STATE, previousId: PICKUP }),
        ],
      };
    }
    case 'transfer':
      return {
        status: 'picked_up',
        tasks: [
          pickedUp,
          task(DELIVERY, 'delivery', 'waiting_for_pickup', { previousId: DETOUR }),
          task(DETOUR, 'transfer', status, { ...SUBJECT_STATE, previousId: PICKUP }),
        ],
      };
    case 'return':
      return {
        status: 'picked_up',
        tasks: [
          pickedUp,
          task(DELIVERY, 'delivery', 'failed', { previousId: PICKUP }),
          task(DETOUR, 'return', status, { ...SUBJECT_STATE, previousId: DELIVERY }),
        ],
      };
  }
}

const SUBJECT = { pickup: PICKUP, delivery: DELIVERY, transfer: DETOUR, return: DETOUR } as const;

function ask(type: TaskType, status: TaskStatus, transition: Transition): Decision {
  return decideTransition(shipmentWith(type, status), {
    taskId: SUBJECT[type],
    transition,
    driver: { id: DRIVER, name: 'Ana', isAvailable: true },
    reason: 'weather',
    role: null,
  });
}

/** What beside the task itself moves, by the same hand: releases, and the cascade of a shipment that ends. */
function expectedCompanions(type: TaskType, from: TaskStatus, transition: Transition): string[] {
  const waited = from === 'waiting_for_pickup' || from === 'assigned_waiting';
  switch (`${type} ${transition}`) {
    case 'pickup pick_up':
    case 'transfer deliver':
    case 'transfer cancel':
      return ['delivery→pending silent'];
    case 'pickup cancel':
    case 'return deliver':
      return ['delivery→cancelled notified'];
    case 'delivery cancel':
      return waited ? ['pickup→cancelled notified'] : [];
    default:
      return [];
  }
}

function expectedSubject(transition: Transition) {
  if (transition === 'assign') return { ...SUBJECT_STATE, driverId: DRIVER, driverName: 'Ana' };
  if (transition === 'unassign') return { ...SUBJECT_STATE, driverId: null, driverName: null };
  if (transition === 'reactivate')
    return { driverId: null, driverName: null, failureReason: null, attempts: 3 };
  return { ...SUBJECT_STATE, ...(transition === 'fail' ? { failureReason: 'weather' } : {}) };
}

const cell = test.macro<[TaskType, Transition]>({
  title: (_, type, transition) =>
    `${transition} of a ${type} moves from the listed statuses and is refused from all others`,
  exec(t, type, transition) {
    for (const status of TASK_STATUSES) {
      const row = EXPECTED.find(
        ([ofType, by, from]) => ofType === type && by === transition && from === status,
      );
      const decision = ask(type, status, transition);
      if (row === undefined) {
        const shipment = shipmentWith(type, status);
        if (decision.kind !== 'rejected') return t.fail(`${transition} from ${status} was ${decision.kind}`);
        t.like(decision.problem, {
          kind: 'conflict',
          currentStatus: status,
          allowedTransitions: EXPECTED.filter(([ofType, , from]) => ofType === type && from === status).map(
            ([, by]) => by,
          ),
        });
        t.deepEqual(
          new Set(allowedTransitions(shipment, subjectOf(shipment, type), null)),
          new Set(EXPECTED.filter(([of, , from]) => of === type && from === status).map(([, by]) => by)),
        );
        continue;
      }
      const [, , , to, after] = row;
      if (decision.kind !== 'applied') return t.fail(`${transition} from ${status} was ${decision.kind}`);
      const [own, ...companions] = decision.change.tasks;
      t.is(decision.change.status, after, status);
      t.like(own, {
        task: { id: SUBJECT[type], status: to, version: 2, ...expectedSubject(transition) },
        transition,
        leavesRun: transition === 'unassign' || transition === 'reactivate',
      });
      t.deepEqual(
        companions.map(
          (move) =>
            `${move.task.type}→${move.task.status} ${move.transition === null ? 'silent' : 'notified'}`,
        ),
        expectedCompanions(type, status, transition),
        status,
      );
    }
  },
});

function subjectOf(shipment: ShipmentState, type: TaskType) {
  const found = shipment.tasks.find(({ id }) => id === SUBJECT[type]);
  if (found === undefined) throw new Error('the shipment lacks its subject');
  return found;
}

for (const type of TASK_TYPES) {
  for (const transition of TRANSITIONS) test(cell, type, transition);
}

test('the hand-written table names each cell once and has all 63 of them', (t) => {
  const cells = EXPECTED.map(([type, transition, from]) => `${type} ${transition} ${from}`);
  t.is(new Set(cells).size, 63);
  t.is(cells.length, 63);
});
