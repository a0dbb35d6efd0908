import { WEBHOOK_EVENT_STATUSES } from '../../domain/webhook.ts';
import { WEBHOOK_EVENTS } from '../../domain/webhook-events.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow } from '../../store/webhooks/webhook-deliveries.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import { fieldsOf, view } from '../schema/fields.ts';
import { shownAsIs } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import { shownList } from '../schema/schema-objects.ts';
import { boolean, choice, count, integer, reference, text } from '../schema/schema-values.ts';

const STATUS_CODE = integer({ min: 100, max: 599 });

const attempt = fieldsOf<WebhookAttemptRow>();
const webhookAttempt = view({
  round: attempt.shown(count(), (row) => row.round),
  attempt: attempt.shown(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (row) => row.attempt),
  url: attempt.shown(text(), (row) => row.url),
  startedAt: attempt.shown(dateTime(), (row) => row.startedAt),
  finishedAt: attempt.shownIfSet(dateTime(), (row) => row.finishedAt),
  statusCode: attempt.shownIfSet(STATUS_CODE, (row) => row.statusCode),
  durationMs: attempt.shownIfSet(count(), (row) => row.durationMs),
  error: attempt.shownIfSet(text(), (row) => row.error),
});

/** A webhook delivery with every attempt. */
interface FullDeliveryRow extends WebhookDeliveryRow {
  readonly attempts: readonly WebhookAttemptRow[];
}

const { shown, shownIfSet } = fieldsOf<WebhookDeliveryRow>();
const { shown: shownAlone } = fieldsOf<FullDeliveryRow>();

/** An event with its deliveries; in full the body as it is sent, once as JSON and once as its exact text. */
export const webhookDelivery = recordType(
  'webhook_event',
  'WebhookDelivery',
  {
    event: shown(choice<string>(WEBHOOK_EVENTS.map(({ kind }) => kind)), (row) => row.kind),
    isTest: shown(boolean(), (row) => row.shipmentId === null),
    shipment: shownIfSet(reference('shipment'), (row) => row.shipmentId),
    trackingNumber: shownIfSet(text(), (row) => row.trackingNumber),
    status: shown(choice(WEBHOOK_EVENT_STATUSES), (row) => row.status),
    round: shown(count('0 for the first delivery, plus one for each replay.'), (row) => row.round),
    attemptCount: shown(count('Over all rounds.'), (row) => row.attemptCount),
    lastAttemptAt: shownIfSet(dateTime(), (row) => row.lastAttemptAt),
    lastStatusCode: shownIfSet(STATUS_CODE, (row) => row.lastStatusCode),
    lastError: shownIfSet(text(), (row) => row.lastError),
    settledAt: shownIfSet(dateTime(), (row) => row.settledAt),
    erasedAt: shownIfSet(
      dateTime(
        'Present where a person was erased from the body: it is not what was sent, and cannot be sent again.',
      ),
      (row) => row.erasedAt,
    ),
    endpointFailingSince: shownIfSet(
      dateTime('Present while the endpoint is failing: since when no delivery to webhookUrl has succeeded.'),
      (row) => row.endpointFailingSince,
    ),
    ...DATES,
  },
  {
    // A null inside was sent as null, and is shown as it was sent.
    body: shownAlone(
      shownAsIs<unknown>({ type: 'object', description: 'The body as sent, parsed.' }),
      (row): unknown => JSON.parse(row.body.toString('utf8')),
    ),
    rawBody: shownAlone(
      text({ description: 'The exact bytes of the body, which the signature covers.' }),
      (row) => row.body.toString('utf8'),
    ),
    attempts: shownAlone(shownList(webhookAttempt), (row) => row.attempts),
  },
);
