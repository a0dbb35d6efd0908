import type { CommandRequest, CommandResult } from '../../domain/command.ts';
import { formatEventTime } from '../../domain/event-time.ts';
import type {
  CommandId,
  OrganizationId,
  ShipmentId,
  TaskId,
  UserId,
  WebhookEventId,
} from '../../domain/ids.ts';
import type { Problem } from '../../domain/problem.ts';
import type { ShipmentChange, TaskChange, TaskState } from '../../domain/shipment-state.ts';
import { momentsSetBy } from '../../domain/shipment-state.ts';
import type { NewTask } from '../../domain/task-plan.ts';
import { webhooksAreOn } from '../../domain/webhook.ts';
import { eventsOf } from '../../domain/webhook-events.ts';
import type { TraceContext } from '../../platform/tracing/trace-context.ts';
import { storedTrace } from '../../platform/tracing/trace-context.ts';
import type { Executor } from '../connection.ts';
import { execute } from '../connection.ts';
import { newId } from '../new-id.ts';
import { prepared } from '../prepared.ts';
import type { LockedState } from './lock-shipment.ts';

/** The command that a change was decided for, and what it came to. */
export interface DecidedCommand {
  readonly id: CommandId;
  readonly taskId: TaskId | null;
  readonly actorId: UserId | null;
  readonly request: CommandRequest;
  readonly result: CommandResult | null;
  /** What its events belong to (decision 0044). */
  readonly trace: TraceContext | null;
}

/**
 * Writes a change in one round trip: shipment, tasks, timeline, webhook events, and the outcome of the command that it was
 * decided for; null for the service's own. Resolves to the ids of the events that are to be sent.
 */
export async function writeShipment(
  transaction: Executor,
  shipment: LockedState,
  change: ShipmentChange,
  command: DecidedCommand | null,
): Promise<readonly WebhookEventId[]> {
  const timeline = timelineOf(shipment, change, command);
  const events = timeline.flatMap((entry) => eventRowsOf(shipment, entry));
  const added = change.added.map((task, index) => newTaskRow(task, shipment, shipment.tasks.length + index));
  await execute(transaction, WRITE_SQL, [
    shipment.id,
    change.status,
    shipment.eventSequence + timeline.length,
    timeline.at(-1)?.recorded_at,
    change.deliveryDeadline,
    change.milestone === 'deadline_missed',
    change.milestone === 'deleted',
    JSON.stringify(change.tasks.map((moved) => taskRow(moved, command))),
    JSON.stringify(added),
    shipment.organizationId,
    command?.actorId,
    command?.id,
    JSON.stringify(timeline),
    JSON.stringify(events),
    jsonOrNull(command?.result),
    storedTrace(command?.trace ?? null),
  ]);
  return events.map(({ id }) => id);
}

/** What the caller said about a task: only about the command's own. */
function requestAbout({ id }: TaskState, command: DecidedCommand | null): CommandRequest {
  return command?.taskId === id ? command.request : {};
}

function taskRow(change: TaskChange, command: DecidedCommand | null) {
  const { task, leavesRun } = change;
  const { comment, proof } = requestAbout(task, command);
  return {
    id: task.id,
    status: task.status,
    driver_id: task.driverId,
    previous_id: task.previousId,
    attempts: task.attempts,
    leaves_run: leavesRun,
    failure_reason: task.failureReason,
    failure_comment: task.status === 'failed' ? comment : null,
    proof,
    moments: momentsSetBy(change),
  };
}

/**
 * The entries of a change: one for each task that moves by a transition (interpretation 20), then that of the shipment. Each
 * has a moment of its own, a microsecond after the one before.
 */
function timelineOf(shipment: LockedState, change: ShipmentChange, command: DecidedCommand | null) {
  const { milestone } = change;
  const moves = change.tasks.flatMap(({ task, transition }) => {
    if (transition === null) return [];
    const { reason, comment, occurredAt } = requestAbout(task, command);
    const said = { reason, comment, occurred_at: occurredAt };
    const driver = { driver_id: task.driverId, driver_name: task.driverName };
    return [{ kind: 'transition' as const, ...about(task), transition, ...driver, ...said }];
  });
  const subject = milestone === 'task_added' ? change.added.map(about)[0] : undefined;
  const dueAt = milestone === 'deadline_missed' ? shipment.deliveryDeadline : null;
  const own = milestone === null ? [] : [{ kind: milestone, ...subject, occurred_at: dueAt }];
  return [...moves, ...own].map((entry, index) => {
    const recordedAt = formatEventTime(shipment.nextEventAtMicroseconds + index);
    return {
      ...entry,
      sequence: shipment.eventSequence + 1 + index,
      shipment_status: change.status,
      occurred_at: entry.occurred_at ?? recordedAt,
      recorded_at: recordedAt,
    };
  });
}

function about({ id, type, status }: TaskState | NewTask) {
  return { task_id: id, task_type: type, task_status: status };
}

