import type { ShipmentId } from '../../domain/ids.ts';
import type { ShipmentRow, ShipmentTaskRow, TimelineRow } from './shipments.ts';
import { findShipment, findTasksOfShipment, findTimeline } from './shipments.ts';
import { inSnapshot } from '../connection.ts';
import type { ExternalRequest } from './external-requests.ts';
import { findExternalRequest } from './external-requests.ts';
import type { Lookup, Tenant } from '../tenant.ts';
import { checkTenant, tenant } from '../tenant.ts';

/** A shipment as the external API shows it: its row with tasks and timeline, or the request that it will be created from. */
export type ExternalShipment =
  | {
      readonly kind: 'shipment';
      readonly row: ShipmentRow;
      readonly tasks: readonly ShipmentTaskRow[];
      readonly timeline: readonly TimelineRow[];
    }
  | { readonly kind: 'request'; readonly request: ExternalRequest };

/**
 * Finds a shipment for its shop; a deleted one is still found, `cancelled` (interpretation 17). All parts are read in
 * one snapshot.
 */
export function findExternalShipment(scope: Tenant, id: ShipmentId): Promise<Lookup<ExternalShipment>> {
  return inSnapshot(scope.executor, (snapshot) => readExternal(tenant(snapshot, scope.organizationId), id));
}

async function readExternal(tenant: Tenant, id: ShipmentId): Promise<Lookup<ExternalShipment>> {
  const shipment = await findShipment(tenant, id, { isDeletedFound: true });
  if (shipment.kind === 'missing') {
    const found = checkTenant(tenant, await findExternalRequest(tenant.executor, id));
    return found.kind === 'found' ? { kind: 'found', row: { kind: 'request', request: found.row } } : found;
  }
  if (shipment.kind === 'foreign') return shipment;
  const { row } = shipment;
  const tasks = await findTasksOfShipment(tenant, id);
  const timeline = await findTimeline(tenant, id);
  return { kind: 'found', row: { kind: 'shipment', row, tasks, timeline } };
}
