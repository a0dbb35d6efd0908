import type { Evidence, TimelineEntry } from './evidence.ts';
import type { Action, ShipmentHistory, Violation } from './history.ts';
import type { ModelShipment } from './shipment-model.ts';
import { beginningOf, created, take } from './shipment-model.ts';

/**
 * Replays a shipment's timeline through the transition table: each command's entries must be what the table makes of it,
 * the end must be the state that is stored, sequences must have no gap and `updatedAt` must strictly increase.
 */
export function checkTimeline(history: ShipmentHistory, evidence: Evidence): readonly Violation[] {
  const { shipmentId, beginning } = history;
  const timeline = evidence.timeline
    .filter((entry) => entry.shipmentId === shipmentId)
    .sort((one, other) => one.sequence - other.sequence);
  const stored = evidence.shipments.find(({ id }) => id === shipmentId);
  const violation = (property: string, line: string) => ({ property, shipmentId, evidence: line });
  if (stored === undefined) return [violation('true', 'the shipment was accepted and does not exist')];
  const violations = growth(timeline).map((line) => violation('updatedAt strictly increases', line));
  const begun = beginningOf(beginning);
  let shipment = created(begun)?.after ?? begun;
  for (const group of groupsOf(timeline)) {
    const after = replay(shipment, group);
    if (after === null) {
      const line = `${group.map(describe).join(', ')} does not follow from ${stateOf(shipment)}`;
      return [...violations, violation('timeline follows the table', line)];
    }
    shipment = after;
  }
  const end = { status: shipment.status, isDeleted: shipment.isDeleted, tasks: lines(shipment) };
  const now = { status: stored.status, isDeleted: stored.isDeleted, tasks: stored.tasks };
  if (JSON.stringify(end) !== JSON.stringify(now)) {
    const line = `the timeline ends in ${JSON.stringify(end)}, stored is ${JSON.stringify(now)}`;
    violations.push(violation('timeline follows the table', line));
  }
  return violations;
}

function growth(timeline: readonly TimelineEntry[]): readonly string[] {
  return timeline.slice(1).flatMap((entry, index) => {
    const before = timeline[index];
    if (before === undefined) return [];
    const isNext = entry.sequence === before.sequence + 1 && entry.recordedAt > before.recordedAt;
    const pair = `entry ${before.sequence} at ${before.recordedAt} and ${entry.sequence} at ${entry.recordedAt}`;
    return isNext ? [] : [pair];
  });
}

/** Entries of one command together; those of none each by itself. */
function groupsOf(timeline: readonly TimelineEntry[]): readonly (readonly TimelineEntry[])[] {
  const groups: TimelineEntry[][] = [];
  for (const entry of timeline) {
    const last = groups.at(-1);
    if (last !== undefined && entry.commandId !== null && last[0]?.commandId === entry.commandId)
      last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** The shipment after a command's entries; null where the table would have written others. */
function replay(shipment: ModelShipment, group: readonly TimelineEntry[]): ModelShipment | null {
  const [first] = group;
  if (first === undefined || first.kind === 'created' || first.kind === 'deadline_missed') return shipment;
  const action = actionOf(group, first);
  const after = action === null ? null : (take(shipment, action)?.after ?? null);
  // An action that changes nothing (approved twice, the same driver again) writes no entry.
  if (after === null || after === shipment || after.status !== group.at(-1)?.shipmentStatus) return null;
  const moves = group.filter(({ kind }) => kind === 'transition');
  const isWritten = moves.every(({ task, taskStatus }) => after.tasks[task ?? -1]?.status === taskStatus);
  const moved = new Set(moves.map(({ task }) => task)).size;
  return isWritten && moved === moves.length ? after : null;
}

function actionOf(group: readonly TimelineEntry[], first: TimelineEntry): Action | null {
  if (group.some(({ kind }) => kind === 'deleted')) return { kind: 'delete' };
  if (first.kind === 'approved') return { kind: 'approve' };
  if (first.kind === 'task_added') {
    return { kind: 'add_task', type: first.taskType === 'return' ? 'return' : 'transfer' };
  }
  if (first.kind !== 'transition' || first.task === null || first.transition === null) return null;
  return { kind: 'transition', task: first.task, transition: first.transition, driver: first.driver };
}

function lines({ tasks }: ModelShipment): readonly string[] {
  return tasks.map(({ type, status }) => `${type} ${status}`);
}

function stateOf(shipment: ModelShipment): string {
  return `${shipment.status} (${lines(shipment).join(', ')})`;
}

function describe({ sequence, kind, transition, task, taskStatus }: TimelineEntry): string {
  return `${sequence}: ${transition ?? kind}${task === null ? '' : ` of task ${task} to ${taskStatus ?? ''}`}`;
}
