import type {
  Plan,
  Priority,
  ShipmentStatus,
  TaskStatus,
  TaskType,
  FailureReason,
} from '../domain/enumerations.ts';
import type {
  CommandId,
  DriverId,
  MerchantId,
  OrganizationId,
  PickupPointId,
  ShipmentId,
  TaskId,
} from '../domain/ids.ts';
import type { Address, Contact, Recipient } from '../domain/shipment.ts';
import type { DeadlineHours } from '../domain/deadline.ts';
import type { Problem } from '../domain/problem.ts';
import type { Executor } from './connection.ts';
import { select, selectOne } from './connection.ts';
import { prepared } from './prepared.ts';

/** A shipment under its row lock, with what its organization says about deadlines and webhooks. */
export interface LockedShipment {
  readonly id: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly merchantId: MerchantId | null;
  readonly pickupPointId: PickupPointId | null;
  readonly pickupAddress: Address | null;
  readonly recipient: Recipient;
  readonly status: ShipmentStatus;
  readonly trackingNumber: string;
  readonly externalReference: string | null;
  readonly priority: Priority;
  readonly scheduledAfter: Date | null;
  readonly scheduledBefore: Date | null;
  readonly deliveryDeadline: Date | null;
  readonly deadlineMissedAt: Date | null;
  readonly eventSequence: number;
  readonly deletedAt: Date | null;
  readonly plan: Plan;
  readonly webhookUrl: string | null;
  readonly isWebhookEnabled: boolean;
  readonly deadlineHours: DeadlineHours | null;
}

/** A task under its row lock. */
export interface LockedTask {
  readonly id: TaskId;
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly ordinal: number;
  readonly driverId: DriverId | null;
  readonly driverName: string | null;
  readonly previousId: TaskId | null;
  readonly attempts: number;
  readonly failureReason: FailureReason | null;
}

/** A command as it stands under the lock. */
export interface LockedCommand {
  readonly commandKind: CommandKind;
  readonly commandStatus: 'received' | 'applied' | 'refused';
  readonly commandProblem: Problem | null;
  readonly actorId: string | null;
  readonly taskId: TaskId | null;
  readonly request: CommandRequest;
}

export const COMMAND_KINDS = ['transition', 'approve', 'withdraw', 'add_task'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

/** The stored body of a command; which fields are there depends on its kind. */
export interface CommandRequest {
  readonly transition?: string;
  readonly driverId?: string;
  readonly reason?: string;
  readonly comment?: string;
  readonly proof?: Readonly<Record<string, unknown>>;
  readonly occurredAt?: string;
  readonly taskType?: string;
  readonly address?: Address;
  readonly contact?: Contact;
}

const SHIPMENT_COLUMNS = `
  s.id, s.organization_id as "organizationId", s.merchant_id as "merchantId",
  s.pickup_point_id as "pickupPointId", s.pickup_address as "pickupAddress", s.recipient, s.status,
  s.tracking_number as "trackingNumber", s.external_reference as "externalReference", s.priority,
  s.scheduled_after as "scheduledAfter", s.scheduled_before as "scheduledBefore",
  s.delivery_deadline as "deliveryDeadline", s.deadline_missed_at as "deadlineMissedAt",
  s.event_sequence as "eventSequence", s.deleted_at as "deletedAt", o.plan,
  o.webhook_url as "webhookUrl", o.is_webhook_enabled as "isWebhookEnabled", o.deadline_hours as "deadlineHours"`;

/** Locks a shipment's row; undefined when there is none. Locks are taken in the order shipment, tasks, driver. */
export function lockShipment(transaction: Executor, id: ShipmentId): Promise<LockedShipment | undefined> {
  return selectOne<LockedShipment>(
    transaction,
    `select ${SHIPMENT_COLUMNS} from shipments s join organizations o on o.id = s.organization_id
     where s.id = $1 for update of s`,
    [id],
  );
}

/** Locks the shipment that a command is for, and the command, in one round trip. */
export function lockCommand(
  transaction: Executor,
  id: CommandId,
): Promise<(LockedShipment & LockedCommand) | undefined> {
  return selectOne<LockedShipment & LockedCommand>(
    transaction,
    prepared(`select ${SHIPMENT_COLUMNS}, c.kind as "commandKind", c.status as "commandStatus",
       c.problem as "commandProblem", c.actor_id as "actorId", c.task_id as "taskId", c.request
     from commands c join shipments s on s.id = c.shipment_id join organizations o on o.id = s.organization_id
     where c.id = $1 for update of s, c`),
    [id],
  );
}

/**
 * Locks a shipment's tasks in order, and reads the earliest moment that the shipment's next event may
 * carry: the database's clock, or a microsecond after the newest event (design gap 43).
 */
export async function lockTasks(
  transaction: Executor,
  shipmentId: ShipmentId,
): Promise<{ readonly tasks: LockedTask[]; readonly nextEventAtMicroseconds: number }> {
  const rows = await select<LockedTask & { nextEventAt: number }>(
    transaction,
    prepared(`select t.id, t.type, t.status, t.ordinal, t.driver_id as "driverId", t.previous_id as "previousId",
       t.attempts, t.failure_reason as "failureReason", d.first_name || ' ' || d.last_name as "driverName",
       ${NEXT_EVENT_AT} as "nextEventAt"
     from tasks t left join drivers d on d.id = t.driver_id
     where t.shipment_id = $1 order by t.ordinal for update of t`),
    [shipmentId],
  );
  const [first] = rows;
  if (first !== undefined) return { tasks: rows, nextEventAtMicroseconds: first.nextEventAt };
  const clock = await selectOne<{ nextEventAt: number }>(
    transaction,
    `select ${NEXT_EVENT_AT} as "nextEventAt" from (select $1::uuid as shipment_id) t`,
    [shipmentId],
  );
  if (clock === undefined) throw new Error('the database told no time');
  return { tasks: [], nextEventAtMicroseconds: clock.nextEventAt };
}

const NEXT_EVENT_AT = `(select (extract(epoch from greatest(clock_timestamp(), n.last_event_at + interval '1 microsecond')) * 1000000)::bigint
   from shipments n where n.id = t.shipment_id)`;
