import type { FailureReason, ShipmentStatus, TaskStatus, TaskType } from '../../domain/enumerations.ts';
import type { ShipmentId, WebhookEventId } from '../../domain/ids.ts';
import { isTerminalShipment } from '../../domain/shipment-status.ts';
import type { Executor } from '../connection.ts';
import { selectOne } from '../connection.ts';
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
interface OpenDeadline {
  readonly due: string;
  /** When a missed deadline is recorded: many that are due together are spread. Null: as known, or when due. */
  readonly recordAt: string | null;
}

/** One line of the table that the Web UI shows. */
interface TaskLine {
  readonly type: TaskType;
  readonly status: TaskStatus;
  readonly attempts: number;
  readonly failureReason: FailureReason | null;
}

/** What a snapshot is made of. */
interface SnapshotSource extends Pick<
  ShipmentSnapshot,
  'status' | 'pendingEventIds' | 'deadLetters' | 'hasWaitingCommands' | 'tasks'
> {
  readonly deliveryDeadline: Date | null;
  readonly deadlineMissedAt: Date | null;
}

/** Makes a snapshot from what the caller holds. */
export function snapshotOf(shipment: SnapshotSource): ShipmentSnapshot {
  const { pendingEventIds, deadLetters, hasWaitingCommands } = shipment;
  const isTerminal = isTerminalShipment(shipment.status);
  const isDeadlineMissed = shipment.deadlineMissedAt !== null;
  const due = isTerminal || isDeadlineMissed ? null : shipment.deliveryDeadline;
  return {
    status: shipment.status,
    isTerminal,
    deadline: due === null ? null : { due: due.toISOString(), recordAt: null },
    isDeadlineMissed,
    pendingEventIds,
    deadLetters,
    hasWaitingCommands,
    tasks: shipment.tasks.map(({ type, status, attempts, failureReason }) => ({
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
  const shipment = await selectOne<SnapshotSource>(executor, SNAPSHOT_SQL, [id]);
  return shipment === undefined ? undefined : snapshotOf(shipment);
}

const SNAPSHOT_SQL = prepared(`
select s.status, s.delivery_deadline as "deliveryDeadline", s.deadline_missed_at as "deadlineMissedAt",
  (select count(*)::int from webhook_events e where e.shipment_id = s.id and e.status = 'dead') as "deadLetters",
  exists (select from commands c where c.shipment_id = s.id and c.status = 'received') as "hasWaitingCommands",
  array(select e.id from webhook_events e where e.shipment_id = s.id and e.status = 'pending' and e.round = 0
    order by e.sequence) as "pendingEventIds",
  coalesce((select jsonb_agg(jsonb_build_object('type', t.type, 'status', t.status, 'attempts', t.attempts,
    'failureReason', t.failure_reason) order by t.ordinal) from tasks t where t.shipment_id = s.id), '[]') as tasks
from shipments s where s.id = $1`);
