import { decideAdditionalTask, ADDITIONAL_TASK_TYPES } from '../domain/additional-task.ts';
import { FAILURE_REASONS, isOneOf, TRANSITIONS } from '../domain/enumerations.ts';
import type { CommandId, DriverId, OrganizationId, WebhookEventId } from '../domain/ids.ts';
import { toId } from '../domain/ids.ts';
import type { Problem } from '../domain/problem.ts';
import { DEFAULT_DEADLINE_HOURS, deliveryDeadline } from '../domain/deadline.ts';
import { decideApproval, decideTransition, decideWithdrawal } from '../domain/transition.ts';
import type { Database, Executor } from './connection.ts';
import { inTransaction, selectOne } from './connection.ts';
import type { DecisionContext } from './decision-write.ts';
import { plainEntry, unchangedWrite, writeOfMoves } from './decision-write.ts';
import type { LockedCommand, LockedShipment, LockedTask } from './locked-shipment.ts';
import { lockCommand, lockTasks } from './locked-shipment.ts';
import { pickupPlaceOf } from './pickup-place.ts';
import { plannedTasks } from './planned-tasks.ts';
import type { ShipmentSnapshot } from './shipment-snapshot.ts';
import { readSnapshot, snapshotOf } from './shipment-snapshot.ts';
import type { ShipmentWrite, TaskInsert, TaskUpdate } from './shipment-write.ts';
import { writeOutcome, writeShipment } from './shipment-write.ts';
import { prepared } from './prepared.ts';

/** What a command came to, and how the shipment stands after it. */
export interface AppliedCommand {
  readonly outcome: 'applied' | 'refused';
  /** The transition, task type and status, for the summary in the Web UI. */
  readonly snapshot: ShipmentSnapshot;
}

type Command = LockedShipment & LockedCommand;
type Verdict = { readonly write: ShipmentWrite } | { readonly problem: Problem } | 'unchanged';

/**
 * Decides and writes one command, once: one transaction locks the shipment, its tasks and the driver, asks
 * the table, and writes task, shipment, timeline, webhook events and outcome (design, «Flow of a write»).
 * Called again with the same id it changes nothing and tells the first outcome, with every event of the
 * shipment that is still to be sent. Undefined when there is no such command.
 */
export function applyCommand(database: Database, id: CommandId): Promise<AppliedCommand | undefined> {
  return inTransaction(database, async (transaction) => {
    const command = await lockCommand(transaction, id);
    if (command === undefined) return undefined;
    if (command.commandStatus !== 'received') {
      return { outcome: command.commandStatus, snapshot: await currentSnapshot(transaction, command) };
    }
    const { tasks, nextEventAtMicroseconds } = await lockTasks(transaction, command.id);
    const context: DecisionContext = {
      shipment: command,
      tasks,
      nextEventAtMicroseconds,
      commandId: id,
      actorId: command.actorId,
    };
    const verdict = await decide(transaction, command, context);
    if (verdict === 'unchanged' || 'problem' in verdict) {
      const problem = verdict === 'unchanged' ? null : verdict.problem;
      await writeOutcome(transaction, id, problem);
      return {
        outcome: problem === null ? 'applied' : 'refused',
        snapshot: await currentSnapshot(transaction, command),
      };
    }
    await writeShipment(transaction, verdict.write);
    return { outcome: 'applied', snapshot: snapshotAfter(context, verdict.write) };
  });
}

function decide(transaction: Executor, command: Command, context: DecisionContext): Promise<Verdict> {
  switch (command.commandKind) {
    case 'transition':
      return decideTaskTransition(transaction, command, context);
    case 'approve':
      return decideShipmentApproval(transaction, command, context);
    case 'withdraw':
      return Promise.resolve(decideShipmentWithdrawal(context));
    case 'add_task':
      return Promise.resolve(decideTaskAddition(command, context));
  }
}

async function decideTaskTransition(
  transaction: Executor,
  command: Command,
  context: DecisionContext,
): Promise<Verdict> {
  const { request, taskId } = command;
  if (taskId === null || !isOneOf(TRANSITIONS, request.transition)) {
    throw new Error('a stored transition lacks its task or its name');
  }
  // Only an assignment names a driver that counts: any other transition keeps or clears the task's own.
  const driver =
    request.driverId === undefined || request.transition !== 'assign'
      ? undefined
      : await lockDriver(transaction, command.organizationId, toId<'driver'>(request.driverId));
  const decision = decideTransition(
    { status: command.status, tasks: context.tasks },
    {
      taskId,
      transition: request.transition,
      driver: driver ?? null,
      hasReason: isOneOf(FAILURE_REASONS, request.reason),
    },
  );
  if (decision.kind === 'unchanged') return 'unchanged';
  if (decision.kind === 'refused') return { problem: decision.problem };
  const write = writeOfMoves(context, decision.shipmentStatus, decision.moves, {
    reason: request.reason ?? null,
    comment: request.comment ?? null,
    proof: request.proof ?? null,
    occurredAt: request.occurredAt ?? null,
    driverName: driver?.name ?? null,
  });
  return { write };
}

