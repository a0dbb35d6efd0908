import { readFileSync } from 'node:fs';
import test from 'ava';
import { decideAdditionalTask } from '../../domain/additional-task.ts';
import { isOneOf, TASK_TYPES, TRANSITIONS } from '../../domain/enumerations.ts';
import { toId } from '../../domain/ids.ts';
import {
  decideTransition,
  decideDeletion,
  type Decision,
  type ShipmentState,
  type TaskState,
} from '../../domain/transition.ts';
import { ENDINGS, readStoryShipments } from '../../demo/story/input.ts';
import {
  FINAL_STATUS,
  notificationsOf,
  planSteps,
  type Step,
  type TransitionStep,
} from '../../demo/story/plan.ts';

const FILE = new URL('../../demo/story/shipments.json', import.meta.url);
const shipments = readStoryShipments(JSON.parse(readFileSync(FILE, 'utf8')));
const TASK_IDS = {
  pickup: toId<'task'>('00000000-0000-4000-8000-00000000000a'),
  delivery: toId<'task'>('00000000-0000-4000-8000-00000000000b'),
  transfer: toId<'task'>('00000000-0000-4000-8000-00000000000c'),
  return: toId<'task'>('00000000-0000-4000-8000-00000000000d'),
};
const DRIVER = toId<'driver'>('00000000-0000-4000-8000-000000000001');

test('every step of every planned life is what the transition table decides', (t) => {
  for (const shipment of shipments) {
    let state = firstState(shipment.pickupMode);
    for (const step of planSteps(shipment)) {
      const { next, notified } = decide(state, step);
      t.deepEqual(notificationsOf(step), notified, `shipment ${shipment.number}, ${JSON.stringify(step)}`);
      state = next;
    }
    const status: string = state.status;
    t.is(status, FINAL_STATUS[shipment.ending], `shipment ${shipment.number}`);
  }
});

test('every way to end is planned', (t) => {
  const planned = new Set(shipments.map(({ ending, pickupMode }) => `${ending} ${pickupMode}`));
  const modes = ['none', 'point', 'address'];
  for (const ending of ENDINGS) {
    t.true(
      modes.some((mode) => planned.has(`${ending} ${mode}`)),
      ending,
    );
  }
});

test('a merchant’s shipment is approved before anything else', (t) => {
  for (const shipment of shipments) {
    const [first] = planSteps(shipment);
    t.is(first?.act === 'approve', shipment.createdBy === 'merchant');
  }
});

function firstState(pickupMode: string): ShipmentState {
  const pickup = task('pickup', 'pending', null);
  if (pickupMode === 'none') return { status: 'pending', tasks: [task('delivery', 'pending', null)] };
  return { status: 'pending', tasks: [pickup, task('delivery', 'waiting_for_pickup', pickup)] };
}

function task(type: TaskState['type'], status: TaskState['status'], previous: TaskState | null): TaskState {
  return { id: TASK_IDS[type], type, status, driverId: null, previousId: previous?.id ?? null };
}

function decide(state: ShipmentState, step: Step) {
  switch (step.act) {
    case 'approve':
      return { next: state, notified: [] };
    case 'add_return': {
      const decision = decideAdditionalTask(state, 'return');
      if ('kind' in decision) throw new Error(`a return is refused: ${JSON.stringify(decision)}`);
      const added = { ...task('return', 'pending', null), previousId: decision.previousId };
      return { next: { ...state, tasks: [...state.tasks, added] }, notified: [] };
    }
    case 'withdraw':
      return applied(state, decideDeletion(state));
    case 'transition':
      return applied(state, decideTransition(state, requestOf(state, step)));
  }
}

function requestOf(state: ShipmentState, { taskType, transition, reason }: TransitionStep) {
  const moved = state.tasks.find(({ type }) => type === taskType);
  if (moved === undefined || !isOneOf(TRANSITIONS, transition) || !isOneOf(TASK_TYPES, taskType)) {
    throw new Error(`no ${taskType} task, or no transition ${transition}`);
  }
  const driver = { id: DRIVER, isAvailable: true };
  return { taskId: moved.id, transition, driver, hasReason: reason !== undefined };
}

function applied(state: ShipmentState, decision: Decision) {
  if (decision.kind !== 'applied') throw new Error(`not applied: ${JSON.stringify(decision)}`);
  const moves = new Map(decision.moves.map((move) => [move.taskId, move]));
  const tasks = state.tasks.map((one) => {
    const move = moves.get(one.id);
    if (move === undefined) return one;
    const driverId = { keep: one.driverId, clear: null, set: DRIVER }[move.driver.change];
    return { ...one, status: move.to, driverId };
  });
  const notified = decision.moves
    .filter(({ notifies }) => notifies)
    .map(({ taskId, to }) => ({
      taskType: state.tasks.find(({ id }) => id === taskId)?.type ?? '',
      taskStatus: to,
      status: decision.shipmentStatus,
    }));
  return { next: { status: decision.shipmentStatus, tasks }, notified };
}
