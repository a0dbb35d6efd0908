import { toId } from '../../domain/ids.ts';
import { API_PREFIX } from '../../domain/iri.ts';
import { findExternalShipment } from '../../store/shipments/external-shipments.ts';
import { acceptExternalRequest } from '../../store/shipments/external-requests.ts';
import { noteWork, traceOf } from '../http/request-log.ts';
import { requireFound } from '../http/require-found.ts';
import { externalRoute, idOf } from '../http/route.ts';
import { parcelOf } from '../shipments/parcel.ts';
import { referenceViolations } from '../shipments/references.ts';
import {
  acceptedJson,
  externalDetail,
  externalShipmentBody,
  presentAccepted,
  presentExternalShipment,
  recipientOf,
} from './fields.ts';

const create = externalRoute({
  operation: 'external.createShipment',
  method: 'POST',
  path: '/external/shipments',
  action: 'external.create',
  summary: 'Create a shipment asynchronously',
  description:
    'The request is validated immediately; the shipment is created after the response, with the returned id. recipient.address or deliveryAddress is required. merchant and pickup.pickupPointId must belong to the organization. Unknown fields are rejected.',
  isIdempotent: true,
  isPlain: true,
  answers: {
    202: {
      description: 'Accepted: the shipment will be created with this id.',
      schema: acceptedJson,
      headers: ['Location'],
    },
  },
  body: externalShipmentBody,
  check: ({ scope }, { pickup, merchant = null }) =>
    referenceViolations(scope, { pickupPoint: pickup?.pickupPointId ?? null, merchant }, null, PATHS),
  handle: async ({ actor, body, context, dependencies, effectId }) => {
    const id = toId<'shipment'>(effectId);
    const request = {
      ...parcelOf(body),
      recipient: recipientOf(body),
      merchantId: body.merchant,
      pickupPointId: body.pickup?.pickupPointId ?? null,
      pickupAddress: body.pickup?.address ?? null,
    };
    const { trackingNumber, ...webhooks } = await acceptExternalRequest(
      dependencies.database,
      actor,
      id,
      request,
      traceOf(context),
    );
    const { organizationId } = actor;
    noteWork(context, id);
    dependencies.workflowStarts.enqueue([
      { id, organizationId, trackingNumber, priority: body.priority, status: 'pending' },
    ]);
    return {
      status: 202,
      headers: { location: `${API_PREFIX}/external/shipments/${id}` },
      body: presentAccepted(id, webhooks),
    };
  },
});

const PATHS = { pickupPoint: 'pickup.pickupPointId', merchant: 'merchant' };

const read = externalRoute({
  operation: 'external.readShipment',
  method: 'GET',
  path: '/external/shipments/{id}',
  action: 'external.read',
  summary: 'Read status and timeline of a shipment',
  description:
    'The status is processing until the shipment has been created. 403 for another organization’s shipment, 404 for an unknown one.',
  isPlain: true,
  answers: { 200: { description: 'The shipment.', schema: externalDetail.shown } },
  load: async (request) =>
    requireFound(await findExternalShipment(request.scope, idOf<'shipment'>(request)), 'shipment'),
  handle: ({ item, dependencies }) => ({
    status: 200,
    body: presentExternalShipment(item, dependencies.config),
  }),
});

export const externalRoutes = [create, read];
