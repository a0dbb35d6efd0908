import { SHIPMENT_STATUSES, TASK_STATUSES, TASK_TYPES } from '../../domain/enumerations.ts';
import { WEBHOOK_RETRY } from '../../domain/webhook.ts';
import { nullable } from '../schema/schema-objects.ts';
import { oneOf, shape, string, uuid } from '../schema/shapes.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { exampleOf } from './examples.ts';
import { SAMPLE_ID } from './samples.ts';

const PROPERTIES = {
  event: { const: 'shipment.status_changed' },
  shipmentId: uuid,
  trackingNumber: string,
  externalReference: nullable(string),
  status: oneOf(SHIPMENT_STATUSES),
  taskType: oneOf(TASK_TYPES),
  taskStatus: oneOf(TASK_STATUSES),
  driverName: nullable(string),
  updatedAt: {
    type: 'string',
    format: 'date-time',
    description: 'With microseconds; increases with each event of a shipment.',
  },
};

/** The body of the notification (contract «Request sent»). A receiver lets further fields pass. */
export const statusChangedJson: JsonSchema = {
  title: 'StatusChangedEvent',
  ...shape(PROPERTIES),
  additionalProperties: true,
};

const DESCRIPTION = `Sent to the organization’s webhookUrl on every transition of a task, while its plan includes webhooks, webhookUrl is set and isWebhookEnabled is true.

**Verify** each request: compute the HMAC-SHA256 of the raw body, keyed with the whole webhookSecret as text, and compare it in constant time with X-Service-Signature. Parsing and re-encoding the body changes its bytes.

**Respond** with 2xx within ${WEBHOOK_RETRY.answerTimeoutMs / 1_000} seconds. 3xx and 4xx are final; 5xx, a timeout and a network error are retried after 1 s and 2 s, ${WEBHOOK_RETRY.defaultMaxAttempts} attempts in total; then the notification becomes a dead letter, which can be replayed.

**Duplicates** occur when a response is lost: discard them by shipmentId, taskStatus and updatedAt. Order by updatedAt, not by arrival.`;

/** The one webhook (contract «Events»), as OpenAPI 3.1 shows it. */
export function statusChangedWebhook(refer: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return {
    post: {
      operationId: 'webhooks.shipmentStatusChanged',
      summary: 'A shipment’s status may have changed',
      description: DESCRIPTION,
      security: [],
      parameters: [
        header('X-Service-Signature', 'HMAC-SHA256 of the raw body in lowercase hex, after sha256=.', {
          schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
          example: `sha256=${'0123456789abcdef'.repeat(4)}`,
        }),
        header('X-Service-Event-Id', 'The same for each attempt.', { schema: uuid, example: SAMPLE_ID }),
        header('X-Service-Attempt', 'The number of this attempt, starting at 1.', {
          schema: { type: 'integer', minimum: 1 },
          example: 1,
        }),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: refer(statusChangedJson),
            example: { ...exampleObject(), updatedAt: '2026-03-01T09:30:00.123456+00:00' },
          },
        },
      },
      responses: {
        '2XX': { description: 'Taken.' },
        '3XX': { description: 'Final: redirects are not followed.' },
        '4XX': { description: 'Final: rejected. Use 401 for a wrong signature.' },
        '5XX': { description: 'Retry later.' },
      },
    },
  };
}

function header(name: string, description: string, rest: JsonSchema): JsonSchema {
  return { name, in: 'header', required: true, description, ...rest };
}

function exampleObject(): object {
  const example = exampleOf(statusChangedJson, 'answer');
  return typeof example === 'object' && example !== null ? example : {};
}
