import type { CommandOutcome, CommandResult } from '../../domain/command.ts';
import { MAX_COMMAND_TRIES } from '../../domain/command.ts';
import { FAILURE_REASONS, isOneOf, TASK_TYPES, TRANSITIONS } from '../../domain/enumerations.ts';
import type { CommandId, ShipmentId } from '../../domain/ids.ts';
import type { Problem } from '../../domain/problem.ts';
import { describeViolations } from '../../domain/problem.ts';
import type { WaitingCommand } from './command-queue.ts';
import { lockNextCommand, recordFailedTry } from './command-queue.ts';
import type { Database, Executor } from '../connection.ts';
import { inTransaction, isDatabaseUnavailable } from '../connection.ts';
import { decideCommand } from './decide-command.ts';
import type { LockedState } from './plan-write.ts';
import { withEvents } from './plan-write.ts';
import type { LockedShipment, LockedTask } from './lock-shipment.ts';
import { lockShipment, lockTasks } from './lock-shipment.ts';
import type { ShipmentSnapshot } from './shipment-snapshot.ts';
import { readSnapshot, snapshotOf } from './shipment-snapshot.ts';
import type { ShipmentWrite } from './write-shipment.ts';
import { writeOutcome, writeShipment } from './write-shipment.ts';

/** One decided command, and the shipment after it. */
export interface AppliedCommand {
  readonly id: CommandId;
  readonly outcome: CommandOutcome;
  /** The command in a few words of the contract, for ops: `pick_up (pickup)`. */
  readonly caption: string;
  /** Why it was rejected or set aside; null when it was applied. Holds nothing personal. */
  readonly reason: string | null;
  readonly snapshot: ShipmentSnapshot;
  /** Whether this command gave the shipment its deadline. */
  readonly isDeadlineNew: boolean;
}

/**
 * Decides and writes the oldest waiting command of a shipment: one transaction locks the shipment, the command, the tasks
 * and the driver, checks that the actor may still do it, asks the table, and writes task, shipment, timeline, webhook events
 * and outcome (decision 0013). Called again it takes the next command, so no command is applied twice.
 * Resolves to undefined when no command waits. A command that throws for a reason of its own is tried again by the
 * caller's retry, and set aside as `failed` after MAX_COMMAND_TRIES. Throws when the database is unavailable.
 */
export async function applyNextCommand(
  database: Database,
  shipmentId: ShipmentId,
): Promise<AppliedCommand | undefined> {
  let taken: { readonly command: WaitingCommand; readonly caption: string } | undefined;
  try {
    return await inTransaction(database, async (transaction) => {
      taken = undefined;
      const shipment = await lockShipment(transaction, shipmentId);
      if (shipment === undefined) return undefined;
      const command = await lockNextCommand(transaction, shipmentId);
      if (command === undefined) return undefined;
      taken = { command, caption: captionOf(command, []) };
      return await applyLocked(transaction, shipment, command);
    });
  } catch (error) {
    if (taken === undefined || isDatabaseUnavailable(error)) throw error;
    const isSetAside = await recordFailedTry(database, taken.command.id, error);
    const snapshot = isSetAside ? await readSnapshot(database, shipmentId) : undefined;
    if (snapshot === undefined) throw error;
    const { command, caption } = taken;
    const reason = `failed on each of ${MAX_COMMAND_TRIES} tries`;
    return { id: command.id, outcome: 'failed', caption, reason, snapshot, isDeadlineNew: false };
  }
}

