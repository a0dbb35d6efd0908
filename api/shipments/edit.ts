import type { ShipmentRequest } from '../../domain/shipment.ts';
import type { ShipmentId } from '../../domain/ids.ts';
import { inSnapshot } from '../../store/connection.ts';
import { findShipment, findTasksOfShipment, findTimeline } from '../../store/shipments/shipments.ts';
import type { ShipmentRow } from '../../store/shipments/shipments.ts';
import { tenant } from '../../store/tenant.ts';
import { requireUnedited } from '../http/preconditions.ts';
import { requireFound } from '../http/require-found.ts';
import type { RouteRequest } from '../http/route.ts';
import type { Editing, PatchRequest } from '../resource/edit.ts';
import { revise } from '../resource/edit.ts';
import type { RecordResponse } from '../resource/resource.ts';
import { recordResponse } from '../resource/resource.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { trackingUrl } from '../tracking/tracking-token.ts';
import type { ShipmentBody } from './fields.ts';
import { shipment } from './fields.ts';
import { parcelOf } from './parcel.ts';
import type { References } from './references.ts';
import { merchantOf, ownMerchantOf, referenceViolations } from './references.ts';

/** Answers a shipment with its tasks and timeline, all of one moment; `row` is the shipment's own. */
export function shipmentAnswer(
  { actor, scope, dependencies }: Pick<RouteRequest, 'actor' | 'scope' | 'dependencies'>,
  id: ShipmentId,
): Promise<RecordResponse & { readonly row: ShipmentRow }> {
  return inSnapshot(scope.executor, async (snapshot) => {
    const inside = tenant(snapshot, scope.organizationId);
    const row = requireFound(await findShipment(inside, id), 'shipment');
    const tasks = await findTasksOfShipment(inside, id);
    const timeline = (await findTimeline(inside, id)).map((entry) =>
      actor.role === 'ROLE_MERCHANT' ? { ...entry, comment: null, changedByName: null } : entry,
    );
    const full = { ...row, tasks, timeline, trackingUrl: trackingUrl(dependencies.config, row) };
    return { ...recordResponse(shipment.present(full), shipment.editable), row };
  });
}

const EDITING: Editing<ShipmentRow, ShipmentBody> & { readonly shape: JsonSchema } = {
  ...shipment.editing,
  check: ({ actor, scope }, body, row) =>
    referenceViolations(scope, changedReferences(row, body), ownMerchantOf(actor)),
};

/** What a locked shipment becomes by a merge patch. Honours `If-Match`. Throws a ProblemError with every violation. */
export async function patchedRequest(
  request: PatchRequest<unknown>,
  row: ShipmentRow,
): Promise<ShipmentRequest> {
  const { actor, context, scope } = request;
  const { body: document, etag } = await shipmentAnswer(request, row.id);
  await requireUnedited(context, () => etag);
  const { body } = await revise(request, EDITING, row, document);
  const isMerchantKept = body.merchant === row.merchantId;
  const named = changedReferences(row, body);
  return {
    ...parcelOf(body),
    recipient: body.recipient,
    merchantId: isMerchantKept ? row.merchantId : await merchantOf(scope, named, ownMerchantOf(actor)),
    pickupPointId: body.pickupPoint,
    pickupAddress: row.pickupAddress,
  };
}

/** What the shipment names already may have been deleted since; only what is new is checked. */
function changedReferences(row: ShipmentRow, { pickupPoint, merchant }: Partial<ShipmentBody>): References {
  return {
    pickupPoint: pickupPoint === undefined || pickupPoint === row.pickupPointId ? null : pickupPoint,
    merchant: merchant === undefined || merchant === row.merchantId ? null : merchant,
  };
}
