import { iriOf } from '../../domain/iri.ts';
import { WEBHOOK_EVENT_STATUSES } from '../../domain/webhook.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { AcceptedDelivery, WebhookDeliveryRow } from '../../store/webhooks/webhook-deliveries.ts';
import {
  findWebhookAttempts,
  findWebhookDelivery,
  findWebhookDeliveryPage,
  reopenWebhookDelivery,
  storeTestEvent,
} from '../../store/webhooks/webhook-deliveries.ts';
import { audited } from '../http/audited.ts';
import { requireFound } from '../http/require-found.ts';
import { traceOf } from '../http/request-log.ts';
import { COLLECTION_QUERY, orderOf } from '../http/pagination.ts';
import { several } from '../http/query.ts';
import type { RouteRequest, RouteResponse } from '../http/route.ts';
import { dashboardRoute } from '../http/route.ts';
import { listRoute, loaderOf } from '../resource/resource.ts';
import { organizations } from '../organizations/routes.ts';
import { dateTimeText } from '../schema/schema-moments.ts';
import { object, optional } from '../schema/schema-objects.ts';
import { choice, reference } from '../schema/schema-values.ts';
import { webhookDelivery } from './fields.ts';
import { replayMany } from './replay-many.ts';

const deliveries = {
  kind: 'webhook_event',
  type: 'WebhookDelivery',
  operations: 'webhookDeliveries',
  one: 'webhook delivery',
} as const;
const tag = 'Webhooks';
const load = loaderOf({ one: deliveries.one, find: findWebhookDelivery });

const list = listRoute(deliveries, {
  tag,
  action: 'webhook.read',
  summary: 'List webhook notifications',
  note: '`dead`: every attempt failed; these are the dead-letter queue. `rejected`: the receiver responded with 3xx or 4xx. `skipped`: due while notifications were off.',
  shape: webhookDelivery.shapes.collection,
  query: object(
    {
      ...COLLECTION_QUERY,
      status: optional(several(choice(WEBHOOK_EVENT_STATUSES))),
      shipment: optional(several(reference('shipment', { bare: true }))),
      'createdAt[after]': optional(dateTimeText('Inclusive.')),
      'createdAt[before]': optional(dateTimeText('Inclusive.')),
    },
    { strict: true },
  ),
  findPage: ({ query, scope }) => {
    const { status, shipment: shipmentIds } = query;
    const created = { createdAfter: query['createdAt[after]'], createdBefore: query['createdAt[before]'] };
    return findWebhookDeliveryPage(scope, { status, shipmentIds, ...created }, orderOf(query), query);
  },
  present: webhookDelivery.presentMember,
});

const read = dashboardRoute({
  operation: 'webhookDeliveries.read',
  method: 'GET',
  path: '/webhook-deliveries/{id}',
  action: 'webhook.read',
  tag,
  summary: 'Read a webhook notification',
  answers: {
    200: {
      description: 'The notification with its body and every attempt.',
      schema: webhookDelivery.shapes.record,
    },
  },
  load,
  handle: async ({ item, scope }) => ({ status: 200, body: await deliveryDocument(scope, item) }),
});

const replay = dashboardRoute({
  operation: 'webhookDeliveries.replay',
  method: 'POST',
  path: '/webhook-deliveries/{id}/replay',
  action: 'webhook.replay',
  tag,
  summary: 'Send a webhook notification again',
  description:
    'Sends the same bytes to the current webhookUrl with the same retry policy, in a new round. 409 while the notification is still being sent, and when a delivery condition is not met (plan, webhookUrl, isWebhookEnabled).',
  consumes: [],
  answers: {
    202: {
      description: 'Accepted; Location shows the outcome.',
      schema: webhookDelivery.shapes.record,
      headers: ['Location'],
    },
  },
  load,
  handle: async (request) => {
    const { actor, item } = request;
    const sending = await audited(
      request,
      ({ executor }) =>
        reopenWebhookDelivery(executor, actor.organizationId, item.id, traceOf(request.context)),
      () => ({ kind: 'webhooks.replayed', subject: { kind: 'webhook_event', id: item.id } }),
    );
    return deliveryResponse(request, sending);
  },
});

const test = dashboardRoute({
  operation: 'organizations.testWebhook',
  method: 'POST',
  path: '/organizations/{id}/webhook-test',
  action: 'webhook.replay',
  tag,
  summary: 'Send a test notification',
  description:
    'A signed body of the usual shape, whose shipmentId is the nil UUID and whose trackingNumber ends in 00000000-TEST00. It is sent and listed like every other webhook delivery. 409 when a delivery condition is not met (plan, webhookUrl, isWebhookEnabled).',
  consumes: [],
  answers: {
    202: {
      description: 'Accepted; Location shows the outcome.',
      schema: webhookDelivery.shapes.record,
      headers: ['Location'],
    },
  },
  load: organizations.load,
  currentTag: organizations.currentTag,
  handle: async (request) => {
    const { actor, context, dependencies } = request;
    const sending = await storeTestEvent(dependencies.database, actor.organizationId, traceOf(context));
    return deliveryResponse(request, sending);
  },
});

async function deliveryResponse(
  { scope, dependencies }: RouteRequest,
  sending: AcceptedDelivery,
): Promise<RouteResponse> {
  const { eventId, round } = sending;
  const row = requireFound(await findWebhookDelivery(scope, eventId), deliveries.one);
  const body = await deliveryDocument(scope, row);
  // Not awaited: it is stored, so the reconciler starts what is lost here.
  const { shipmentId } = row;
  const { organizationId } = scope;
  dependencies.workflows
    .startDelivery({ eventId, organizationId, shipmentId }, round)
    .catch((error: unknown) => {
      const reason = error instanceof Error ? error.name : 'unknown';
      dependencies.log.warn({ eventId, reason }, 'Temporal unreachable; the reconciler will retry');
    });
  return { status: 202, body, headers: { location: iriOf('webhook_event', eventId) } };
}

async function deliveryDocument(scope: Tenant, row: WebhookDeliveryRow) {
  return webhookDelivery.present({ ...row, attempts: await findWebhookAttempts(scope, row.id) });
}

export const webhookRoutes = [list, replayMany, read, replay, test];
