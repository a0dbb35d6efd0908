import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { WebhookEventId } from '../domain/ids.ts';
import { verdictOfStatus, WEBHOOK_RETRY, webhooksAreOn } from '../domain/webhook.ts';
import type { Clock } from '../platform/clock.ts';
import type { OutboundAnswer, OutboundClient } from '../platform/outbound-client.ts';
import type { Database } from '../store/connection.ts';
import type { AttemptKey, SendableEvent } from '../store/webhook-sending.ts';
import { findSendableEvent, finishAttempt, settleEvent, startAttempt } from '../store/webhook-sending.ts';
import { webhookSignature } from './webhook-signature.ts';

/** The failure types that the workflow and ops see; the first two end the sending, the third is retried. */
const REJECTED = 'WebhookRejected';
const EXHAUSTED = 'WebhookExhausted';
const UNAVAILABLE = 'WebhookUnavailable';

/** The activities that wait for receivers. Each attempt is one call of one activity. */
export function webhookActivities(dependencies: {
  readonly database: Database;
  readonly outbound: OutboundClient;
  readonly clock: Clock;
}) {
  const { database } = dependencies;
  return {
    /**
     * Makes one attempt to send an event: the stored bytes, signed, within ten seconds (contract «Retry policy»).
     * Resolves when the receiver took it, when it had been settled before, or when notifications have been turned
     * off meanwhile (`skipped`). Fails for good on 3xx, 4xx and a refused address, and after the last of `maxAttempts`
     * requests; for another try on everything else. What was begun counts, also where a crash hid its end: a crash
     * between the answer and its record sends the same bytes once more. A database that is away counts nothing.
     */
    async sendWebhook(id: WebhookEventId, maxAttempts: number): Promise<'delivered' | 'skipped' | 'settled'> {
      const event = await findSendableEvent(database, id);
      if (event?.status !== 'pending') return 'settled';
      if (!webhooksAreOn(event) || event.webhookUrl === null) {
        await settleEvent(database, id, 'skipped');
        return 'skipped';
      }
      if (event.attemptsMade >= maxAttempts) throw exhausted('the last attempt was cut short');
      await attempt(dependencies, event, event.webhookUrl, maxAttempts);
      return 'delivered';
    },
  };
}

async function attempt(
  { database, outbound, clock }: { database: Database; outbound: OutboundClient; clock: Clock },
  event: SendableEvent,
  url: string,
  maxAttempts: number,
): Promise<void> {
  const key: AttemptKey = { eventId: event.id, round: event.round, attempt: event.attemptsMade + 1 };
  await startAttempt(database, key, url);
  const startedAt = clock().getTime();
  const answer = await outbound.post(url, {
    body: event.body,
    headers: {
      'content-type': 'application/json',
      'x-service-signature': webhookSignature(event.body, event.webhookSecret),
      'x-service-event-id': event.id,
      'x-service-attempt': String(key.attempt),
      'user-agent': 'shipment-delivery-service',
    },
    timeoutMs: WEBHOOK_RETRY.answerTimeoutMs,
  });
  const durationMs = clock().getTime() - startedAt;
  const { verdict, statusCode, error } = reading(answer);
  await finishAttempt(database, key, { statusCode, durationMs, error }, verdict === 'retry' ? null : verdict);
  if (verdict === 'rejected') {
    throw ApplicationFailure.nonRetryable(`the receiver's answer is final: ${error ?? ''}`, REJECTED);
  }
  if (verdict === 'retry' && key.attempt >= maxAttempts) throw exhausted(error ?? 'no answer');
  if (verdict === 'retry') {
    throw ApplicationFailure.create({
      message: error ?? 'no answer',
      type: UNAVAILABLE,
      // A receiver that is away is no fault of the worker: it is not logged as one.
      category: ApplicationFailureCategory.BENIGN,
    });
  }
}

function exhausted(reason: string): ApplicationFailure {
  return ApplicationFailure.create({
    message: `all attempts are used up: ${reason}`,
    type: EXHAUSTED,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}

function reading(answer: OutboundAnswer) {
  switch (answer.kind) {
    case 'answered': {
      const verdict = verdictOfStatus(answer.statusCode);
      const error = verdict === 'delivered' ? null : `HTTP ${answer.statusCode}`;
      return { verdict, statusCode: answer.statusCode, error };
    }
    case 'refused_address':
      return { verdict: 'rejected', statusCode: null, error: answer.reason } as const;
    case 'failed':
      return { verdict: 'retry', statusCode: null, error: answer.reason } as const;
  }
}
