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

/** Moves a task one place up (-1) or down (1) in its driver's list; false where no run gives an order there. */
export function moveInRun(tools: BoardTools, task: Iri, lane: LaneKey, by: -1 | 1): boolean {
  const { store, mover } = tools;
  const { order } = store.lane(lane);
  const index = order.indexOf(task);
  const target = by === -1 ? index - 1 : index + 2;
  if (!isDriverLane(lane) || index < 0 || target < 0 || (by === 1 && index === order.length - 1))
    return false;
  const runAt = (at: number) => store.task(order[at] ?? '')?.deliveryRun;
  const own = runAt(index);
  // Below the last card of a run another run may begin: its first card is no place of this one.
  const isLast = by === 1 && runAt(index + 1) === own && runAt(target) !== own;
  const place: Place | undefined =
    isLast && own !== undefined && isOpenRun(store, own)
      ? { run: own, at: 'end' }
      : placeBefore(store, lane, order[target] ?? null);
  if (place === undefined || (by === 1 && place.run !== own)) return false;
  const plan = planAssignment(store, [task], lane, { isAlone: true, place });
  const isMade = mover.make(plan);
  tools.focus.request(lane, task);
  return isMade;
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
