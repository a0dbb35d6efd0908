import type { ShipmentRequest } from '../../domain/shipment.ts';
import type { ShipmentId } from '../../domain/ids.ts';
import { inSnapshot } from '../../store/connection.ts';
import { findShipment, findTasksOfShipment, findTimeline } from '../../store/shipments/shipments.ts';
import type { ShipmentRow } from '../../store/shipments/shipments.ts';
import type { Tenant } from '../../store/tenant.ts';
import { tenant } from '../../store/tenant.ts';
import type { Document } from '../hydra/resource.ts';
import { requireFound } from '../http/require-found.ts';
import { withLookupViolations } from '../schema/lookup-violations.ts';
import { mergePatch, readPatch } from '../schema/merge-patch.ts';
import type { UserActor } from '../http/route.ts';
import { shipment } from './fields.ts';
import { parcelOf } from './parcel.ts';
import type { References } from './references.ts';
import { referencesIn, referenceViolations, resolveMerchant } from './references.ts';

/** A shipment's document with its tasks and timeline and its entity tag, all of one moment. */
export function shipmentDocument(
  scope: Tenant,
  id: ShipmentId,
): Promise<{ readonly body: Document; readonly etag: string; readonly row: ShipmentRow }> {
  return inSnapshot(scope.executor, async (snapshot) => {
    const inside = tenant(snapshot, scope.organizationId);
    const row = requireFound(await findShipment(inside, id), 'shipment');
    const tasks = await findTasksOfShipment(inside, id);
    const timeline = await findTimeline(inside, id);
    return { body: shipment.present({ ...row, tasks, timeline }), etag: String(row.version), row };
  });
}

/** What a shipment becomes by a merge patch, references settled. Throws a ProblemError with every violation. */
export async function patchedRequest(
  scope: Tenant,
  actor: UserActor,
  row: ShipmentRow,
  patch: Document,
): Promise<ShipmentRequest> {
  const { body: current } = await shipmentDocument(scope, row.id);
  const named = changedReferences(row, referencesIn(actor, mergePatch(current, patch)));
  const body = await withLookupViolations(
    () => readPatch(current, patch, shipment.body, shipment.patching),
    () => referenceViolations(scope, named),
  );
  const { merchantId } = await resolveMerchant(scope, named);
  return {
    ...parcelOf(body),
    recipient: body.recipient,
    merchantId: body.merchant === row.merchantId ? row.merchantId : merchantId,
    pickupPointId: body.pickupPoint,
    pickupAddress: row.pickupAddress,
  };
}

/** What the shipment names already may have been deleted since; only what is new is checked. */
function changedReferences(row: ShipmentRow, named: References): References {
  return {
    ...named,
    pickupPointId: named.pickupPointId === row.pickupPointId ? null : named.pickupPointId,
    merchantId: named.merchantId === row.merchantId ? null : named.merchantId,
  };
}
