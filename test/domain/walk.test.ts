import test from 'ava';
import * as fc from 'fast-check';
import { decideAdditionalTask } from '../../domain/additional-task.ts';
import type { ShipmentStatus, TaskType } from '../../domain/enumerations.ts';
import { TASK_PLANS } from '../../domain/task-plan.ts';
import { isTerminalShipment, isTerminalTask } from '../../domain/shipment-status.ts';
import type { Decision, ShipmentState, TaskMove, TaskState } from '../../domain/transition.ts';
import {
  allowedTransitions,
  decideApproval,
  decideTransition,
  decideWithdrawal,
} from '../../domain/transition.ts';
import { DRIVER, OTHER_DRIVER, task, taskId } from './shipments.ts';
import { beginnings, chosenTransition, steps } from './walk.ts';
import type { Step } from './walk.ts';

const RUNS = 800;

function plannedTasks(hasPickup: boolean): TaskState[] {
  return TASK_PLANS[hasPickup ? 'point' : 'none'].map(({ type, status, follows }, index) =>
    task(taskId(index + 1), type, status, follows === null ? {} : { previousId: taskId(follows + 1) }),
  );
}

function decisionOf(shipment: ShipmentState, step: Extract<Step, { kind: 'transition' }>): Decision {
  const subject = shipment.tasks[step.task % Math.max(1, shipment.tasks.length)];
  if (subject === undefined) return { kind: 'unchanged' };
  return decideTransition(shipment, {
    taskId: subject.id,
    transition: chosenTransition(step, allowedTransitions(shipment, subject)),
    driver: { id: step.driver === 0 ? DRIVER : OTHER_DRIVER, isAvailable: true },
    hasReason: true,
  });
}

function moved(state: TaskState, move: TaskMove | undefined): TaskState {
  if (move === undefined) return state;
  const driverId =
    move.driver.change === 'set' ? move.driver.id : move.driver.change === 'clear' ? null : state.driverId;
  return { ...state, status: move.to, driverId };
}

function withMoves(shipment: ShipmentState, decision: Extract<Decision, { kind: 'applied' }>): ShipmentState {
  return {
    status: decision.shipmentStatus,
    tasks: shipment.tasks.map((state) =>
      moved(
        state,
        decision.moves.find((move) => move.taskId === state.id),
      ),
    ),
  };
}

function withTask(shipment: ShipmentState, type: Extract<TaskType, 'transfer' | 'return'>): ShipmentState {
  const addition = decideAdditionalTask(shipment, type);
  if ('kind' in addition) return shipment;
  const id = taskId(shipment.tasks.length + 1);
  const tasks = shipment.tasks.map((state) =>
    state.id !== addition.deliveryId
      ? state
      : {
          ...state,
          status: addition.deliveryBecomes,
          previousId: addition.becomesPredecessor ? id : state.previousId,
          driverId: addition.deliveryStartsOver ? null : state.driverId,
        },
  );
  const previous = addition.previousId === null ? {} : { previousId: addition.previousId };
  return { ...shipment, tasks: [...tasks, task(id, type, 'pending', previous)] };
}

function take(
  shipment: ShipmentState,
  step: Step,
  hasPickup: boolean,
): { after: ShipmentState; decision: Decision | undefined } {
  switch (step.kind) {
    case 'add_task':
      return { after: withTask(shipment, step.type), decision: undefined };
    case 'approve': {
      const isApproved = decideApproval(shipment.status) === 'approve';
      return {
        after: isApproved ? { status: 'pending', tasks: plannedTasks(hasPickup) } : shipment,
        decision: undefined,
      };
    }
    case 'withdraw':
    case 'transition': {
      const decision = step.kind === 'withdraw' ? decideWithdrawal(shipment) : decisionOf(shipment, step);
      return { after: decision.kind === 'applied' ? withMoves(shipment, decision) : shipment, decision };
    }
  }
}

/** Design gaps 16 and 20, as laws of every shipment at every moment. */
function assertLaws(before: ShipmentState, after: ShipmentState, decision: Decision | undefined): void {
  if (isTerminalShipment(before.status)) {
    if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error('an ended shipment changed');
    return;
  }
  const open = after.tasks.filter(({ type, status }) => !isTerminalTask(type, status));
  if (isTerminalShipment(after.status) && open.length > 0)
    throw new Error('an ended shipment has open tasks');
  const isStuck = !after.tasks.some((state) => allowedTransitions(after, state).length > 0);
  if (!isTerminalShipment(after.status) && after.status !== 'pending_approval' && isStuck) {
    throw new Error('nothing is allowed on a shipment that has not ended');
  }
  for (const state of before.tasks) {
    const now = after.tasks.find(({ id }) => id === state.id);
    if (isTerminalTask(state.type, state.status) && now?.status !== state.status) {
      throw new Error('an ended task moved');
    }
  }
  if (decision?.kind === 'applied') assertMoves(before, decision.moves);
  assertWaiting(after);
}

function assertMoves(before: ShipmentState, moves: readonly TaskMove[]): void {
  if (new Set(moves.map((move) => move.taskId)).size !== moves.length) throw new Error('a task moved twice');
  for (const move of moves) {
    if (!before.tasks.some(({ id }) => id === move.taskId)) throw new Error('a task from nowhere moved');
    if (move.notifies !== (move.transition !== null)) throw new Error('an event without a transition');
  }
}

/** A task waits exactly while the one it follows is open. */
function assertWaiting({ status, tasks }: ShipmentState): void {
  if (isTerminalShipment(status)) return;
  for (const state of tasks) {
    const isWaiting = state.status === 'waiting_for_pickup' || state.status === 'assigned_waiting';
    const previous = tasks.find(({ id }) => id === state.previousId);
    const isHeldUp = previous !== undefined && !isTerminalTask(previous.type, previous.status);
    if (state.type === 'delivery' && isWaiting !== isHeldUp) {
      throw new Error(`a delivery is ${state.status} after a ${previous?.type} that is ${previous?.status}`);
    }
  }
}

test('whatever is asked of a shipment, in whatever order, the laws of its states hold', (t) => {
  const reached = new Set<ShipmentStatus>();
  fc.assert(
    fc.property(beginnings, steps, ({ hasPickup, awaitsApproval }, walk) => {
      let shipment: ShipmentState = awaitsApproval
        ? { status: 'pending_approval', tasks: [] }
        : { status: 'pending', tasks: plannedTasks(hasPickup) };
      for (const step of walk) {
        const { after, decision } = take(shipment, step, hasPickup);
        assertLaws(shipment, after, decision);
        shipment = after;
        reached.add(shipment.status);
      }
    }),
    { numRuns: RUNS },
  );
  t.is(reached.size, 8, 'the walks came through every shipment status');
});
