import type { ShipmentId } from '../../domain/ids.ts';
import type { ShipmentRow, ShipmentTaskRow, TimelineRow } from './shipments.ts';
import { findTasksOfShipment, findTimeline } from './shipments.ts';
import { inSnapshot, selectOne } from '../connection.ts';
import type { ExternalRequest } from './external-requests.ts';
import { findExternalRequest } from './external-requests.ts';
import type { Lookup, Tenant } from '../tenant.ts';
import { checkTenant, tenant } from '../tenant.ts';

/** A shipment as the external API shows it: its row with tasks and timeline, or the request that it will be created from. */
export type ExternalShipment =
  | {
      readonly kind: 'shipment';
      readonly row: ExternalRow;
      readonly tasks: readonly ShipmentTaskRow[];
      readonly timeline: readonly TimelineRow[];
    }
  | { readonly kind: 'request'; readonly request: ExternalRequest };

/** What the external detail shows of a shipment. */
export type ExternalRow = Pick<
  ShipmentRow,
  | 'id'
  | 'organizationId'
  | 'trackingNumber'
  | 'externalReference'
  | 'status'
  | 'deliveryDeadline'
  | 'codAmountCents'
  | 'totalCodToCollectCents'
>;

/**
 * Finds a shipment for its shop; a deleted one is still found, `cancelled` (interpretation 17). All parts are read in
 * one snapshot.
 */
export function findExternalShipment(scope: Tenant, id: ShipmentId): Promise<Lookup<ExternalShipment>> {
  return inSnapshot(scope.executor, (snapshot) => readExternal(tenant(snapshot, scope.organizationId), id));
}

async function readExternal(tenant: Tenant, id: ShipmentId): Promise<Lookup<ExternalShipment>> {
  const row = await selectOne<ExternalRow>(
    tenant.executor,
    `select id, organization_id as "organizationId", tracking_number as "trackingNumber",
       external_reference as "externalReference", status, delivery_deadline as "deliveryDeadline",
       cod_amount_cents as "codAmountCents", total_cod_to_collect_cents as "totalCodToCollectCents"
     from shipments where id = $1`,
    [id],
  );
  if (row === undefined) {
    const request = checkTenant(tenant, await findExternalRequest(tenant.executor, id));
    return request.kind === 'found'
      ? { kind: 'found', row: { kind: 'request', request: request.row } }
      : request;
  }
  const found = checkTenant(tenant, row);
  if (found.kind !== 'found') return found;
  const tasks = await findTasksOfShipment(tenant, id);
  const timeline = await findTimeline(tenant, id);
  return { kind: 'found', row: { kind: 'shipment', row, tasks, timeline } };
}
