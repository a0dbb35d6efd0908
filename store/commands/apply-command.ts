import type { CommandOutcome, CommandResult } from '../../domain/command.ts';
import { MAX_COMMAND_TRIES } from '../../domain/command.ts';
import type { DecisionContext } from '../../domain/decide-command.ts';
import { commandCaption, decideCommand } from '../../domain/decide-command.ts';
import type { CommandId, ShipmentId } from '../../domain/ids.ts';
import { problemText } from '../../domain/problem.ts';
import { shipmentAfter } from '../../domain/shipment-state.ts';
import type { AssignedDriver } from '../../domain/transition.ts';
import type { WaitingCommand } from './command-queue.ts';
import { lockNextCommand, recordFailedTry } from './command-queue.ts';
import type { Database, Executor } from '../connection.ts';
import { inTransaction, isDatabaseUnavailable, selectOne } from '../connection.ts';
import { newId } from '../new-id.ts';
import { prepared } from '../prepared.ts';
import { pickupPlaces } from '../shipments/named-records.ts';
import type { LockedShipment, LockedState } from './lock-shipment.ts';
import { lockShipment, lockTasks } from './lock-shipment.ts';
import type { ObservedDecision } from './observed-decision.ts';
import { observeDecision } from './observed-decision.ts';
import type { ShipmentSnapshot } from './shipment-snapshot.ts';
import { readSnapshot, snapshotOf } from './shipment-snapshot.ts';
import { writeOutcome, writeShipment } from './write-shipment.ts';

/** A decided command, for ops: enumerations and texts of the domain, nothing personal. */
export interface CommandReport {
  /** The command in a few words of the contract: `pick_up (pickup)`. */
  readonly caption: string;
  readonly outcome: CommandOutcome;
  /** Why it was rejected or set aside; null when it was applied. */
  readonly reason: string | null;
}

/** One decided command, and the shipment after it. */
export interface AppliedCommand extends CommandReport {
  readonly id: CommandId;
  readonly snapshot: ShipmentSnapshot;
  /** Whether this command gave the shipment its deadline. */
  readonly isDeadlineNew: boolean;
}

/**
 * Decides and writes the oldest waiting command of a shipment: one transaction locks the shipment, the command, the tasks
 * and the driver, asks the rules, and writes task, shipment, timeline, webhook events and outcome (decision 0013). Called
 * again it takes the next command, so no command is applied twice.
 * Resolves to undefined when no command waits. A command that throws for a reason of its own is tried again by the
 * caller's retry, and set aside as `failed` after MAX_COMMAND_TRIES. Throws when the database is unavailable.
 */
export async function applyNextCommand(
  database: Database,
  shipmentId: ShipmentId,
): Promise<AppliedCommand | undefined> {
  let decision: ObservedDecision | undefined;
  try {
    const applied = await inTransaction(database, async (transaction) => {
      decision = undefined;
      const shipment = await lockShipment(transaction, shipmentId);
      if (shipment === undefined) return undefined;
      const taken = await lockNextCommand(transaction, shipmentId);
      if (taken === undefined) return undefined;
      decision = observeDecision(taken, shipment);
      return applyLocked(transaction, shipment, decision);
    });
    if (applied !== undefined) decision?.noteOutcome(applied.outcome);
    return applied;
  } catch (error) {
    if (decision === undefined) throw error;
    if (isDatabaseUnavailable(error)) {
      decision.noteFailedTry(error);
      throw error;
    }
    const { command } = decision;
    const isSetAside = await recordFailedTry(database, command.id, error);
    const snapshot = isSetAside ? await readSnapshot(database, shipmentId) : undefined;
    if (isSetAside) decision.noteOutcome('failed');
    else decision.noteFailedTry(error);
    if (snapshot === undefined) throw error;
    const reason = `failed on each of ${MAX_COMMAND_TRIES} tries`;
    const caption = commandCaption(command, []);
    return { id: command.id, outcome: 'failed', caption, reason, snapshot, isDeadlineNew: false };
  }
}

async function applyLocked(
  transaction: Executor,
  locked: LockedShipment,
  { command, trace }: ObservedDecision,
): Promise<AppliedCommand> {
  const shipment = { ...locked, tasks: await lockTasks(transaction, locked.id) };
  const decision = decideCommand(shipment, command, await contextOf(transaction, locked, command));
  const { id, hasNext: hasWaitingCommands, pendingEventIds } = command;
  const applied = { id, caption: commandCaption(command, shipment.tasks) };
  if (decision.kind !== 'applied') {
    const problem = decision.kind === 'rejected' ? decision.problem : null;
    await writeOutcome(transaction, { ...command, result: resultOf(shipment, command) }, problem);
    return {
      ...applied,
      outcome: problem === null ? 'applied' : 'rejected',
      reason: problem === null ? null : problemText(problem),
      snapshot: snapshotOf({ ...shipment, hasWaitingCommands, pendingEventIds }),
      isDeadlineNew: false,
    };
  }
  const { change } = decision;
  const after = {
    ...shipment,
    ...shipmentAfter(shipment, change),
    version: shipment.version + 1,
    deliveryDeadline: change.deliveryDeadline ?? shipment.deliveryDeadline,
  };
  const result = resultOf(after, command);
  const eventIds = await writeShipment(transaction, shipment, change, { ...command, result, trace });
  return {
    ...applied,
    outcome: 'applied',
    reason: null,
    // The state after the write, without another round trip.
    snapshot: snapshotOf({
      ...after,
      hasWaitingCommands,
      pendingEventIds: [...pendingEventIds, ...eventIds],
    }),
    isDeadlineNew: change.deliveryDeadline !== null,
  };
}

/** Reads, and locks, what the decision needs besides the shipment and its tasks. */
async function contextOf(
  transaction: Executor,
  shipment: LockedShipment,
  { kind, request }: WaitingCommand,
): Promise<DecisionContext> {
  // Only an assignment names a driver that counts: any other transition keeps or clears the task's own.
  const driverId = request.transition === 'assign' ? request.driverId : undefined;
  return {
    driver: driverId === undefined ? null : await lockDriver(transaction, shipment, driverId),
    pickup: kind === 'approve' ? (await pickupPlaces(transaction, [shipment]))(shipment) : null,
    now: new Date(Math.floor(shipment.nextEventAtMicroseconds / 1_000)),
    newTaskId: newId<'task'>,
  };
}

/** Locks a driver against being deleted or withdrawn from service while a task is given to it. */
async function lockDriver(
  transaction: Executor,
  { organizationId }: LockedShipment,
  id: string,
): Promise<AssignedDriver | null> {
  const driver = await selectOne<AssignedDriver>(
    transaction,
    prepared(`select id, first_name || ' ' || last_name as name, is_available as "isAvailable" from drivers
     where id = $1 and organization_id = $2 and deleted_at is null for share`),
    [id, organizationId],
  );
  return driver ?? null;
}

/** What became of the command's task; null for a command that is not about one task. */
function resultOf(shipment: LockedState, { taskId }: WaitingCommand): CommandResult | null {
  const task = shipment.tasks.find(({ id }) => id === taskId);
  if (task === undefined) return null;
  return {
    taskType: task.type,
    taskStatus: task.status,
    shipmentStatus: shipment.status,
    taskVersion: task.version,
    shipmentVersion: shipment.version,
  };
}
