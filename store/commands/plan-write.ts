import type { ShipmentStatus } from '../../domain/enumerations.ts';
import { formatEventTime } from '../../domain/event-time.ts';
import type { CommandId, TaskId } from '../../domain/ids.ts';
import { webhooksAreOn } from '../../domain/webhook.ts';
import { eventsOf } from '../../domain/webhook-events.ts';
import { isTerminalTask } from '../../domain/shipment-status.ts';
import type { TaskMove } from '../../domain/transition.ts';
import type { LockedShipment, LockedTask } from './lock-shipment.ts';
import type { ShipmentWrite, TaskUpdate, TimelineInsert } from './write-shipment.ts';
import { newId } from '../new-id.ts';

/** What the caller said about the transition that it requested. */
export interface TransitionDetails {
  readonly reason: string | null;
  readonly comment: string | null;
  readonly proof: Readonly<Record<string, unknown>> | null;
  /** ISO 8601; when it happened according to the caller, for the timeline only (interpretation 29). */
  readonly occurredAt: string | null;
  /** The driver that an assignment names. */
  readonly driverName: string | null;
}

/** A locked shipment with its tasks, the time its next event may carry, and the command at hand. */
export interface LockedState {
  readonly shipment: LockedShipment;
  readonly tasks: readonly LockedTask[];
  readonly nextEventAtMicroseconds: number;
  readonly commandId: CommandId | null;
  readonly actorId: string | null;
}

/** A write that leaves the shipment as it is; decisions override what they change. */
export function emptyWrite(context: LockedState): ShipmentWrite {
  const { shipment } = context;
  return {
    shipmentId: shipment.id,
    organizationId: shipment.organizationId,
    status: shipment.status,
    eventSequence: shipment.eventSequence,
    lastEventAt: null,
    deliveryDeadline: shipment.deliveryDeadline,
    missesDeadline: false,
    deletes: false,
    taskUpdates: [],
    taskInserts: [],
    timeline: [],
    events: [],
    commandId: context.commandId,
    actorId: context.actorId,
  };
}

/**
 * Turns the moves of a decision into rows: each task that moves by a transition gets an entry and an event of its own
 * (interpretation 20).
 */
export function planTransitionWrite(
  context: LockedState,
  shipmentStatus: ShipmentStatus,
  moves: readonly TaskMove[],
  details: TransitionDetails | null,
): ShipmentWrite {
  const { shipment } = context;
  const notifying = moves.filter((move) => move.notifies);
  const timeline = notifying.map((move, index) =>
    timelineOf(context, shipmentStatus, move, index, index === 0 ? details : null),
  );
  return {
    ...emptyWrite(context),
    status: shipmentStatus,
    eventSequence: shipment.eventSequence + timeline.length,
    lastEventAt: timeline.at(-1)?.recorded_at ?? null,
    taskUpdates: moves.map((move, index) =>
      updateOf(taskOf(context, move.taskId), move, index === 0 ? details : null),
    ),
    timeline,
  };
}

/** Adds the webhook events of a write's timeline, where the organization's webhooks are on. */
export function withEvents({ shipment }: LockedState, write: ShipmentWrite): ShipmentWrite {
  if (!webhooksAreOn(shipment)) return write;
  const events = write.timeline.flatMap((entry) =>
    eventsOf({
      entry: entry.kind,
      shipmentId: shipment.id,
      trackingNumber: shipment.trackingNumber,
      externalReference: shipment.externalReference,
      shipmentStatus: entry.shipment_status,
      taskType: entry.task_type,
      taskStatus: entry.task_status,
      driverName: entry.driver_name,
      updatedAt: entry.recorded_at,
    }).map((event) => ({
      ...event,
      id: newId<'webhook_event'>(),
      sequence: entry.sequence,
      task_status: entry.task_status,
      event_updated_at: entry.recorded_at,
    })),
  );
  return { ...write, events };
}

/** An entry that no task's transition caused: creation, approval, a deletion without tasks, a missed deadline. */
export function timelineEntry(
  context: LockedState,
  kind: TimelineInsert['kind'],
  shipmentStatus: ShipmentStatus,
  offset: number,
): TimelineInsert {
  const recordedAt = formatEventTime(context.nextEventAtMicroseconds + offset);
  return {
    sequence: context.shipment.eventSequence + 1 + offset,
    kind,
    shipment_status: shipmentStatus,
    task_id: null,
    task_type: null,
    task_status: null,
    transition: null,
    reason: null,
    comment: null,
    driver_id: null,
    driver_name: null,
    occurred_at: recordedAt,
    recorded_at: recordedAt,
  };
}

function timelineOf(
  context: LockedState,
  shipmentStatus: ShipmentStatus,
  move: TaskMove,
  index: number,
  details: TransitionDetails | null,
): TimelineInsert {
  const task = taskOf(context, move.taskId);
  const entry = timelineEntry(context, 'transition', shipmentStatus, index);
  const driverId = driverAfter(task, move);
  return {
    ...entry,
    task_id: task.id,
    task_type: task.type,
    task_status: move.to,
    transition: move.transition,
    reason: details?.reason ?? null,
    comment: details?.comment ?? null,
    driver_id: driverId,
    driver_name: driverId === null ? null : (details?.driverName ?? task.driverName),
    occurred_at: details?.occurredAt ?? entry.occurred_at,
  };
}

function updateOf(task: LockedTask, move: TaskMove, details: TransitionDetails | null): TaskUpdate {
  const isFailed = move.to === 'failed';
  const keepsFailure = move.transition !== 'reactivate' && !isFailed;
  return {
    id: task.id,
    status: move.to,
    driver_id: driverAfter(task, move),
    previous_id: task.previousId,
    attempts: move.startsOver ? task.attempts + 1 : task.attempts,
    clears_run: move.startsOver,
    failure_reason: isFailed ? (details?.reason ?? null) : keepsFailure ? task.failureReason : null,
    failure_comment: isFailed ? (details?.comment ?? null) : null,
    proof: details?.proof ?? null,
    is_assigned: move.transition === 'assign',
    is_started:
      move.to === 'pickup_in_progress' || move.to === 'delivery_in_progress' || move.to === 'in_transit',
    is_completed: isTerminalTask(task.type, move.to),
  };
}

function driverAfter(task: LockedTask, move: TaskMove): LockedTask['driverId'] {
  if (move.driver.change === 'set') return move.driver.id;
  return move.driver.change === 'clear' ? null : task.driverId;
}

function taskOf(context: LockedState, id: TaskId): LockedTask {
  const task = context.tasks.find((candidate) => candidate.id === id);
  if (task === undefined) throw new Error('a decision changed a task of another shipment');
  return task;
}
