import { isTerminalTask } from '../../../domain/shipment-status.ts';
import type { PinState } from './map-slot.ts';
import type { BoardTask, Iri } from './rows.ts';

/** A lane: one of the three that every board has, or a driver's IRI. */
export type LaneKey = 'attention' | 'unassigned' | 'done' | Iri;

export function isDriverLane(lane: LaneKey): boolean {
  return lane.startsWith('/');
}

/** Why a dispatcher has to look at a task, the worst first. */
export type Attention = 'failed' | 'late' | 'no_place';
const ATTENTION_RANKS: Readonly<Record<Attention, number>> = { failed: 0, late: 1, no_place: 2 };

/** When a task is due, in milliseconds since 1970: by its window, a delivery by its deadline too. */
export function dueMs({ type, before, deadline }: BoardTask): number {
  const moments = [before, type === 'delivery' ? deadline : undefined];
  return Math.min(...moments.map((moment) => (moment === undefined ? Infinity : Date.parse(moment))));
}

/** What a task needs of a dispatcher at a moment; undefined where it needs nothing. */
export function attentionOf(task: BoardTask, nowMs: number): Attention | undefined {
  if (task.status === 'failed') return 'failed';
  if (isTerminalTask(task.type, task.status)) return undefined;
  if (dueMs(task) < nowMs) return 'late';
  return task.latitude === undefined || task.longitude === undefined ? 'no_place' : undefined;
}

/**
 * The lanes that show a task. It stands where its work is: in its driver's lane, or in none's; what needs a dispatcher stands
 * under «Needs you» too, and a failed task only there until somebody decides about it.
 */
export function lanesOf(task: BoardTask, attention: Attention | undefined): readonly LaneKey[] {
  if (isTerminalTask(task.type, task.status)) return ['done'];
  if (task.status === 'failed') return ['attention'];
  const home = task.driver ?? 'unassigned';
  return attention === undefined ? [home] : [home, 'attention'];
}

export function pinOf(task: BoardTask, attention: Attention | undefined): PinState {
  if (isTerminalTask(task.type, task.status)) return 'done';
  if (attention === 'failed' || attention === 'late') return attention;
  if (['pickup_in_progress', 'delivery_in_progress', 'in_transit', 'picked_up'].includes(task.status))
    return 'moving';
  return task.driver === undefined ? 'unassigned' : 'assigned';
}

/** A task's place in a lane: the first key that differs decides. */
export type SortKey = readonly (number | string)[];

/** A lane stands in the order of its runs, then what has no run by its window. What ended last is first under «Done». */
export function sortKeyOf(
  lane: LaneKey,
  task: BoardTask,
  runReference: string,
  attention: Attention | undefined,
): SortKey {
  const { after, before, completedAt, changedAt, type, trackingNumber } = task;
  const ends = [trackingNumber, type === 'pickup' ? 0 : 1, task['@id']];
  if (lane === 'done') return [-Date.parse(completedAt ?? changedAt), ...ends];
  if (lane === 'attention')
    return [attention === undefined ? 9 : ATTENTION_RANKS[attention], dueMs(task), ...ends];
  const begins = Date.parse(before ?? after ?? '9999-12-31');
  if (task.deliveryRun === undefined) return [1, '', 0, begins, ...ends];
  return [0, runReference, task.position ?? 0, begins, ...ends];
}

export function compareKeys(one: SortKey, other: SortKey): number {
  for (const [index, value] of one.entries()) {
    const against = other[index];
    if (against === undefined || value === against) continue;
    return value < against ? -1 : 1;
  }
  return 0;
}
