import * as fc from 'fast-check';
import type { AdditionalTaskType } from '../../domain/additional-task.ts';
import { ADDITIONAL_TASK_TYPES, decideAdditionalTask } from '../../domain/additional-task.ts';
import type { Transition } from '../../domain/enumerations.ts';
import { TRANSITIONS } from '../../domain/enumerations.ts';
import type { DriverId, TaskId } from '../../domain/ids.ts';
import { isTerminalShipment, isTerminalTask } from '../../domain/shipment-status.ts';
import type {
  Decision,
  ShipmentState,
  TaskMove,
  TaskState,
  TransitionRequest,
} from '../../domain/transition.ts';
import {
  allowedTransitions,
  decideApproval,
  decideTransition,
  decideDeletion,
} from '../../domain/transition.ts';
import { task } from './shipments.ts';

/**
 * One step of a random walk through a shipment's life. `task` picks one of the tasks that there are (modulo their
 * number); most steps ask for something that is allowed at the moment (`preferAllowed`), else walks would end in refusals.
 */
export type Step =
  | {
      readonly kind: 'transition';
      readonly task: number;
      readonly transition: Transition;
      readonly allowed: number | null;
      readonly driver: number;
    }
  | { readonly kind: 'add_task'; readonly type: AdditionalTaskType }
  | { readonly kind: 'delete' }
  | { readonly kind: 'approve' };

const transition = fc.record({
  kind: fc.constant('transition' as const),
  task: fc.nat({ max: 11 }),
  transition: fc.constantFrom(...TRANSITIONS),
  /** Which of the allowed transitions to take in place of `transition`; null asks for whatever was drawn. */
  allowed: fc.option(fc.nat({ max: 9 }), { freq: 5, nil: null }),
  driver: fc.nat({ max: 1 }),
});

/** Random steps; ends are rare, so that walks are long. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: transition },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('add_task' as const),
        type: fc.constantFrom(...ADDITIONAL_TASK_TYPES),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('approve' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const) }) },
  ),
  { minLength: 1, maxLength: 60, size: 'max' },
);

/** How a walk begins: with or without a pickup, awaiting approval or not. */
export const beginnings = fc.record({ hasPickup: fc.boolean(), awaitsApproval: fc.boolean() });

/** The transition that a step asks for, given those allowed on its task; cancels are left to `transition`, so that walks last. */
export function chosenTransition(
  step: Extract<Step, { kind: 'transition' }>,
  allowed: readonly Transition[],
): Transition {
  const lasting = allowed.filter((candidate) => candidate !== 'cancel');
  if (step.allowed === null || lasting.length === 0) return step.transition;
  return lasting[step.allowed % lasting.length] ?? step.transition;
}

/** What a walk needs beside its steps. */
export interface Surroundings {
  readonly drivers: readonly [DriverId, DriverId];
  /** The tasks that an approval makes. */
  readonly plannedTasks: readonly TaskState[];
  readonly newTaskId: TaskId;
}

/** What a step asks of which task; undefined where the shipment has no task yet. */
export function requestOf(
  shipment: ShipmentState,
  step: Extract<Step, { kind: 'transition' }>,
  { drivers }: Pick<Surroundings, 'drivers'>,
): TransitionRequest | undefined {
  const subject = shipment.tasks[step.task % Math.max(1, shipment.tasks.length)];
  if (subject === undefined) return undefined;
  return {
    taskId: subject.id,
    transition: chosenTransition(step, allowedTransitions(shipment, subject)),
    driver: { id: drivers[step.driver] ?? drivers[0], isAvailable: true },
    hasReason: true,
  };
}

/** Takes one step by the pure rules: how the shipment then stands, and the decision where there was one to make. */
export function take(
  shipment: ShipmentState,
  step: Step,
  surroundings: Surroundings,
): { readonly after: ShipmentState; readonly decision: Decision | undefined } {
  switch (step.kind) {
    case 'add_task':
      return { after: withTask(shipment, step.type, surroundings.newTaskId), decision: undefined };
    case 'approve': {
      const isApproved = decideApproval(shipment.status) === 'approve';
      return {
        after: isApproved ? { status: 'pending', tasks: surroundings.plannedTasks } : shipment,
        decision: undefined,
      };
    }
    case 'delete':
      return decided(shipment, decideDeletion(shipment));
    case 'transition': {
      const request = requestOf(shipment, step, surroundings);
      return decided(
        shipment,
        request === undefined ? { kind: 'unchanged' } : decideTransition(shipment, request),
      );
    }
  }
}

function decided(shipment: ShipmentState, decision: Decision) {
  return { after: decision.kind === 'applied' ? withMoves(shipment, decision) : shipment, decision };
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

function withTask(shipment: ShipmentState, type: AdditionalTaskType, id: TaskId): ShipmentState {
  const addition = decideAdditionalTask(shipment, type);
  if ('kind' in addition) return shipment;
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

/** Interpretations 16 and 20, as laws of every shipment at every moment. Throws where one is broken. */
export function assertLaws(
  before: ShipmentState,
  after: ShipmentState,
  decision: Decision | undefined,
): void {
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