async function applyLocked(
  transaction: Executor,
  shipment: LockedShipment,
  command: WaitingCommand,
): Promise<AppliedCommand> {
  const { tasks, nextEventAtMicroseconds } = await lockTasks(transaction, shipment.id);
  const context: LockedState = {
    shipment,
    tasks,
    nextEventAtMicroseconds,
    commandId: command.id,
    actorId: command.actorId,
  };
  const verdict = await decideCommand(transaction, command, context);
  const applied = { id: command.id, caption: captionOf(command, tasks), isDeadlineNew: false };
  if (verdict === 'unchanged' || 'problem' in verdict) {
    const problem = verdict === 'unchanged' ? null : verdict.problem;
    await writeOutcome(transaction, command.id, problem, resultOf(context, command, null));
    return {
      ...applied,
      outcome: problem === null ? 'applied' : 'rejected',
      reason: problem === null ? null : reasonOf(problem),
      snapshot: await currentSnapshot(transaction, shipment),
    };
  }
  const write = withEvents(context, verdict.write);
  await writeShipment(transaction, write, resultOf(context, command, write));
  return {
    ...applied,
    outcome: 'applied',
    reason: null,
    snapshot: snapshotAfter(context, write, command),
    isDeadlineNew: write.deliveryDeadline !== null && shipment.deliveryDeadline === null,
  };
}

/** What became of the command's task; null for a command that is not about one task. */
function resultOf(
  { shipment, tasks }: LockedState,
  { taskId }: WaitingCommand,
  write: ShipmentWrite | null,
): CommandResult | null {
  const task = tasks.find(({ id }) => id === taskId);
  const shipmentVersion = shipment.version + (write === null ? 0 : 1);
  const added = write?.taskInserts.find(({ id }) => id === taskId);
  if (added !== undefined) {
    const shipmentStatus = write?.status ?? shipment.status;
    return {
      taskType: added.type,
      taskStatus: added.status,
      shipmentStatus,
      taskVersion: 1,
      shipmentVersion,
    };
  }
  if (task === undefined) return null;
  const update = write?.taskUpdates.find(({ id }) => id === taskId);
  return {
    taskType: task.type,
    taskStatus: update?.status ?? task.status,
    shipmentStatus: write?.status ?? shipment.status,
    taskVersion: task.version + (update === undefined ? 0 : 1),
    shipmentVersion,
  };
}

function captionOf(command: WaitingCommand, tasks: readonly LockedTask[]): string {
  const { kind, request, taskId } = command;
  if (kind === 'add_task')
    return isOneOf(TASK_TYPES, request.taskType) ? `${kind} (${request.taskType})` : kind;
  if (kind !== 'transition') return kind;
  const task = tasks.find(({ id }) => id === taskId);
  const transition = isOneOf(TRANSITIONS, request.transition) ? request.transition : kind;
  return task === undefined ? transition : `${transition} (${task.type})`;
}

/** A rejection's texts come from the domain's tables: statuses and transitions, nothing that a person typed. */
function reasonOf(problem: Problem): string {
  return problem.kind === 'invalid' ? describeViolations(problem) : problem.detail;
}

async function currentSnapshot(transaction: Executor, shipment: LockedShipment): Promise<ShipmentSnapshot> {
  const snapshot = await readSnapshot(transaction, shipment.id);
  if (snapshot === undefined) throw new Error('a locked shipment disappeared');
  return snapshot;
}

/** The state after the write, without another round trip. */
function snapshotAfter(
  { shipment, tasks }: LockedState,
  write: ShipmentWrite,
  { hasNext, pendingEventIds }: WaitingCommand,
): ShipmentSnapshot {
  const updates = new Map(write.taskUpdates.map((update) => [update.id, update]));
  const lines = tasks.map((task) => {
    const update = updates.get(task.id);
    if (update === undefined) return task;
    const failureReason = update.failure_reason;
    return {
      type: task.type,
      status: update.status,
      attempts: update.attempts,
      failureReason: isOneOf(FAILURE_REASONS, failureReason) ? failureReason : null,
    };
  });
  const added = write.taskInserts.map(({ type, status }) => ({
    type,
    status,
    attempts: 1,
    failureReason: null,
  }));
  return snapshotOf(
    {
      status: write.status,
      deliveryDeadline: write.deliveryDeadline,
      isDeadlineMissed: shipment.deadlineMissedAt !== null || write.missesDeadline,
      deadLetters: shipment.deadLetters,
      hasWaitingCommands: hasNext,
    },
    [...lines, ...added],
    [...pendingEventIds, ...write.events.map(({ id }) => id)],
  );
}