/** Locks a driver against being deleted or withdrawn from service while a task is given to it. */
function lockDriver(
  transaction: Executor,
  organizationId: OrganizationId,
  id: DriverId,
): Promise<{ id: DriverId; name: string; isAvailable: boolean } | undefined> {
  return selectOne(
    transaction,
    prepared(`select id, first_name || ' ' || last_name as name, is_available as "isAvailable" from drivers
     where id = $1 and organization_id = $2 and deleted_at is null for share`),
    [id, organizationId],
  );
}

async function decideShipmentApproval(
  transaction: Executor,
  command: Command,
  context: DecisionContext,
): Promise<Verdict> {
  const approval = decideApproval(command.status);
  if (approval === 'unchanged') return 'unchanged';
  if (approval !== 'approve') return { problem: approval };
  const deadline = deliveryDeadline({
    priority: command.priority,
    scheduledAfter: command.scheduledAfter,
    scheduledBefore: command.scheduledBefore,
    from: new Date(Math.floor(context.nextEventAtMicroseconds / 1_000)),
    hours: command.deadlineHours ?? DEFAULT_DEADLINE_HOURS,
  });
  const entry = plainEntry(context, 'approved', 'pending', 0);
  return {
    write: {
      ...unchangedWrite(context),
      status: 'pending',
      eventSequence: entry.sequence,
      lastEventAt: entry.recorded_at,
      deliveryDeadline: deadline,
      taskInserts: plannedTasks({
        id: command.id,
        organizationId: command.organizationId,
        recipient: command.recipient,
        pickup: await pickupPlaceOf(transaction, command),
        scheduledAfter: command.scheduledAfter,
        deliveryDeadline: deadline,
      }),
      timeline: [entry],
    },
  };
}

function decideShipmentWithdrawal(context: DecisionContext): Verdict {
  const { shipment, tasks } = context;
  // Deleted twice at once: the second request finds what it wanted.
  if (shipment.deletedAt !== null) return 'unchanged';
  const decision = decideWithdrawal({ status: shipment.status, tasks });
  if (decision.kind === 'refused') return { problem: decision.problem };
  if (decision.kind === 'unchanged') return 'unchanged';
  const moved = writeOfMoves(context, decision.shipmentStatus, decision.moves, null);
  const entry = plainEntry(context, 'withdrawn', decision.shipmentStatus, moved.timeline.length);
  return {
    write: {
      ...moved,
      withdraws: true,
      eventSequence: entry.sequence,
      lastEventAt: entry.recorded_at,
      timeline: [...moved.timeline, entry],
    },
  };
}

function decideTaskAddition(command: Command, context: DecisionContext): Verdict {
  const { taskId, request } = command;
  const { tasks } = context;
  if (taskId === null || request.address === undefined || !isOneOf(ADDITIONAL_TASK_TYPES, request.taskType)) {
    throw new Error('a stored task addition lacks its id, type or address');
  }
  const addition = decideAdditionalTask({ status: command.status, tasks }, request.taskType);
  if ('kind' in addition) return { problem: addition };
  const insert: TaskInsert = {
    id: taskId,
    organization_id: command.organizationId,
    shipment_id: command.id,
    ordinal: tasks.length,
    type: request.taskType,
    status: 'pending',
    previous_id: addition.previousId,
    address: request.address,
    // A transfer goes to a hub and a return to the sender: whoever is met there, it is not the recipient.
    contact: request.contact ?? null,
    after: null,
    before: null,
  };
  const entry = plainEntry(context, 'task_added', command.status, 0);
  return {
    write: {
      ...unchangedWrite(context),
      eventSequence: entry.sequence,
      lastEventAt: entry.recorded_at,
      taskInserts: [insert],
      taskUpdates: tasks.flatMap((task) =>
        task.id === addition.deliveryId && addition.becomesPredecessor
          ? [waitingDelivery(task, addition.deliveryBecomes, insert.id, addition.deliveryStartsOver)]
          : [],
      ),
      timeline: [{ ...entry, task_id: insert.id, task_type: insert.type, task_status: 'pending' }],
    },
  };
}

function waitingDelivery(
  task: LockedTask,
  status: TaskUpdate['status'],
  previousId: TaskUpdate['previous_id'],
  startsOver: boolean,
): TaskUpdate {
  return {
    id: task.id,
    status,
    driver_id: startsOver ? null : task.driverId,
    previous_id: previousId,
    attempts: startsOver ? task.attempts + 1 : task.attempts,
    clears_run: startsOver,
    failure_reason: null,
    failure_comment: null,
    proof: null,
    is_assigned: false,
    is_started: false,
    is_completed: false,
  };
}

async function currentSnapshot(transaction: Executor, shipment: LockedShipment): Promise<ShipmentSnapshot> {
  const snapshot = await readSnapshot(transaction, shipment.id);
  if (snapshot === undefined) throw new Error('a locked shipment vanished');
  return snapshot;
}

/** What the write left behind, told without another round trip. Only the new events are named: the run knows the older. */
function snapshotAfter({ shipment, tasks }: DecisionContext, write: ShipmentWrite): ShipmentSnapshot {
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
    },
    [...lines, ...added],
    write.events.map((event): WebhookEventId => toId<'webhook_event'>(event.id)),
  );
}
