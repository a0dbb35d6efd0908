import { decideAdditionalTask, ADDITIONAL_TASK_TYPES } from '../../domain/additional-task.ts';
import { commandDenial } from '../../domain/command.ts';
import { DEFAULT_DEADLINE_HOURS, deliveryDeadline } from '../../domain/deadline.ts';
import { FAILURE_REASONS, isOneOf, TRANSITIONS } from '../../domain/enumerations.ts';
import type { DriverId, OrganizationId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import type { Problem } from '../../domain/problem.ts';
import { decideApproval, decideDeletion, decideTransition } from '../../domain/transition.ts';
import type { WaitingCommand } from './command-queue.ts';
import type { Executor } from '../connection.ts';
import { selectOne } from '../connection.ts';
import type { LockedState } from './plan-write.ts';
import { timelineEntry, emptyWrite, planTransitionWrite } from './plan-write.ts';
import type { LockedTask } from './lock-shipment.ts';
import { pickupPlaceOf } from '../shipments/pickup-place.ts';
import { plannedTasks } from '../shipments/planned-tasks.ts';
import type { ShipmentWrite, TaskInsert, TaskUpdate } from './write-shipment.ts';
import { prepared } from '../prepared.ts';

/** What a command comes to: a write, a rejection, or nothing to change. */
export type Verdict = { readonly write: ShipmentWrite } | { readonly problem: Problem } | 'unchanged';

/**
 * Decides a command under the locks of its shipment and tasks: first whether the actor may still send it, then by the
 * tables in `domain/`. Reads and locks what else the decision needs; writes nothing. Throws on a stored request that lacks
 * what its kind needs.
 */
export function decideCommand(
  transaction: Executor,
  command: WaitingCommand,
  context: LockedState,
): Promise<Verdict> {
  const denial = denialOf(context, command);
  if (denial !== undefined) return Promise.resolve({ problem: denial });
  switch (command.kind) {
    case 'transition':
      return decideTaskTransition(transaction, command, context);
    case 'approve':
      return decideShipmentApproval(transaction, context);
    case 'delete':
      return Promise.resolve(decideShipmentDeletion(context));
    case 'add_task':
      return Promise.resolve(decideTaskAddition(command, context));
  }
}

async function decideTaskTransition(
  transaction: Executor,
  { request, taskId }: WaitingCommand,
  context: LockedState,
): Promise<Verdict> {
  const { shipment } = context;
  if (taskId === null || !isOneOf(TRANSITIONS, request.transition)) {
    throw new Error('a stored transition lacks its task or its name');
  }
  // Only an assignment names a driver that counts: any other transition keeps or clears the task's own.
  const driver =
    request.driverId === undefined || request.transition !== 'assign'
      ? undefined
      : await lockDriver(transaction, shipment.organizationId, toId<'driver'>(request.driverId));
  const decision = decideTransition(
    { status: shipment.status, tasks: context.tasks },
    {
      taskId,
      transition: request.transition,
      driver: driver ?? null,
      hasReason: isOneOf(FAILURE_REASONS, request.reason),
    },
  );
  if (decision.kind === 'unchanged') return 'unchanged';
  if (decision.kind === 'rejected') return { problem: decision.problem };
  const write = planTransitionWrite(context, decision.shipmentStatus, decision.moves, {
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

async function decideShipmentApproval(transaction: Executor, context: LockedState): Promise<Verdict> {
  const { shipment } = context;
  const approval = decideApproval(shipment.status);
  if (approval === 'unchanged') return 'unchanged';
  if (approval !== 'approve') return { problem: approval };
  const deadline = deliveryDeadline({
    priority: shipment.priority,
    scheduledAfter: shipment.scheduledAfter,
    scheduledBefore: shipment.scheduledBefore,
    from: new Date(Math.floor(context.nextEventAtMicroseconds / 1_000)),
    hours: shipment.deadlineHours ?? DEFAULT_DEADLINE_HOURS,
  });
  const entry = timelineEntry(context, 'approved', 'pending', 0);
  return {
    write: {
      ...emptyWrite(context),
      status: 'pending',
      eventSequence: entry.sequence,
      lastEventAt: entry.recorded_at,
      deliveryDeadline: deadline,
      taskInserts: plannedTasks({
        id: shipment.id,
        organizationId: shipment.organizationId,
        recipient: shipment.recipient,
        pickup: await pickupPlaceOf(transaction, shipment),
        scheduledAfter: shipment.scheduledAfter,
        deliveryDeadline: deadline,
      }),
      timeline: [entry],
    },
  };
}

function decideShipmentDeletion(context: LockedState): Verdict {
  const { shipment, tasks } = context;
  // Of two concurrent deletions the second finds its work done.
  if (shipment.deletedAt !== null) return 'unchanged';
  const decision = decideDeletion({ status: shipment.status, tasks });
  if (decision.kind === 'rejected') return { problem: decision.problem };
  if (decision.kind === 'unchanged') return 'unchanged';
  const moved = planTransitionWrite(context, decision.shipmentStatus, decision.moves, null);
  const entry = timelineEntry(context, 'deleted', decision.shipmentStatus, moved.timeline.length);
  return {
    write: {
      ...moved,
      deletes: true,
      eventSequence: entry.sequence,
      lastEventAt: entry.recorded_at,
      timeline: [...moved.timeline, entry],
    },
  };
}

function decideTaskAddition({ taskId, request }: WaitingCommand, context: LockedState): Verdict {
  const { shipment, tasks } = context;
  if (taskId === null || request.address === undefined || !isOneOf(ADDITIONAL_TASK_TYPES, request.taskType)) {
    throw new Error('a stored task addition lacks its id, type or address');
  }
  const addition = decideAdditionalTask({ status: shipment.status, tasks }, request.taskType);
  if ('kind' in addition) return { problem: addition };
  const insert: TaskInsert = {
    id: taskId,
    organization_id: shipment.organizationId,
    shipment_id: shipment.id,
    ordinal: tasks.length,
    type: request.taskType,
    status: 'pending',
    previous_id: addition.previousId,
    address: request.address,
    // A transfer goes to a hub and a return to the sender: the contact there is not the recipient.
    contact: request.contact ?? null,
    after: null,
    before: null,
  };
  const entry = timelineEntry(context, 'task_added', shipment.status, 0);
  return {
    write: {
      ...emptyWrite(context),
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

function denialOf({ tasks }: LockedState, command: WaitingCommand): Problem | undefined {
  const { kind, request, taskId } = command;
  const transition = isOneOf(TRANSITIONS, request.transition) ? request.transition : null;
  const task = tasks.find(({ id }) => id === taskId) ?? null;
  return commandDenial(command.actor, { kind, transition }, task);
}
