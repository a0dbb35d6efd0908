import type { FailureReason, Transition } from '../../../domain/enumerations.ts';
import { ruleFor } from '../../../domain/task.ts';
import type { BoardTask, Iri } from './rows.ts';
import type { BoardStore } from './store.ts';

/** A place in a run: before one of its tasks, at an index (from 0), or last. */
export interface Place {
  readonly run: Iri;
  readonly at: { readonly before: Iri } | { readonly index: number } | 'end';
}

/** What is asked of one task, under a key that stays the same however often it is sent. */
export interface Step {
  readonly task: Iri;
  /** Undefined where only the order changes. */
  readonly transition: Transition | undefined;
  readonly driver?: Iri | undefined;
  readonly reason?: FailureReason | undefined;
  readonly comment?: string | undefined;
  readonly key: string;
  /** Where it stands in a run then. */
  readonly place?: Place | undefined;
  /** How the card looks until the outcome is known. */
  readonly patch: Partial<BoardTask>;
  /** The task as it was before: what an undo gives back. */
  readonly before: BoardTask;
  /** The task as the board showed it when the step was made: another than `before` where the step is one with an earlier one. */
  readonly shown: BoardTask;
}

/** One act of a person: what is asked of each task. */
export type Plan = readonly Step[];

export interface AssignOptions {
  /** Whether only the named tasks move, without the others of their shipments. */
  readonly isAlone?: boolean;
  readonly place?: Place | undefined;
}

/** Gives tasks to a driver, in a place of its run where one is named; those that it has already only change their place. */
export function planAssignment(
  store: BoardStore,
  tasks: readonly Iri[],
  driver: Iri,
  { isAlone = false, place }: AssignOptions = {},
): Plan {
  const named = isAlone ? tasks : withShipments(store, tasks, 'assign', driver);
  return known(store, named).flatMap((task, index): Step[] => {
    const isThere = task.driver === driver;
    if (isThere && place === undefined) return [];
    const placed =
      place === undefined
        ? { deliveryRun: undefined, position: undefined }
        : { deliveryRun: place.run, position: shownPosition(store, place) + index / 1_000 };
    if (isThere) return [stepOf(task, undefined, placed, { place })];
    const status = statusAfter(task, 'assign');
    return [stepOf(task, 'assign', { ...placed, driver, ...(status && { status }) }, { place, driver })];
  });
}

/** Takes tasks from their drivers. */
export function planUnassignment(store: BoardStore, tasks: readonly Iri[], isAlone = false): Plan {
  const named = isAlone ? tasks : withShipments(store, tasks, 'unassign');
  return known(store, named).flatMap((task): Step[] => {
    if (task.driver === undefined) return [];
    const status = statusAfter(task, 'unassign');
    return [stepOf(task, 'unassign', { ...NOBODYS, ...(status && { status }) })];
  });
}

/** Any other transition, of exactly these tasks. */
export function planTransition(
  store: BoardStore,
  tasks: readonly Iri[],
  transition: Transition,
  given: { readonly reason?: FailureReason; readonly comment?: string } = {},
): Plan {
  return known(store, tasks).map((task): Step => {
    const status = statusAfter(task, transition);
    const patch = { ...(status && { status }), ...(transition === 'reactivate' && NOBODYS) };
    return stepOf(task, transition, patch, given);
  });
}

/**
 * A step as it follows another of the same card that no news has told of yet. Changes of place after each other are taken back as
 * one; what has been taken back is over.
 */
export function stepAfter(earlier: Step, step: Step, isTakenBack = false): Step {
  const isOrder = !isTakenBack && earlier.transition === undefined && step.transition === undefined;
  return {
    ...step,
    patch: { ...earlier.patch, ...step.patch },
    ...(isOrder && { before: earlier.before }),
  };
}

/**
 * Puts back what an assignment, an unassignment or a change of place did: each task as it was before. Leaves out what is so
 * already, and what the board does not show.
 */
export function planUndo(store: BoardStore, plan: Plan): Plan {
  return [...plan]
    .sort((one, other) => (one.before.position ?? 0) - (other.before.position ?? 0))
    .flatMap(({ before }): Plan => {
      const tasks = [before['@id']];
      if (before.driver === undefined) return planUnassignment(store, tasks, true);
      const place = placeOf(before);
      const task = store.task(before['@id']);
      if (place === undefined && task?.driver === before.driver && task.deliveryRun !== undefined)
        return [stepOf(task, undefined, { deliveryRun: undefined, position: undefined })];
      return planAssignment(store, tasks, before.driver, { isAlone: true, place });
    });
}

/** Whether a step takes its task out of the run that it was in. A task that gets a place in another run leaves its own by that. */
export function leavesRun({ shown: { deliveryRun }, place, transition }: Step): boolean {
  if (deliveryRun === undefined || place !== undefined) return false;
  return transition === 'assign' || transition === undefined;
}

/** What is left of a step whose transition was applied and whose place was not. */
export function withoutPlace({ place, patch, ...step }: Step): Step {
  const { deliveryRun, position, ...left } = patch;
  return { ...step, patch: left };
}

/** Whether the opposite of a plan is a move that the service knows. */
export function canUndo(plan: Plan): boolean {
  return plan.every(({ transition = 'assign' }) => transition === 'assign' || transition === 'unassign');
}

const NOBODYS = { driver: undefined, deliveryRun: undefined, position: undefined } as const;

function stepOf(
  task: BoardTask,
  transition: Transition | undefined,
  patch: Partial<BoardTask>,
  more: Partial<Step> = {},
): Step {
  return {
    ...more,
    task: task['@id'],
    transition,
    patch,
    before: task,
    shown: task,
    key: crypto.randomUUID(),
  };
}

/** The named tasks, each followed by the others of its shipment that may make the same move. */
function withShipments(
  store: BoardStore,
  tasks: readonly Iri[],
  transition: Transition,
  driver?: Iri,
): readonly Iri[] {
  const all = new Set<Iri>();
  for (const task of known(store, tasks)) {
    all.add(task['@id']);
    const isOrder = driver !== undefined && task.driver === driver;
    if (isOrder) continue;
    for (const other of known(store, store.rows.ofShipment(task.shipment))) {
      if (other.driver !== driver && other.allowedTransitions.includes(transition)) all.add(other['@id']);
    }
  }
  return [...all];
}

function known(store: BoardStore, tasks: readonly Iri[]): readonly BoardTask[] {
  return tasks.flatMap((task) => store.task(task) ?? []);
}

function statusAfter({ type, status }: BoardTask, transition: Transition) {
  return ruleFor(type, transition)?.moves[status];
}

function placeOf({ deliveryRun, position }: BoardTask): Place | undefined {
  if (deliveryRun === undefined || position === undefined) return undefined;
  return { run: deliveryRun, at: { index: Math.round(position) } };
}

/** Where a card is shown until the run's order is known. */
function shownPosition(store: BoardStore, { at }: Place): number {
  if (at === 'end') return Number.MAX_SAFE_INTEGER / 2;
  return ('index' in at ? at.index : (store.task(at.before)?.position ?? 0)) - 0.5;
}
