import type { OrganizationId, ShipmentId } from '../domain/ids.ts';
import type { Database } from './connection.ts';
import { selectOne } from './connection.ts';
import { createFromIntake } from './intakes.ts';
import type { ShipmentSnapshot } from './shipment-snapshot.ts';
import { readSnapshot } from './shipment-snapshot.ts';
import { prepared } from './prepared.ts';

/**
 * Load or create: makes the shipment of an intake that has none yet, notes that a run has taken the shipment
 * up, and reads it. Harmless to repeat. Undefined when there is neither shipment nor intake.
 */
export async function takeUpShipment(
  database: Database,
  id: ShipmentId,
): Promise<
  | {
      readonly organizationId: OrganizationId;
      readonly trackingNumber: string;
      readonly snapshot: ShipmentSnapshot;
    }
  | undefined
> {
  // Asked again last, as another run may have made the shipment between the first two.
  const known =
    (await markRunSeen(database, id)) ??
    (await createFromIntake(database, id)) ??
    (await markRunSeen(database, id));
  if (known === undefined) return undefined;
  const snapshot = await readSnapshot(database, id);
  return snapshot === undefined ? undefined : { ...known, snapshot };
}

function markRunSeen(
  database: Database,
  id: ShipmentId,
): Promise<{ organizationId: OrganizationId; trackingNumber: string } | undefined> {
  return selectOne(
    database,
    prepared(`update shipments set run_seen_at = coalesce(run_seen_at, clock_timestamp()) where id = $1
     returning organization_id as "organizationId", tracking_number as "trackingNumber"`),
    [id],
  );
}
