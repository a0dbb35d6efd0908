import type { ShipmentRequest } from '../../domain/shipment.ts';
import type { ShipmentId } from '../../domain/ids.ts';
import { inSnapshot } from '../../store/connection.ts';
import { findShipment, findTasksOfShipment, findTimeline } from '../../store/shipments/shipments.ts';
import type { ShipmentRow } from '../../store/shipments/shipments.ts';
import type { Tenant } from '../../store/tenant.ts';
import { tenant } from '../../store/tenant.ts';
import type { Document } from '../hydra/resource.ts';
import { taken } from '../http/found.ts';
import { withOtherViolations } from '../schema/all-violations.ts';
import { mergePatch, readPatch } from '../schema/merge-patch.ts';
import type { UserActor } from '../http/route.ts';
import { parcelOf, shipmentBody } from './parse.ts';
import { presentShipment } from './present.ts';
import type { NamedReferences } from './references.ts';
import { namedBy, referenceViolations, settleMerchant } from './references.ts';

/** Shown on a shipment and never changed by a client. */
const READ_ONLY = [
  '@id',
  '@type',
  'id',
  'trackingNumber',
  'status',
  'currency',
  'deliveryFee',
  'totalCodToCollect',
  'feeBreakdown',
  'feePayer',
  'pickupAddress',
  'source',
  'deliveryDeadline',
  'deadlineMissedAt',
  'tasks',
  'timeline',
  'createdAt',
  'updatedAt',
] as const;

const HINTS = {
  status: 'It follows the tasks: use POST /tasks/{id}/transition.',
  deliveryDeadline: 'It follows priority, scheduledAfter and scheduledBefore.',
  deliveryFee: 'The service sets it.',
  totalCodToCollect: 'The service sets it.',
};

/** A shipment's document with its tasks and timeline and its entity tag, all of one moment. */
export function shipmentDocument(
  scope: Tenant,
  id: ShipmentId,
): Promise<{ readonly body: Document; readonly etag: string; readonly row: ShipmentRow }> {
  return inSnapshot(scope.executor, async (snapshot) => {
    const inside = tenant(snapshot, scope.organizationId);
    const row = taken(await findShipment(inside, id), 'shipment');
    const tasks = await findTasksOfShipment(inside, id);
    const timeline = await findTimeline(inside, id);
    return { body: presentShipment(row, tasks, timeline), etag: String(row.version), row };
  });
}

/** What a shipment becomes by a merge patch, references settled. Throws a Refusal with every violation. */
export async function patchedRequest(
  scope: Tenant,
  actor: UserActor,
  row: ShipmentRow,
  patch: Document,
): Promise<ShipmentRequest> {
  const { body: current } = await shipmentDocument(scope, row.id);
  const named = newlyNamed(row, namedBy(actor, mergePatch(current, patch)));
  const body = await withOtherViolations(
    () => readPatch(current, patch, shipmentBody, { readOnly: READ_ONLY, hints: HINTS }),
    () => referenceViolations(scope, named),
  );
  const { merchantId } = await settleMerchant(scope, named);
  return {
    ...parcelOf(body),
    recipient: body.recipient,
    merchantId: body.merchant === row.merchantId ? row.merchantId : merchantId,
    pickupPointId: body.pickupPoint,
    pickupAddress: row.pickupAddress,
  };
}

/** What the shipment names already may have been deleted since; only what is new is checked. */
function newlyNamed(row: ShipmentRow, named: NamedReferences): NamedReferences {
  return {
    ...named,
    pickupPointId: named.pickupPointId === row.pickupPointId ? null : named.pickupPointId,
    merchantId: named.merchantId === row.merchantId ? null : named.merchantId,
  };
}
