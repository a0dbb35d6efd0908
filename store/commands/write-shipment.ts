import type { ShipmentStatus, TaskStatus, TaskType } from '../../domain/enumerations.ts';
import type {
  CommandId,
  DriverId,
  OrganizationId,
  ShipmentId,
  TaskId,
  WebhookEventId,
} from '../../domain/ids.ts';
import type { CommandResult } from '../../domain/command.ts';
import type { Problem } from '../../domain/problem.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import type { EncodedEvent, EntryKind } from '../../domain/webhook-events.ts';
import type { Executor } from '../connection.ts';
import { execute } from '../connection.ts';
import { prepared } from '../prepared.ts';

/** One task's new state; null leaves a column as it is unless `clears` says otherwise. */
export interface TaskUpdate {
  readonly id: TaskId;
  readonly status: TaskStatus;
  readonly driver_id: DriverId | null;
  readonly previous_id: TaskId | null;
  readonly attempts: number;
  readonly clears_run: boolean;
  readonly failure_reason: string | null;
  readonly failure_comment: string | null;
  readonly proof: Readonly<Record<string, unknown>> | null;
  readonly is_assigned: boolean;
  readonly is_started: boolean;
  readonly is_completed: boolean;
}

/** A task to be inserted. */
export interface TaskInsert {
  readonly id: TaskId;
  readonly organization_id: OrganizationId;
  readonly shipment_id: ShipmentId;
  readonly ordinal: number;
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly previous_id: TaskId | null;
  readonly address: Address;
  readonly contact: Contact | null;
  readonly after: string | null;
  readonly before: string | null;
}

/** A timeline entry to be inserted; `recorded_at` with microseconds. */
export interface TimelineInsert {
  readonly sequence: number;
  readonly kind: EntryKind;
  readonly shipment_status: ShipmentStatus;
  readonly task_id: TaskId | null;
  readonly task_type: TaskType | null;
  readonly task_status: TaskStatus | null;
  readonly transition: string | null;
  readonly reason: string | null;
  readonly comment: string | null;
  readonly driver_id: DriverId | null;
  /** For webhook events; the row has the id alone. */
  readonly driver_name: string | null;
  readonly occurred_at: string;
  readonly recorded_at: string;
}

/** A webhook event to be inserted. */
export interface EventInsert extends EncodedEvent {
  readonly id: WebhookEventId;
  /** The timeline entry that caused it. */
  readonly sequence: number;
  readonly task_status: TaskStatus | null;
  readonly event_updated_at: string;
}

/** All that one decision changes, written in one statement under the locks. */
export interface ShipmentWrite {
  readonly shipmentId: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly status: ShipmentStatus;
  readonly eventSequence: number;
  /** The moment of the newest timeline entry; null when none is added. */
  readonly lastEventAt: string | null;
  readonly deliveryDeadline: Date | null;
  readonly missesDeadline: boolean;
  readonly deletes: boolean;
  readonly taskUpdates: readonly TaskUpdate[];
  readonly taskInserts: readonly TaskInsert[];
  readonly timeline: readonly TimelineInsert[];
  readonly events: readonly EventInsert[];
  /** The command that this decides; null for the deadline. */
  readonly commandId: CommandId | null;
  readonly actorId: string | null;
}

/** Inserts tasks given as a JSON array in the parameter of that number. Shared with creation. */
export function insertTasksSql(parameter: string): string {
  return `insert into tasks (id, organization_id, shipment_id, ordinal, type, status, previous_id, address, contact, after, before)
    select id, organization_id, shipment_id, ordinal, type, status, previous_id, address, contact, after, before
    from jsonb_to_recordset(${parameter}::jsonb) as n (id uuid, organization_id uuid, shipment_id uuid, ordinal int,
      type text, status text, previous_id uuid, address jsonb, contact jsonb, after timestamptz, before timestamptz)`;
}

