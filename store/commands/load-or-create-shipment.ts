import type { OrganizationId, ShipmentId } from '../../domain/ids.ts';
import { columns } from '../columns.ts';
import type { Database } from '../connection.ts';
import { select, selectOne } from '../connection.ts';
import { createFromExternalRequest } from '../shipments/external-requests.ts';
import type { ShipmentSnapshot } from './shipment-snapshot.ts';
import { readSnapshot } from './shipment-snapshot.ts';
import { prepared } from '../prepared.ts';

/**
 * Creates the shipment of an external request that has none yet, marks that a workflow has started for it, and reads it.
 * Harmless to repeat. Resolves to undefined when there is neither a shipment nor a request.
 */
export async function loadOrCreateShipment(
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
  // Marked again last: another workflow run may have created the shipment between the first two.
  const known =
    (await markWorkflowStarted(database, id)) ??
    (await createFromExternalRequest(database, id)) ??
    (await markWorkflowStarted(database, id));
  if (known === undefined) return undefined;
  const snapshot = await readSnapshot(database, id);
  return snapshot === undefined ? undefined : { ...known, snapshot };
}

function markWorkflowStarted(
  database: Database,
  id: ShipmentId,
): Promise<{ organizationId: OrganizationId; trackingNumber: string } | undefined> {
  return selectOne(
    database,
    prepared(`update shipments set workflow_started_at = coalesce(workflow_started_at, clock_timestamp()) where id = $1
     returning ${columns('shipments', 'organization_id, tracking_number')}`),
    [id],
  );
}

/** Finds which of these shipments, of any organization, exist and have a workflow that has done its first step. */
export async function findStartedShipments(
  database: Database,
  ids: readonly ShipmentId[],
): Promise<readonly ShipmentId[]> {
  const rows = await select<{ id: ShipmentId }>(
    database,
    prepared('select id from shipments where id = any($1::uuid[]) and workflow_started_at is not null'),
    [ids],
  );
  return rows.map(({ id }) => id);
}
