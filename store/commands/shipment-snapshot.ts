import type { FailureReason, ShipmentStatus, TaskStatus, TaskType } from '../../domain/enumerations.ts';
import type { ShipmentId, WebhookEventId } from '../../domain/ids.ts';
import { isTerminalShipment } from '../../domain/shipment-status.ts';
import type { Executor } from '../connection.ts';
import { select, selectOne } from '../connection.ts';
import { prepared } from '../prepared.ts';

/** What the workflow keeps of a shipment: ids, words of the contract and moments; nothing personal. */
export interface ShipmentSnapshot {
  readonly status: ShipmentStatus;
  readonly isTerminal: boolean;
  /** Null where there is no deadline, or where it has already been missed. */
  readonly deadline: OpenDeadline | null;
  readonly isDeadlineMissed: boolean;
  /** Events that still have to be sent. */
  readonly pendingEventIds: readonly WebhookEventId[];
  /** Events on the dead-letter queue. */
  readonly deadLetters: number;
  /** Whether stored commands wait for their decision. */
  readonly hasWaitingCommands: boolean;
  readonly tasks: readonly TaskLine[];
}

/** A deadline that has not been missed. Both moments are ISO 8601. */
export interface OpenDeadline {
  readonly due: string;
  /** When a missed deadline is recorded: many that are due together are spread. Null: as known, or when due. */
  readonly recordAt: string | null;
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
    readonly deadLetters: number;
    readonly hasWaitingCommands: boolean;
  },
  tasks: readonly TaskLine[],
  pendingEventIds: readonly WebhookEventId[],
): ShipmentSnapshot {
  const isTerminal = isTerminalShipment(shipment.status);
  const due = isTerminal || shipment.isDeadlineMissed ? null : shipment.deliveryDeadline;
  return {
    status: shipment.status,
    isTerminal,
    deadline: due === null ? null : { due: due.toISOString(), recordAt: null },
    isDeadlineMissed: shipment.isDeadlineMissed,
    pendingEventIds,
    deadLetters: shipment.deadLetters,
    hasWaitingCommands: shipment.hasWaitingCommands,
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
    deadLetters: number;
    hasWaitingCommands: boolean;
  }>(
    executor,
    prepared(`select s.status, s.delivery_deadline as "deliveryDeadline", s.deadline_missed_at is not null as "isDeadlineMissed",
       (select count(*)::int from webhook_events e where e.shipment_id = s.id and e.status = 'dead') as "deadLetters",
       exists (select from commands c where c.shipment_id = s.id and c.status = 'received') as "hasWaitingCommands"
     from shipments s where s.id = $1`),
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
