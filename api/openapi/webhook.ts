import { WEBHOOK_RETRY } from '../../domain/webhook.ts';
import type { EventFacts, EventRule } from '../../domain/webhook-events.ts';
import { encodeEvent, WEBHOOK_EVENTS } from '../../domain/webhook-events.ts';
import { shape, uuid } from '../schema/shapes.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { SAMPLE_ID } from './samples.ts';

const RULES_OF_ALL = `**Verify** each request: compute the HMAC-SHA256 of the raw body, keyed with the whole webhookSecret as text, and compare it in constant time with X-Service-Signature. Parsing and re-encoding the body changes its bytes.

**Respond** with 2xx within ${WEBHOOK_RETRY.answerTimeoutMs / 1_000} seconds. 3xx and 4xx are final; 5xx, a timeout and a network error are retried after 1 s and 2 s, ${WEBHOOK_RETRY.defaultMaxAttempts} attempts in total; then the notification becomes a dead letter, which can be replayed.

**Duplicates** occur when a response is lost: discard them by shipmentId, taskStatus and updatedAt. Order by updatedAt, not by arrival.`;

const SAMPLE_FACTS: EventFacts = {
  entry: 'transition',
  shipmentId: SAMPLE_ID,
  trackingNumber: 'ACME-20260301-7K2M9Q',
  externalReference: 'ORDER-10482',
  shipmentStatus: 'in_transit',
  taskType: 'delivery',
  taskStatus: 'delivery_in_progress',
  driverName: 'Yanis Moreau',
  updatedAt: '2026-03-01T09:30:00.123456+00:00',
};

/** The webhooks (contract «Events») as OpenAPI 3.1 shows them, by their kinds. */
export function describeWebhooks(refer: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return Object.fromEntries(WEBHOOK_EVENTS.map((rule) => [rule.kind, { post: operationOf(rule, refer) }]));
}

function operationOf(rule: EventRule, refer: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const example: unknown = JSON.parse(encodeEvent(rule, SAMPLE_FACTS));
  return {
    operationId: `webhooks.${camelCase(rule.kind)}`,
    summary: rule.summary,
    description: `Sent to the organization’s webhookUrl ${rule.sent}, while its plan includes webhooks, webhookUrl is set and isWebhookEnabled is true.\n\n${RULES_OF_ALL}`,
    security: [],
    parameters: [
      header('X-Service-Signature', 'HMAC-SHA256 of the raw body in lowercase hex, after sha256=.', {
        schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
        example: `sha256=${'0123456789abcdef'.repeat(4)}`,
      }),
      header(
        'X-Service-Timestamped-Signature',
        't= and the seconds since 1970 of this attempt; then v1= for each valid secret (two while a secret is being replaced): the HMAC-SHA256, in lowercase hex, of the seconds, a full stop and the raw body. Reject a request whose t is more than five minutes away, to be safe from repeated ones.',
        {
          schema: { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
          example: `t=1772357400,v1=${'0123456789abcdef'.repeat(4)}`,
        },
      ),
      header('X-Service-Event-Id', 'The same for each attempt.', { schema: uuid, example: SAMPLE_ID }),
      header('X-Service-Attempt', 'The number of this attempt, starting at 1.', {
        schema: { type: 'integer', minimum: 1 },
        example: 1,
      }),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: refer(bodyOf(rule)), example } },
    },
    responses: {
      '2XX': { description: 'Taken.' },
      '3XX': { description: 'Final: redirects are not followed.' },
      '4XX': { description: 'Final: rejected. Use 401 for a wrong signature.' },
      '5XX': { description: 'Retry later.' },
    },
  };
}

/** The body of an event (contract «Request sent»). A receiver lets further fields pass. */
function bodyOf({ kind, fields }: EventRule): JsonSchema {
  const schemas = Object.entries(fields).map(([name, { schema }]) => [name, schema] as const);
  const properties = { event: { const: kind }, ...Object.fromEntries(schemas) };
  const name = camelCase(kind.slice(kind.indexOf('.')));
  return { title: `${name}Event`, ...shape(properties, Object.keys(properties)), additionalProperties: true };
}

/** `shipment.status_changed` as `shipmentStatusChanged`, and `.status_changed` as `StatusChanged`. */
function camelCase(kind: string): string {
  return kind.replace(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function header(name: string, description: string, rest: JsonSchema): JsonSchema {
  return { name, in: 'header', required: true, description, ...rest };
}
