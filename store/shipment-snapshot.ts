import type { FailureReason, ShipmentStatus, TaskStatus, TaskType } from '../domain/enumerations.ts';
import type { ShipmentId, WebhookEventId } from '../domain/ids.ts';
import { isTerminalShipment } from '../domain/shipment-status.ts';
import type { Executor } from './connection.ts';
import { select, selectOne } from './connection.ts';
import { prepared } from './prepared.ts';

/** What the workflow keeps of a shipment: ids, words of the contract and moments; nothing personal. */
export interface ShipmentSnapshot {
  readonly status: ShipmentStatus;
  readonly isTerminal: boolean;
  /** ISO 8601; null where there is none, or where it has already been missed. */
  readonly openDeadline: string | null;
  readonly isDeadlineMissed: boolean;
  /** Events that still have to be sent. */
  readonly pendingEventIds: readonly WebhookEventId[];
  readonly tasks: readonly TaskLine[];
}

/** One line of the table that the Web UI shows. */
export interface TaskLine {
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly attempts: number;
  readonly failureReason: FailureReason | null;
}

/** Makes a snapshot from rows that the caller holds. */
export function snapshotOf(
  shipment: {
    readonly status: ShipmentStatus;
    readonly deliveryDeadline: Date | null;
    readonly isDeadlineMissed: boolean;
  },
  tasks: readonly TaskLine[],
  pendingEventIds: readonly WebhookEventId[],
): ShipmentSnapshot {
  const isTerminal = isTerminalShipment(shipment.status);
  const openDeadline = isTerminal || shipment.isDeadlineMissed ? null : shipment.deliveryDeadline;
  return {
    status: shipment.status,
    isTerminal,
    openDeadline: openDeadline?.toISOString() ?? null,
    isDeadlineMissed: shipment.isDeadlineMissed,
    pendingEventIds,
    tasks: tasks.map(({ type, status, attempts, failureReason }) => ({
      type,
      status,
      attempts,
      failureReason,
    })),
  };
}

/**
 * Reads the snapshot with all events that are still to be sent for the first time (a replay has a workflow of its own);
 * undefined when there is no such shipment.
 */
export async function readSnapshot(
  executor: Executor,
  id: ShipmentId,
): Promise<ShipmentSnapshot | undefined> {
  const shipment = await selectOne<{
    status: ShipmentStatus;
    deliveryDeadline: Date | null;
    isDeadlineMissed: boolean;
  }>(
    executor,
    prepared(`select status, delivery_deadline as "deliveryDeadline", deadline_missed_at is not null as "isDeadlineMissed"
     from shipments where id = $1`),
    [id],
  );
  if (shipment === undefined) return undefined;
  const tasks = await select<TaskLine>(
    executor,
    prepared(
      'select type, status, attempts, failure_reason as "failureReason" from tasks where shipment_id = $1 order by ordinal',
    ),
    [id],
  );
  const events = await select<{ id: WebhookEventId }>(
    executor,
    prepared(
      `select id from webhook_events where shipment_id = $1 and status = 'pending' and round = 0 order by sequence`,
    ),
    [id],
  );
  return snapshotOf(
    shipment,
    tasks,
    events.map((event) => event.id),
  );
}
