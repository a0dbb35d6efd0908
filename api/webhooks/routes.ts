import { toId } from '../../domain/ids.ts';
import { iriOf } from '../../domain/iri.ts';
import { ProblemError } from '../../domain/problem.ts';
import { WEBHOOK_EVENT_STATUSES } from '../../domain/webhook.ts';
import { tenant } from '../../store/tenant.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { AcceptedDelivery, WebhookDeliveryRow } from '../../store/webhooks/webhook-deliveries.ts';
import {
  findOwnOrganization,
  findWebhookAttempts,
  findWebhookDelivery,
  findWebhookDeliveryPage,
  reopenWebhookDelivery,
  storeTestEvent,
} from '../../store/webhooks/webhook-deliveries.ts';
import type { Dependencies } from '../dependencies.ts';
import { collection } from '../hydra/collection.ts';
import { requireFound } from '../http/require-found.ts';
import { COLLECTION_QUERY, orderOf } from '../http/pagination.ts';
import type { RouteResponse, LoadRequest, UserActor } from '../http/route.ts';
import { dashboardRoute, NO_BODY, NO_QUERY, nothing } from '../http/route.ts';
import { object, optional } from '../schema/schema-objects.ts';
import { choice, reference } from '../schema/schema-values.ts';
import { webhookDelivery } from './fields.ts';

const tag = 'Webhooks';

const listQuery = object(
  {
    ...COLLECTION_QUERY,
    status: optional(choice(WEBHOOK_EVENT_STATUSES)),
    shipment: optional(reference('shipment', { bare: true })),
  },
  { strict: true },
);

async function loadDelivery({
  actor,
  params,
  dependencies,
}: LoadRequest<UserActor, unknown>): Promise<WebhookDeliveryRow> {
  const scope = tenant(dependencies.database, actor.organizationId);
  const found = await findWebhookDelivery(scope, toId<'webhook_event'>(params['id'] ?? ''));
  return requireFound(found, 'webhook delivery');
}

const list = dashboardRoute({
  operation: 'webhookDeliveries.list',
  method: 'GET',
  path: '/webhook-deliveries',
  action: 'webhook.read',
  tag,
  summary: 'List webhook notifications',
  description:
    'Newest first by default. `dead`: every attempt failed; these are the dead-letter queue. `rejected`: the receiver responded with 3xx or 4xx. `skipped`: due while notifications were off.',
  answers: { 200: { description: 'One page.', schema: webhookDelivery.shapes.collection } },
  body: NO_BODY,
  query: listQuery,
  load: nothing,
  handle: async ({ actor, query, raw, dependencies }) => {
    const page = await findWebhookDeliveryPage(
      tenant(dependencies.database, actor.organizationId),
      { status: query.status, shipmentId: query.shipment },
      orderOf(query),
      query,
    );
    return {
      status: 200,
      body: collection('WebhookDelivery', raw, query, page, webhookDelivery.presentMember),
    };
  },
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
  body: NO_BODY,
  query: NO_QUERY,
  load: loadDelivery,
  handle: async ({ actor, item, dependencies }) => ({
    status: 200,
    body: await deliveryDocument(tenant(dependencies.database, actor.organizationId), item),
  }),
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
  body: NO_BODY,
  query: NO_QUERY,
  load: loadDelivery,
  handle: async ({ actor, item, dependencies }) => {
    const sending = await reopenWebhookDelivery(dependencies.database, actor.organizationId, item.id);
    return deliveryResponse(dependencies, actor, sending);
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
  body: NO_BODY,
  query: NO_QUERY,
  load: async ({ actor, params, dependencies }) => {
    const scope = tenant(dependencies.database, actor.organizationId);
    return requireFound(
      await findOwnOrganization(scope, toId<'organization'>(params['id'] ?? '')),
      'organization',
    );
  },
  handle: async ({ actor, dependencies }) => {
    const sending = await storeTestEvent(dependencies.database, actor.organizationId);
    return deliveryResponse(dependencies, actor, sending);
  },
});

async function deliveryResponse(
  dependencies: Dependencies,
  { organizationId }: UserActor,
  sending: AcceptedDelivery,
): Promise<RouteResponse> {
  if (sending.kind === 'refused') throw new ProblemError(sending.problem);
  const { eventId, round } = sending;
  const scope = tenant(dependencies.database, organizationId);
  const row = requireFound(await findWebhookDelivery(scope, eventId), 'webhook delivery');
  const body = await deliveryDocument(scope, row);
  // Not awaited: it is stored, so the reconciler starts what is lost here.
  const { shipmentId } = row;
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

export const webhookRoutes = [list, read, replay, test];