const WRITE_SQL = prepared(`
with shipment as (
  update shipments set status = $2::text, event_sequence = $3::int, last_event_at = coalesce($4::timestamptz, last_event_at),
    delivery_deadline = $5::timestamptz,
    deadline_missed_at = case when $6::boolean then clock_timestamp() else deadline_missed_at end,
    deleted_at = case when $7::boolean then clock_timestamp() else deleted_at end,
    version = version + 1, updated_at = clock_timestamp()
  where id = $1::uuid
), moved as (
  update tasks t set status = u.status, driver_id = u.driver_id, previous_id = u.previous_id, attempts = u.attempts,
    delivery_run_id = case when u.clears_run then null else t.delivery_run_id end,
    position = case when u.clears_run then null else t.position end,
    failure_reason = u.failure_reason, failure_comment = u.failure_comment, proof = coalesce(u.proof, t.proof),
    assigned_at = case when u.is_assigned then clock_timestamp() when u.driver_id is null then null else t.assigned_at end,
    started_at = case when u.clears_run then null when u.is_started then coalesce(t.started_at, clock_timestamp()) else t.started_at end,
    completed_at = case when u.is_completed then clock_timestamp() else null end,
    version = t.version + 1, updated_at = clock_timestamp()
  from jsonb_to_recordset($8::jsonb) as u (id uuid, status text, driver_id uuid, previous_id uuid, attempts int, clears_run boolean,
    failure_reason text, failure_comment text, proof jsonb, is_assigned boolean, is_started boolean, is_completed boolean)
  where t.id = u.id
), added as (
  ${insertTasksSql('$9')}
), noted as (
  insert into timeline_entries (shipment_id, organization_id, actor_id, command_id, sequence, kind, shipment_status, task_id,
    task_type, task_status, transition, reason, comment, driver_id, occurred_at, recorded_at)
  select $1::uuid, $10::uuid, $11::uuid, $12::uuid, sequence, kind, shipment_status, task_id, task_type, task_status, transition,
    reason, comment, driver_id, occurred_at, recorded_at
  from jsonb_to_recordset($13::jsonb) as n (sequence int, kind text, shipment_status text, task_id uuid, task_type text,
    task_status text, transition text, reason text, comment text, driver_id uuid, occurred_at timestamptz, recorded_at timestamptz)
), announced as (
  insert into webhook_events (id, kind, organization_id, shipment_id, sequence, body, task_status, event_updated_at)
  select id, kind, $10::uuid, $1::uuid, sequence, convert_to(body, 'UTF8'), task_status, event_updated_at
  from jsonb_to_recordset($14::jsonb) as e (id uuid, kind text, sequence int, body text, task_status text, event_updated_at text)
), decided as (
  update commands set status = 'applied', result = $15::jsonb, decided_at = clock_timestamp() where id = $12::uuid
)
select`);

/** Writes a decision in one round trip: shipment, tasks, timeline, events, and the command's outcome with its result. */
export function writeShipment(
  transaction: Executor,
  write: ShipmentWrite,
  result: CommandResult | null = null,
): Promise<void> {
  return execute(transaction, WRITE_SQL, [
    write.shipmentId,
    write.status,
    write.eventSequence,
    write.lastEventAt,
    write.deliveryDeadline,
    write.missesDeadline,
    write.deletes,
    JSON.stringify(write.taskUpdates),
    JSON.stringify(write.taskInserts),
    write.organizationId,
    write.actorId,
    write.commandId,
    JSON.stringify(write.timeline),
    JSON.stringify(write.events),
    result === null ? null : JSON.stringify(result),
  ]);
}

/** Records a command's outcome without any change to its shipment: rejected with a problem, or applied without effect. */
export function writeOutcome(
  transaction: Executor,
  commandId: CommandId,
  problem: Problem | null,
  result: CommandResult | null,
): Promise<void> {
  return execute(
    transaction,
    `update commands set status = case when $2::jsonb is null then 'applied' else 'rejected' end,
       problem = $2::jsonb, result = $3::jsonb, decided_at = clock_timestamp()
     where id = $1`,
    [
      commandId,
      problem === null ? null : JSON.stringify(problem),
      result === null ? null : JSON.stringify(result),
    ],
  );
}
