import type { ShipmentRequest } from '../../domain/shipment.ts';
import { findTasksOfShipment, findTimeline } from '../../store/shipments.ts';
import type { ShipmentRow } from '../../store/shipments.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { Document } from '../hydra/resource.ts';
import { readPatch } from '../http/merge-patch.ts';
import type { UserActor } from '../http/route.ts';
import { parcelOf, shipmentBody } from './parse.ts';
import { presentShipment } from './present.ts';
import { settleMerchant } from './references.ts';

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

/** A shipment's document with all that belongs to it. */
export async function shipmentDocument(tenant: Tenant, row: ShipmentRow): Promise<Document> {
  const [tasks, timeline] = await Promise.all([
    findTasksOfShipment(tenant, row.id),
    findTimeline(tenant, row.id),
  ]);
  return presentShipment(row, tasks, timeline);
}

/** What a shipment becomes by a merge patch, references settled. Throws a Refusal with every violation. */
export async function patchedRequest(
  tenant: Tenant,
  actor: UserActor,
  row: ShipmentRow,
  patch: Document,
): Promise<ShipmentRequest> {
  const body = readPatch(await shipmentDocument(tenant, row), patch, shipmentBody, {
    readOnly: READ_ONLY,
    hints: HINTS,
  });
  const { merchantId } = await settleMerchant(tenant, {
    // A point that the shipment has already may have been deleted since; only a new one is checked.
    pickupPointId: body.pickupPoint === row.pickupPointId ? null : body.pickupPoint,
    pickupPointPath: 'pickupPoint',
    merchantId: body.merchant === row.merchantId ? null : body.merchant,
    merchantPath: 'merchant',
    ownMerchantId: actor.role === 'ROLE_MERCHANT' ? actor.merchantId : null,
  });
  return {
    ...parcelOf(body),
    recipient: body.recipient,
    merchantId: body.merchant === row.merchantId ? row.merchantId : merchantId,
    pickupPointId: body.pickupPoint,
    pickupAddress: row.pickupAddress,
  };
}
