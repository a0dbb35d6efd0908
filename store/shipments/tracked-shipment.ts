import type { ShipmentStatus } from '../../domain/enumerations.ts';
import type { ShipmentId } from '../../domain/ids.ts';
import type { Executor } from '../connection.ts';
import { selectOne } from '../connection.ts';
import { prepared } from '../prepared.ts';

/** What the page for recipients knows of a shipment, or of an accepted request whose shipment does not exist yet. */
export interface TrackedShipment {
  readonly trackingNumber: string;
  readonly status: ShipmentStatus | 'processing';
  /** When something happened to it last. */
  readonly changedAt: Date;
}

/** Finds a shipment of whatever organization, deleted ones too; undefined where there is none. */
export function findTrackedAcrossTenants(
  executor: Executor,
  id: ShipmentId,
): Promise<TrackedShipment | undefined> {
  return selectOne<TrackedShipment>(executor, TRACKED_SQL, [id]);
}

const TRACKED_SQL = prepared(`
select tracking_number as "trackingNumber", status, coalesce(last_event_at, created_at) as "changedAt"
from shipments where id = $1
union all
select tracking_number, 'processing', received_at from external_intakes where id = $1 and status = 'processing'`);
