import { iriOf } from '../../domain/iri.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../store/webhooks/webhook-deliveries.ts';
import type { Document } from '../hydra/resource.ts';
import { member, resource, withoutNulls } from '../hydra/resource.ts';

/** A notification in full: the body as it is sent, once as JSON and once as its exact text, and every attempt. */
export function presentDelivery(row: WebhookDeliveryRow, attempts: readonly WebhookAttemptRow[]): Document {
  const rawBody = row.body.toString('utf8');
  const body: unknown = JSON.parse(rawBody);
  return {
    ...resource('WebhookDelivery', iriOf('webhook_event', row.id), properties(row)),
    // Set next to the frame: a null of the body was sent as null, and is shown as it was sent.
    body,
    rawBody,
    attempts: attempts.map(presentAttempt),
  };
}

/** A notification inside a collection, without body and attempts. */
export function presentDeliveryMember(row: WebhookDeliveryRow): Document {
  return member('WebhookDelivery', iriOf('webhook_event', row.id), properties(row));
}

function properties(row: WebhookDeliveryRow): Document {
  return {
    id: row.id,
    event: row.kind,
    isTest: row.shipmentId === null,
    shipment: row.shipmentId === null ? null : iriOf('shipment', row.shipmentId),
    status: row.status,
    round: row.round,
    attemptCount: row.attemptCount,
    lastAttemptAt: row.lastAttemptAt?.toISOString(),
    lastStatusCode: row.lastStatusCode,
    lastError: row.lastError,
    settledAt: row.settledAt?.toISOString(),
    endpointFailingSince: row.endpointFailingSince?.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function presentAttempt(row: WebhookAttemptRow): Document {
  return withoutNulls({
    round: row.round,
    attempt: row.attempt,
    url: row.url,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString(),
    statusCode: row.statusCode,
    durationMs: row.durationMs,
    error: row.error,
  });
}
