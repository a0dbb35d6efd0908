import { WEBHOOK_EVENT_STATUSES } from '../../domain/webhook.ts';
import { WEBHOOK_EVENTS } from '../../domain/webhook-events.ts';
import type { JsonSchema } from '../schema/schema.ts';
import {
  array,
  collectionShape,
  documentShape,
  iri,
  moment,
  oneOf,
  shape,
  string,
} from '../schema/shapes.ts';

/** The shapes of what the webhook endpoints answer. */

const count: JsonSchema = { type: 'integer', minimum: 0 };

const PROPERTIES = {
  event: oneOf(WEBHOOK_EVENTS.map(({ kind }) => kind)),
  isTest: { type: 'boolean' },
  shipment: iri,
  status: oneOf(WEBHOOK_EVENT_STATUSES),
  round: { ...count, description: '0 for the first delivery, plus one for each replay.' },
  attemptCount: { ...count, description: 'Over all rounds.' },
  lastAttemptAt: moment,
  lastStatusCode: { type: 'integer' },
  lastError: string,
  settledAt: moment,
  endpointFailingSince: {
    ...moment,
    description: 'Present while the endpoint is failing: since when no delivery to webhookUrl has succeeded.',
  },
};
const REQUIRED = ['event', 'isTest', 'status', 'round', 'attemptCount', 'createdAt', 'updatedAt'];

const attemptShape = shape(
  {
    round: count,
    attempt: { type: 'integer', minimum: 1 },
    url: string,
    startedAt: moment,
    finishedAt: moment,
    statusCode: { type: 'integer' },
    durationMs: count,
    error: string,
  },
  ['round', 'attempt', 'url', 'startedAt'],
);

export const webhookDeliveryJson = documentShape(
  'WebhookDelivery',
  {
    ...PROPERTIES,
    body: { type: 'object', description: 'The body as sent, parsed.' },
    rawBody: { type: 'string', description: 'The exact bytes of the body, which the signature covers.' },
    attempts: array(attemptShape),
  },
  [...REQUIRED, 'body', 'rawBody', 'attempts'],
);

export const webhookDeliveryCollectionJson = collectionShape(
  'WebhookDeliveryCollection',
  documentShape('WebhookDeliveryMember', { ...PROPERTIES, createdAt: moment, updatedAt: moment }, REQUIRED, {
    isMember: true,
  }),
);
