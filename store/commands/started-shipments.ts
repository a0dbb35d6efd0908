import type { ShipmentId } from '../../domain/ids.ts';
import type { Database } from '../connection.ts';
import { select } from '../connection.ts';
import { prepared } from '../prepared.ts';

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
