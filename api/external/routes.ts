import type { PickupPointId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import { API_PREFIX } from '../../domain/iri.ts';
import { findExternalShipment } from '../../store/shipments/external-shipments.ts';
import { acceptExternalRequest } from '../../store/shipments/external-requests.ts';
import { tenant } from '../../store/tenant.ts';
import { validPart } from '../schema/lookup-violations.ts';
import { requireFound } from '../http/require-found.ts';
import { externalRoute, NO_BODY, NO_QUERY, nothing } from '../http/route.ts';
import { parcelOf } from '../shipments/parcel.ts';
import type { References } from '../shipments/references.ts';
import { referenceViolations, resolveMerchant } from '../shipments/references.ts';
import {
  acceptedJson,
  externalDetail,
  externalShipmentBody,
  PICKUP_POINT_ID,
  presentAccepted,
  presentExternalShipment,
  recipientOf,
} from './fields.ts';

const tag = 'External';

const create = externalRoute({
  operation: 'external.createShipment',
  method: 'POST',
  path: '/external/shipments',
  action: 'external.create',
  tag,
  summary: 'Create a shipment asynchronously',
  description:
    'The request is validated immediately; the shipment is created after the response, with the returned id. recipient.address or deliveryAddress is required. pickup.pickupPointId must be a pickup point of the organization. Unknown fields are rejected.',
  isIdempotent: true,
  answers: {
    202: {
      description: 'Accepted: the shipment will be created with this id.',
      schema: acceptedJson,
      headers: ['Location'],
    },
  },
  body: externalShipmentBody,
  query: NO_QUERY,
  load: nothing,
  lookupViolations: ({ actor, dependencies }, body) =>
    referenceViolations(
      tenant(dependencies.database, actor.organizationId),
      namedPickupPoint(validPart(PICKUP_POINT_ID, body, 'pickup', 'pickupPointId')),
    ),
  handle: async ({ actor, body, dependencies, effectId }) => {
    const { database } = dependencies;
    const scope = tenant(database, actor.organizationId);
    const pickupPointId = body.pickup?.pickupPointId ?? null;
    const { merchantId } = await resolveMerchant(scope, namedPickupPoint(pickupPointId));
    const id = toId<'shipment'>(effectId);
    const accepted = await acceptExternalRequest(database, actor, id, {
      ...parcelOf(body),
      recipient: recipientOf(body),
      merchantId,
      pickupPointId,
      pickupAddress: body.pickup?.address ?? null,
    });
    const { trackingNumber, hasWebhookUrl } = accepted;
    const { organizationId } = actor;
    dependencies.workflowStarts.enqueue([
      { id, organizationId, trackingNumber, priority: body.priority, status: 'pending' },
    ]);
    return {
      status: 202,
      headers: { location: `${API_PREFIX}/external/shipments/${id}` },
      body: presentAccepted(id, hasWebhookUrl),
    };
  },
});

function namedPickupPoint(pickupPointId: PickupPointId | null): References {
  return {
    pickupPointId,
    pickupPointPath: 'pickup.pickupPointId',
    merchantId: null,
    merchantPath: '',
    ownMerchantId: null,
  };
}

const read = externalRoute({
  operation: 'external.readShipment',
  method: 'GET',
  path: '/external/shipments/{id}',
  action: 'external.read',
  tag,
  summary: 'Read status and timeline of a shipment',
  description:
    'The status is processing until the shipment has been created. 403 for another organization’s shipment, 404 for an unknown one.',
  answers: { 200: { description: 'The shipment.', schema: externalDetail.shown } },
  body: NO_BODY,
  query: NO_QUERY,
  load: async ({ actor, params, dependencies }) => {
    const scope = tenant(dependencies.database, actor.organizationId);
    return requireFound(await findExternalShipment(scope, toId<'shipment'>(params['id'] ?? '')), 'shipment');
  },
  handle: ({ item }) => Promise.resolve({ status: 200, body: presentExternalShipment(item) }),
});

export const externalRoutes = [create, read];
