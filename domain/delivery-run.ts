import type { RunStatus, TaskStatus } from './enumerations.ts';
import { isOneOf } from './enumerations.ts';
import type { DeliveryRunId, PickupPointId, TaskId } from './ids.ts';
import type { Said } from './messages.ts';
import { say } from './messages.ts';
import type { Problem } from './problem.ts';
import { conflict, invalid } from './problem.ts';
import { crockfordText } from './tracking-number.ts';

/** The statuses that a dispatcher sets; the others follow from the tasks (interpretation 5). */
const PLANNING_STATUSES = ['draft', 'planned', 'cancelled'] as const satisfies readonly RunStatus[];
export type PlanningStatus = (typeof PLANNING_STATUSES)[number];

/** How far a task has come, as its delivery run sees it. `failed` is not terminal (interpretation 16). */
export const RUN_STAGES = ['open', 'underway', 'done', 'failed', 'cancelled'] as const;
export type RunStage = (typeof RUN_STAGES)[number];

/** The stage of each task status. */
export const STAGE_OF_STATUS = {
  waiting_for_pickup: 'open',
  assigned_waiting: 'open',
  pending: 'open',
  assigned: 'open',
  pickup_in_progress: 'underway',
  delivery_in_progress: 'underway',
  in_transit: 'underway',
  picked_up: 'done',
  delivered: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<TaskStatus, RunStage>;

/** How many tasks of a run are at each stage. */
export type StageCounts = Readonly<Record<RunStage, number>>;

/** When a run has a status: `only` these stages and at least one task, `some` task at these, or as it was planned. */
export type RunStatusRule = {
  readonly status: RunStatus;
} & (
  | { readonly only: readonly RunStage[] }
  | { readonly some: readonly RunStage[] }
  | { readonly planning: PlanningStatus }
);

/**
 * THE rules of a run's status, the first that holds wins; none: the planned status (interpretation 5). A run is in
 * progress from the first start of a task, and completed when every task is terminal or failed. The store filters by
 * the same rules (store/delivery-runs/delivery-runs.ts), so that a list and a record never disagree.
 */
export const RUN_STATUS_RULES: readonly RunStatusRule[] = [
  { status: 'cancelled', planning: 'cancelled' },
  { status: 'cancelled', only: ['cancelled'] },
  { status: 'completed', only: ['done', 'failed', 'cancelled'] },
  { status: 'in_progress', some: ['underway', 'done', 'failed'] },
];

/** Derives a run's status from what was planned and where its tasks are. */
export function runStatus(planning: PlanningStatus, counts: StageCounts): RunStatus {
  return RUN_STATUS_RULES.find((rule) => holds(rule, planning, counts))?.status ?? planning;
}

function holds(rule: RunStatusRule, planning: PlanningStatus, counts: StageCounts): boolean {
  if ('planning' in rule) return rule.planning === planning;
  if ('some' in rule) return sum(counts, rule.some) > 0;
  const total = sum(counts, RUN_STAGES);
  return total > 0 && sum(counts, rule.only) === total;
}

/** How many tasks a run has. */
export function taskTotal(counts: StageCounts): number {
  return sum(counts, RUN_STAGES);
}

function sum(counts: StageCounts, stages: readonly RunStage[]): number {
  return stages.reduce((total, stage) => total + counts[stage], 0);
}

/** Whether a run can still be planned: nothing of it has begun. Such a run can be cancelled or deleted. */
export function isBeforeStart(status: RunStatus): boolean {
  return status === 'draft' || status === 'planned' || status === 'cancelled';
}

/** Whether a run takes more tasks: before it starts and while it is in progress, unless it was called off. */
export function takesTasks(planning: PlanningStatus, status: RunStatus): boolean {
  return planning !== 'cancelled' && status !== 'completed';
}

/**
 * Decides a dispatcher's change of a run's status. The status that the run has already changes nothing; in_progress and
 * completed follow from the tasks (422); a run that has begun is no longer planned (409), nor is one whose tasks are all
 * cancelled.
 */
export function replan(
  planning: PlanningStatus,
  current: RunStatus,
  wanted: RunStatus,
): PlanningStatus | Problem {
  if (wanted === current) return planning;
  if (!isOneOf(PLANNING_STATUSES, wanted)) {
    return invalid('status', say('run_status_derived', { runStatus: wanted }), 'choice');
  }
  if (!isBeforeStart(current)) return conflict(say('run_started', { runStatus: current }), current);
  if (current === 'cancelled' && planning !== 'cancelled') {
    return conflict(say('run_without_tasks', { runStatus: current }), current);
  }
  return wanted;
}

/** A task by what decides whether it can join a run: its status, and the run that it is in. */
export interface PlacedTask {
  readonly status: TaskStatus;
  readonly runId: DeliveryRunId | null;
  readonly runReference: string | null;
}

/**
 * Says why a task cannot join a run; undefined where it can. A move takes it out of another run
 * where it may leave that.
 */
export function obstacleToJoining(
  task: PlacedTask & { readonly id: TaskId },
  runId: DeliveryRunId,
  isMove = false,
): Said | undefined {
  const { id, status: taskStatus } = task;
  if (task.runId === runId) return undefined;
  if (task.runId !== null) {
    const place = { task: id, run: task.runReference ?? task.runId };
    if (!isMove) return say('in_other_run', place);
    if (!canLeaveRun(taskStatus)) return say('started_in_other_run', { ...place, taskStatus });
  }
  const stage = STAGE_OF_STATUS[taskStatus];
  if (stage === 'failed') return say('failed_for_run', { task: id });
  return stage === 'open' || stage === 'underway'
    ? undefined
    : say('ended_for_run', { task: id, taskStatus });
}

/** Whether a task may leave its run by a dispatcher's hand: one that has begun stays, as the run's record. */
export function canLeaveRun(status: TaskStatus): boolean {
  const stage = STAGE_OF_STATUS[status];
  return stage === 'open' || stage === 'cancelled';
}

/** The most tasks of one run. */
export const MAXIMUM_RUN_TASKS = 500;

export const RUN_REFERENCE_SUFFIX_LENGTH = 4;

/**
 * Makes a run's reference `RUN-YYYYMMDD-XXXX` from its date (`YYYY-MM-DD`) and four random bytes. Uniqueness within
 * the organization is the store's to enforce.
 */
export function runReference(date: string, randomBytes: Uint8Array): string {
  if (randomBytes.length !== RUN_REFERENCE_SUFFIX_LENGTH) {
    throw new RangeError(`a run's reference takes ${RUN_REFERENCE_SUFFIX_LENGTH} random bytes`);
  }
  return `RUN-${date.replaceAll('-', '')}-${crockfordText(randomBytes)}`;
}

/** A shipment as a grouped pickup sees it; without a pickup task where it has none (yet). */
export interface GroupingCandidate {
  readonly pickupPointId: PickupPointId | null;
  readonly pickup: PlacedTask | null;
}

/** Returns why a shipment cannot be part of a grouped pickup at a point; undefined where it can (interpretation 31). */
export function obstacleToGrouping(
  candidate: GroupingCandidate | undefined,
  pointId: PickupPointId,
  runId: DeliveryRunId,
): Said | undefined {
  if (candidate === undefined) return say('unknown_reference', { record: 'shipment' });
  const { pickup, pickupPointId } = candidate;
  if (pickupPointId !== pointId) return say('other_pickup_point');
  if (pickup === null) return say('no_pickup_yet');
  if (pickup.runId !== null && pickup.runId !== runId)
    return say('pickup_in_run', { run: pickup.runReference ?? pickup.runId });
  if (STAGE_OF_STATUS[pickup.status] === 'open') return undefined;
  return say('pickup_not_open', { taskStatus: pickup.status });
}
