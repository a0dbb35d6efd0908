import type { Seen, ShipmentHistory, Violation } from './history.ts';
import type { ModelShipment } from './shipment-model.ts';
import { beginningOf, created, shows, stateKey, take } from './shipment-model.ts';
import type { Step } from './steps.ts';
import { precedes, stepsOf } from './steps.ts';

/** Histories of a fault test need some hundred states; one that needs more than this can't be decided in time. */
const MAXIMUM_STATES = 500_000;

/**
 * Checks that what the clients saw of one shipment is linearizable: there is an order of the steps that keeps real time
 * and the order of acceptance, in which the transition table allows each applied command, rejects each rejected one, and
 * shows each state that was seen (the search of Wing and Gong, with Lowe's set of visited states). A step of unknown
 * outcome may take effect at any later time, or never. Throws when the history is too large to decide.
 */
export function checkLinearizable(history: ShipmentHistory): readonly Violation[] {
  const steps = stepsOf(history);
  const predecessors = steps.map((later, index) =>
    steps.flatMap((earlier, other) =>
      other !== index &&
      (later.after === other || (earlier.outcome !== 'unknown' && precedes(earlier, later)))
        ? [other]
        : [],
    ),
  );
  const search: Search = { steps, predecessors, visited: new Set(), furthest: null };
  if (advance(search, new Set(), beginningOf(history.beginning))) return [];
  return [
    {
      property: 'linearizable',
      shipmentId: history.shipmentId,
      evidence: explain(search),
    },
  ];
}

interface Search {
  readonly steps: readonly Step[];
  /** Which steps have to come before each one. */
  readonly predecessors: readonly (readonly number[])[];
  readonly visited: Set<string>;
  furthest: { readonly done: ReadonlySet<number>; readonly shipment: ModelShipment } | null;
}

function advance(search: Search, done: ReadonlySet<number>, shipment: ModelShipment): boolean {
  const open = search.steps.flatMap((_, index) => (done.has(index) ? [] : [index]));
  if (open.every((index) => search.steps[index]?.outcome === 'unknown')) return true;
  const key = `${open.join(',')}|${stateKey(shipment)}`;
  if (search.visited.has(key)) return false;
  search.visited.add(key);
  if (search.visited.size > MAXIMUM_STATES) throw new Error('the history is too large to be checked');
  if (done.size >= (search.furthest?.done.size ?? 0)) search.furthest = { done, shipment };
  for (const { index, after } of choices(search, done, open, shipment)) {
    if (advance(search, new Set([...done, index]), after)) return true;
  }
  return false;
}

interface Choice {
  readonly index: number;
  readonly after: ModelShipment;
}

/**
 * The steps that may come next. One that fits and changes nothing is the only choice: whatever order has it later has it
 * here too.
 */
function choices(
  search: Search,
  done: ReadonlySet<number>,
  open: readonly number[],
  shipment: ModelShipment,
): readonly Choice[] {
  const possible: Choice[] = [];
  for (const index of open) {
    const step = search.steps[index];
    if (step === undefined || !isReady(search, done, index)) continue;
    const after = afterStep(shipment, step);
    if (after === shipment) return [{ index, after }];
    if (after !== null) possible.push({ index, after });
  }
  return possible;
}

function isReady({ predecessors }: Search, done: ReadonlySet<number>, index: number): boolean {
  return predecessors[index]?.every((earlier) => done.has(earlier)) === true;
}

/** The shipment after a step; null where the model does not allow what the step saw. */
function afterStep(shipment: ModelShipment, step: Step): ModelShipment | null {
  const { action, outcome, seen } = step;
  if (action.kind === 'create') return created(shipment)?.after ?? null;
  if (outcome === 'gone') {
    const isGone = shipment.isDeleted || shipment.status === 'absent';
    return isGone && action.kind !== 'read_external' ? shipment : null;
  }
  const taken = take(shipment, action);
  if (outcome === 'rejected') {
    return taken === null && showsSeen(shipment, step, seen) ? shipment : null;
  }
  if (taken === null) return null;
  return outcome === 'unknown' || showsSeen(taken.after, step, seen) ? taken.after : null;
}

function showsSeen(shipment: ModelShipment, { action }: Step, seen: Seen | null): boolean {
  if (seen === null) return true;
  const hasTask = action.kind === 'transition' || action.kind === 'read_task';
  return shows(shipment, hasTask ? action.task : null, seen);
}

function explain({ steps, predecessors, furthest }: Search): string {
  const done = furthest?.done ?? new Set<number>();
  const shipment = furthest?.shipment;
  const state = shipment === undefined ? '?' : stateKey(shipment);
  const stuck = steps.flatMap((step, index) => {
    const isReadyNow = predecessors[index]?.every((earlier) => done.has(earlier)) === true;
    if (done.has(index) || step.outcome === 'unknown' || !isReadyNow) return [];
    return [
      `${step.name} was ${step.outcome}${step.seen === null ? '' : ` and saw ${JSON.stringify(step.seen)}`}`,
    ];
  });
  return `no order of its ${steps.length} steps fits the table; after ${done.size} of them it is ${state}, where ${stuck.join('; or ')}`;
}
