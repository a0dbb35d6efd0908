import type { DeadlineHours } from '../../domain/deadline.ts';
import type { ShipmentId } from '../../domain/ids.ts';
import type { ShipmentTask } from '../../domain/shipment-state.ts';
import type { WebhookSettings } from '../../domain/webhook.ts';
import { columns } from '../columns.ts';
import type { Executor } from '../connection.ts';
import { select, selectOne } from '../connection.ts';
import { prepared } from '../prepared.ts';
import type { ShipmentRow } from '../shipments/shipments.ts';
import { SHIPMENT_COLUMNS } from '../shipments/shipments.ts';

/** A shipment under its row lock, with what its organization says about deadlines and webhooks. */
export interface LockedShipment extends ShipmentRow, WebhookSettings {
  readonly deletedAt: Date | null;
  readonly deadlineHours: DeadlineHours | null;
  /** Entries of the timeline so far. */
  readonly eventSequence: number;
  /**
   * The earliest moment that the next event may carry: the database's clock, or a microsecond after the newest event
   * (interpretation 43).
   */
  readonly nextEventAtMicroseconds: number;
  /** Webhook events of the shipment on the dead-letter queue. */
  readonly deadLetters: number;
}

/** A locked shipment with its locked tasks, in order. */
export interface LockedState extends LockedShipment {
  readonly tasks: readonly ShipmentTask[];
}

/**
 * Locks a shipment's row; undefined when there is none. Locks are taken in the order shipment, command, tasks, driver. What
 * the transaction reads next is as new as the lock: each statement sees what was committed before it began.
 */
export function lockShipment(transaction: Executor, id: ShipmentId): Promise<LockedShipment | undefined> {
  return selectOne<LockedShipment>(transaction, LOCK_SQL, [id]);
}

const LOCK_SQL = prepared(`
select ${SHIPMENT_COLUMNS}, ${columns('s', 'deleted_at, event_sequence')},
  (extract(epoch from greatest(clock_timestamp(), s.last_event_at + interval '1 microsecond')) * 1000000)::bigint
    as "nextEventAtMicroseconds",
  (select count(*)::int from webhook_events e where e.shipment_id = s.id and e.status = 'dead') as "deadLetters",
  ${columns('o', 'plan, webhook_url, is_webhook_enabled, deadline_hours')}
from shipments s join organizations o on o.id = s.organization_id
where s.id = $1 for no key update of s`);

/** Locks a shipment's tasks in order. */
export function lockTasks(transaction: Executor, shipmentId: ShipmentId): Promise<ShipmentTask[]> {
  return select<ShipmentTask>(transaction, LOCK_TASKS_SQL, [shipmentId]);
}

const LOCK_TASKS_SQL = prepared(`
select ${columns('t', 'id, type, status, driver_id, previous_id, attempts, failure_reason, version')},
  d.first_name || ' ' || d.last_name as "driverName"
from tasks t left join drivers d on d.id = t.driver_id
where t.shipment_id = $1 order by t.ordinal for no key update of t`);