/** The events of a timeline entry (domain/webhook-events.ts), where the organization's webhooks are on. */
function eventRowsOf(shipment: LockedState, entry: ReturnType<typeof timelineOf>[number]) {
  if (!webhooksAreOn(shipment)) return [];
  const facts = {
    entry: entry.kind,
    shipmentId: shipment.id,
    trackingNumber: shipment.trackingNumber,
    externalReference: shipment.externalReference,
    shipmentStatus: entry.shipment_status,
    taskType: 'task_type' in entry ? entry.task_type : null,
    taskStatus: 'task_status' in entry ? entry.task_status : null,
    driverName: 'driver_name' in entry ? entry.driver_name : null,
    updatedAt: entry.recorded_at,
  };
  return eventsOf(facts).map((event) => ({
    ...event,
    id: newId<'webhook_event'>(),
    sequence: entry.sequence,
    task_status: facts.taskStatus,
    event_updated_at: entry.recorded_at,
  }));
}

/** The row of a task to be inserted by `insertTasksSql`; `ordinal` is its place in the shipment, from 0. */
export function newTaskRow(
  { previousId: previous_id, ...task }: NewTask,
  shipment: { readonly id: ShipmentId; readonly organizationId: OrganizationId },
  ordinal: number,
) {
  const { id: shipment_id, organizationId: organization_id } = shipment;
  return { ...task, previous_id, ordinal, shipment_id, organization_id };
}

/** Inserts tasks given as a JSON array in the parameter of that number. Shared with creation. */
export function insertTasksSql(parameter: string): string {
  const columns =
    'id, organization_id, shipment_id, ordinal, type, status, previous_id, address, contact, after, before';
  return `insert into tasks (${columns})
    select ${columns} from jsonb_populate_recordset(null::tasks, ${parameter}::jsonb)`;
}

const ENTRY_COLUMNS = `sequence, kind, shipment_status, task_id, task_type, task_status, transition, reason, comment, driver_id,
  occurred_at, recorded_at`;

const WRITE_SQL = prepared(`
with shipment as (
  update shipments set status = $2::text, event_sequence = $3::int, last_event_at = coalesce($4::timestamptz, last_event_at),
    delivery_deadline = coalesce($5::timestamptz, delivery_deadline),
    deadline_missed_at = case when $6::boolean then clock_timestamp() else deadline_missed_at end,
    deleted_at = case when $7::boolean then clock_timestamp() else deleted_at end,
    version = version + 1, updated_at = clock_timestamp()
  where id = $1::uuid
), moved as (
  update tasks t set status = u.status, driver_id = u.driver_id, previous_id = u.previous_id, attempts = u.attempts,
    delivery_run_id = case when u.leaves_run then null else t.delivery_run_id end,
    position = case when u.leaves_run then null else t.position end,
    failure_reason = u.failure_reason, failure_comment = u.failure_comment, proof = coalesce(u.proof, t.proof),
    assigned_at = case when 'assigned' = any(u.moments) then clock_timestamp() when u.driver_id is null then null
      else t.assigned_at end,
    started_at = case when u.leaves_run then null
      when 'started' = any(u.moments) then coalesce(t.started_at, clock_timestamp()) else t.started_at end,
    completed_at = case when 'completed' = any(u.moments) then clock_timestamp() end,
    version = t.version + 1, updated_at = clock_timestamp()
  from jsonb_to_recordset($8::jsonb) as u (id uuid, status text, driver_id uuid, previous_id uuid, attempts int,
    leaves_run boolean, failure_reason text, failure_comment text, proof jsonb, moments text[])
  where t.id = u.id
), added as (
  ${insertTasksSql('$9')}
), noted as (
  insert into timeline_entries (shipment_id, organization_id, actor_id, command_id, ${ENTRY_COLUMNS})
  select $1::uuid, $10::uuid, $11::uuid, $12::uuid, ${ENTRY_COLUMNS}
  from jsonb_populate_recordset(null::timeline_entries, $13::jsonb)
), announced as (
  insert into webhook_events (id, kind, organization_id, shipment_id, sequence, body, task_status, event_updated_at, trace_context)
  select id, kind, $10::uuid, $1::uuid, sequence, convert_to(body, 'UTF8'), task_status, event_updated_at, $16::text
  from jsonb_to_recordset($14::jsonb) as e (id uuid, kind text, sequence int, body text, task_status text, event_updated_at text)
), decided as (
  update commands set status = 'applied', result = $15::jsonb, decided_at = clock_timestamp() where id = $12::uuid
)
select`);

/** Records a command's outcome without any change to its shipment: rejected with a problem, or applied without effect. */
export function writeOutcome(
  transaction: Executor,
  command: Pick<DecidedCommand, 'id' | 'result'>,
  problem: Problem | null,
): Promise<void> {
  return execute(
    transaction,
    `update commands set status = case when $2::jsonb is null then 'applied' else 'rejected' end,
       problem = $2::jsonb, result = $3::jsonb, decided_at = clock_timestamp()
     where id = $1`,
    [command.id, jsonOrNull(problem), jsonOrNull(command.result)],
  );
}

function jsonOrNull(value: object | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
