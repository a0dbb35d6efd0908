import type { BoardTools } from './board-context.ts';
import { isDriverLane } from './lanes.ts';
import type { LaneKey } from './lanes.ts';
import type { AssignOptions, Place, Plan } from './plan.ts';
import { planAssignment, planUnassignment } from './plan.ts';
import type { Iri } from './rows.ts';
import type { BoardStore } from './store.ts';

/** The tasks that a key or a button acts on: the selected ones, else the one that has the focus. */
export function targetsOf({ store, focus }: Pick<BoardTools, 'store' | 'focus'>): readonly Iri[] {
  const selected = [...store.selection()].filter((task) => store.task(task) !== undefined);
  if (selected.length > 0) return selected;
  return focus.at !== undefined && store.task(focus.at.task) !== undefined ? [focus.at.task] : [];
}

/** Makes a move. The focus goes to the next card of the lane that a card leaves; if the move is rejected, it comes back. */
export function makePlan(tools: BoardTools, plan: Plan): void {
  const { store, focus, mover } = tools;
  const moved = new Set(plan.map(({ task }) => task));
  const next = nextInLane(tools, moved);
  if (!mover.make(plan)) return;
  store.select([]);
  const { at } = focus;
  if (at === undefined || !moved.has(at.task) || store.lane(at.lane).order.includes(at.task)) return;
  if (next !== undefined) focus.request(at.lane, next);
  else focusWhereItIs(tools, at.task);
}

export function assignTo(
  tools: BoardTools,
  tasks: readonly Iri[],
  driver: Iri,
  options: AssignOptions = {},
): void {
  makePlan(tools, planAssignment(tools.store, tasks, driver, options));
}

/** What a drop on a lane asks, at a card where one is named. */
export function dropOn(
  tools: BoardTools,
  tasks: readonly Iri[],
  lane: LaneKey,
  { before, isAlone }: { readonly before: Iri | null | undefined; readonly isAlone: boolean },
): void {
  if (lane === 'unassigned') makePlan(tools, planUnassignment(tools.store, tasks, isAlone));
  if (!isDriverLane(lane)) return;
  assignTo(tools, tasks, lane, {
    isAlone,
    place: before === undefined ? undefined : placeBefore(tools.store, lane, before),
  });
}

/**
 * The place in a run that a place between the cards of a lane is: before a card of a run, or last in the run of the card above.
 * Undefined where no run is near: the time window decides there.
 */
export function placeBefore(store: BoardStore, lane: LaneKey, before: Iri | null): Place | undefined {
  const { order } = store.lane(lane);
  const index = before === null ? order.length : order.indexOf(before);
  const below = store.task(order[index] ?? '')?.deliveryRun;
  if (below !== undefined && before !== null && isOpenRun(store, below))
    return { run: below, at: { before } };
  const above = store.task(order[index - 1] ?? '')?.deliveryRun;
  return above !== undefined && isOpenRun(store, above) ? { run: above, at: 'end' } : undefined;
}

/**
 * Moves a task one place up (-1) or down (1) in its run, and tells why where it stays: at an end of its run a key that is pressed
 * often or held must not send it to another driver's tour. `intoNext` moves it into the run above or below instead.
 */
export function moveInRun(tools: BoardTools, task: Iri, lane: LaneKey, by: -1 | 1, intoNext: boolean): void {
  const { store, mover, focus, tell } = tools;
  const place = intoNext ? placeInNextRun(store, task, lane, by) : placeInOwnRun(store, task, lane, by);
  if (typeof place === 'string') {
    tell({ kind: 'no_place', why: place });
    return;
  }
  mover.make(planAssignment(store, [task], lane, { isAlone: true, place }));
  focus.request(lane, task);
}

/** Why a key changes no place: the card is in no run, it is the first or last of its own, or there is none to go to. */
export type NoPlace = 'no_run' | 'first' | 'last' | 'no_next';

function placeInOwnRun(store: BoardStore, task: Iri, lane: LaneKey, by: -1 | 1): Place | NoPlace {
  const { order } = store.lane(lane);
  const index = order.indexOf(task);
  const runAt = (at: number) => store.task(order[at] ?? '')?.deliveryRun;
  const run = runAt(index);
  if (!isDriverLane(lane) || run === undefined || !isOpenRun(store, run)) return 'no_run';
  if (runAt(index + by) !== run) return by === -1 ? 'first' : 'last';
  const before = order[by === -1 ? index - 1 : index + 2];
  return before === undefined || store.task(before)?.deliveryRun !== run
    ? { run, at: 'end' }
    : { run, at: { before } };
}

/** The end of the open run above a card, or the beginning of the one below, in the same lane. */
function placeInNextRun(store: BoardStore, task: Iri, lane: LaneKey, by: -1 | 1): Place | NoPlace {
  if (!isDriverLane(lane)) return 'no_run';
  const { order } = store.lane(lane);
  const own = store.task(task)?.deliveryRun;
  const index = order.indexOf(task);
  const further = by === -1 ? order.slice(0, index).reverse() : order.slice(index + 1);
  for (const before of further) {
    const run = store.task(before)?.deliveryRun;
    if (run === undefined || run === own || !isOpenRun(store, run)) continue;
    return { run, at: by === -1 ? 'end' : { before } };
  }
  return 'no_next';
}

/** Puts the focus on a card wherever it is now, preferably where its work is. */
export function focusWhereItIs({ store, focus }: BoardTools, task: Iri): void {
  const [lane] = store.lanesOf(task);
  if (lane !== undefined) focus.request(lane, task);
}

/** Gives the focus to the card that had it last, else to the first one. */
export function focusBoard({ store, focus }: Pick<BoardTools, 'store' | 'focus'>): void {
  const { at } = focus;
  if (at !== undefined && store.lane(at.lane).order.includes(at.task)) {
    focus.request(at.lane, at.task);
    return;
  }
  for (const lane of ['attention', 'unassigned', ...store.driverLanes(), 'done']) {
    const [first] = store.lane(lane).order;
    if (first === undefined) continue;
    focus.request(lane, first);
    return;
  }
}

function isOpenRun(store: BoardStore, run: Iri): boolean {
  const status = store.rows.runs.get(run)?.status;
  return status !== undefined && status !== 'completed' && status !== 'cancelled';
}

/** The card that stands below the focus, or else above it, when some go. */
function nextInLane({ store, focus }: BoardTools, leaving: ReadonlySet<Iri>): Iri | undefined {
  if (focus.at === undefined) return undefined;
  const { order } = store.lane(focus.at.lane);
  const index = order.indexOf(focus.at.task);
  const below = order.slice(index + 1).find((task) => !leaving.has(task));
  return below ?? order.slice(0, Math.max(index, 0)).findLast((task) => !leaving.has(task));
}
