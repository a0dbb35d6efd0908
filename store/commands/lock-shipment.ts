import type {
  Plan,
  Priority,
  ShipmentStatus,
  TaskStatus,
  TaskType,
  FailureReason,
} from '../../domain/enumerations.ts';
import type {
  DriverId,
  MerchantId,
  OrganizationId,
  PickupPointId,
  ShipmentId,
  TaskId,
} from '../../domain/ids.ts';
import type { Address, Recipient } from '../../domain/shipment.ts';
import type { DeadlineHours } from '../../domain/deadline.ts';
import type { Executor } from '../connection.ts';
import { select, selectOne } from '../connection.ts';
import { prepared } from '../prepared.ts';

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
  readonly version: number;
  readonly plan: Plan;
  readonly webhookUrl: string | null;
  readonly isWebhookEnabled: boolean;
  readonly deadlineHours: DeadlineHours | null;
  /** Webhook events of the shipment on the dead-letter queue. */
  readonly deadLetters: number;
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
  readonly version: number;
}

const SHIPMENT_COLUMNS = `
  s.id, s.organization_id as "organizationId", s.merchant_id as "merchantId",
  s.pickup_point_id as "pickupPointId", s.pickup_address as "pickupAddress", s.recipient, s.status,
  s.tracking_number as "trackingNumber", s.external_reference as "externalReference", s.priority,
  s.scheduled_after as "scheduledAfter", s.scheduled_before as "scheduledBefore",
  s.delivery_deadline as "deliveryDeadline", s.deadline_missed_at as "deadlineMissedAt",
  s.event_sequence as "eventSequence", s.deleted_at as "deletedAt", s.version, o.plan,
  o.webhook_url as "webhookUrl", o.is_webhook_enabled as "isWebhookEnabled", o.deadline_hours as "deadlineHours",
  (select count(*)::int from webhook_events e where e.shipment_id = s.id and e.status = 'dead') as "deadLetters"`;

/**
 * Locks a shipment's row; undefined when there is none. Locks are taken in the order shipment, command, tasks, driver. What
 * the transaction reads next is as new as the lock: each statement sees what was committed before it began.
 */
export function lockShipment(transaction: Executor, id: ShipmentId): Promise<LockedShipment | undefined> {
  return selectOne<LockedShipment>(
    transaction,
    prepared(`select ${SHIPMENT_COLUMNS} from shipments s join organizations o on o.id = s.organization_id
     where s.id = $1 for no key update of s`),
    [id],
  );
}

/**
 * Locks a shipment's tasks in order, and reads the earliest moment that the shipment's next event may
 * carry: the database's clock, or a microsecond after the newest event (interpretation 43).
 */
export async function lockTasks(
  transaction: Executor,
  shipmentId: ShipmentId,
): Promise<{ readonly tasks: LockedTask[]; readonly nextEventAtMicroseconds: number }> {
  const rows = await select<LockedTask & { nextEventAt: number }>(
    transaction,
    prepared(`select t.id, t.type, t.status, t.ordinal, t.driver_id as "driverId", t.previous_id as "previousId",
       t.attempts, t.failure_reason as "failureReason", t.version, d.first_name || ' ' || d.last_name as "driverName",
       ${NEXT_EVENT_AT} as "nextEventAt"
     from tasks t left join drivers d on d.id = t.driver_id
     where t.shipment_id = $1 order by t.ordinal for no key update of t`),
    [shipmentId],
  );
  const [first] = rows;
  if (first !== undefined) return { tasks: rows, nextEventAtMicroseconds: first.nextEventAt };
  const clock = await selectOne<{ nextEventAt: number }>(
    transaction,
    `select ${NEXT_EVENT_AT} as "nextEventAt" from (select $1::uuid as shipment_id) t`,
    [shipmentId],
  );
  if (clock === undefined) throw new Error('the database returned no time');
  return { tasks: [], nextEventAtMicroseconds: clock.nextEventAt };
}

const NEXT_EVENT_AT = `(select (extract(epoch from greatest(clock_timestamp(), n.last_event_at + interval '1 microsecond')) * 1000000)::bigint
   from shipments n where n.id = t.shipment_id)`;
