import * as fc from 'fast-check';
import type { AdditionalTaskType } from '../../domain/additional-task.ts';
import { ADDITIONAL_TASK_TYPES, decideAdditionalTask } from '../../domain/additional-task.ts';
import type { Transition } from '../../domain/enumerations.ts';
import { TRANSITIONS } from '../../domain/enumerations.ts';
import type { TaskId } from '../../domain/ids.ts';
import { isTerminalShipment, isTerminalTask } from '../../domain/shipment-status.ts';
import type { Decision, ShipmentState } from '../../domain/shipment-state.ts';
import { shipmentAfter } from '../../domain/shipment-state.ts';
import type { PickupPlace } from '../../domain/task-plan.ts';
import type { AssignedDriver, TransitionRequest } from '../../domain/transition.ts';
import {
  allowedTransitions,
  decideApproval,
  decideDeletion,
  decideTransition,
} from '../../domain/transition.ts';
import { approvable, RECIPIENT } from './shipments.ts';

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
  allowed: fc.option(fc.nat({ max: TRANSITIONS.length - 1 }), { freq: 5, nil: null }),
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

/** What a walk needs besides its steps. */
export interface Surroundings {
  readonly drivers: readonly [AssignedDriver, AssignedDriver];
  readonly pickup: PickupPlace | null;
  readonly newTaskId: () => TaskId;
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
    transition: chosenTransition(step, allowedTransitions(shipment, subject, null)),
    driver: drivers[step.driver] ?? drivers[0],
    reason: 'recipient_absent',
    role: null,
  };
}

/** Takes one step by the pure rules: how the shipment then stands, and what was decided. */
export function take(
  shipment: ShipmentState,
  step: Step,
  surroundings: Surroundings,
): { readonly after: ShipmentState; readonly decision: Decision } {
  const decision = decisionOf(shipment, step, surroundings);
  const after = decision.kind === 'applied' ? shipmentAfter(shipment, decision.change) : shipment;
  return { after, decision };
}

function decisionOf(shipment: ShipmentState, step: Step, surroundings: Surroundings): Decision {
  switch (step.kind) {
    case 'add_task':
      return decideAdditionalTask(shipment, {
        id: surroundings.newTaskId(),
        type: step.type,
        address: RECIPIENT.address,
        contact: null,
      });
    case 'approve':
      return decideApproval(approvable(shipment.status), { ...surroundings, now: new Date(0) });
    case 'delete':
      return decideDeletion({ ...shipment, deletedAt: null });
    case 'transition': {
      const request = requestOf(shipment, step, surroundings);
      return request === undefined ? { kind: 'unchanged' } : decideTransition(shipment, request);
    }
  }
}

/** Interpretations 16 and 20, as laws of every shipment at every moment. Throws where one is broken. */
export function assertLaws(before: ShipmentState, after: ShipmentState, decision: Decision): void {
  if (isTerminalShipment(before.status)) {
    if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error('an ended shipment changed');
    return;
  }
  const open = after.tasks.filter(({ type, status }) => !isTerminalTask(type, status));
  if (isTerminalShipment(after.status) && open.length > 0)
    throw new Error('an ended shipment has open tasks');
  const isStuck = !after.tasks.some((state) => allowedTransitions(after, state, null).length > 0);
  if (!isTerminalShipment(after.status) && after.status !== 'pending_approval' && isStuck) {
    throw new Error('nothing is allowed on a shipment that has not ended');
  }
  for (const state of before.tasks) {
    const now = after.tasks.find(({ id }) => id === state.id);
    if (isTerminalTask(state.type, state.status) && now?.status !== state.status) {
      throw new Error('an ended task moved');
    }
  }
  if (decision.kind === 'applied') {
    const moved = decision.change.tasks.map((change) => change.task.id);
    if (new Set(moved).size !== moved.length) throw new Error('a task moved twice');
    if (moved.some((id) => !before.tasks.some((state) => state.id === id))) {
      throw new Error('a task from nowhere moved');
    }
  }
  assertWaiting(after);
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
