import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { WebhookEventId } from '../domain/ids.ts';
import {
  REPLAY_LOOK_INTERVAL_MS,
  verdictOfStatus,
  WEBHOOK_FAILURE,
  WEBHOOK_RETRY,
  webhookRetryDelayMs,
  webhooksAreOn,
} from '../domain/webhook.ts';
import { WEBHOOK_LANES } from '../domain/webhook-lanes.ts';
import type { WebhookLane } from '../domain/webhook-lanes.ts';
import type { Clock } from '../platform/clock.ts';
import { observe } from '../platform/metrics/metrics.ts';
import { traceHeaders } from '../platform/tracing/trace-context.ts';
import { inSpan, startSpan } from '../platform/tracing/tracing.ts';
import type { OutboundAnswer, OutboundClient } from '../platform/outbound-client.ts';
import { isDatabaseUnavailable } from '../store/connection.ts';
import type { Database } from '../store/connection.ts';
import type { SendableEvent } from '../store/webhooks/webhook-attempts.ts';
import {
  findSendableEvent,
  finishAttempt,
  markSent,
  settleEvent,
  startAttempt,
} from '../store/webhooks/webhook-attempts.ts';
import { timestampedSignature, webhookSignature } from './webhook-signature.ts';

/** How often, and after what pause, the end of an attempt is written while the database is unavailable. */
const RECORD_TRIES = 3;
const RECORD_PAUSE_MS = 500;

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
     * off, or the organization suspended, meanwhile (`skipped`). Fails for good on 3xx, 4xx and a rejected address, and after the last of `maxAttempts`
     * requests; for another try on everything else.
     *
     * An attempt counts from the moment when its request is about to be written to the socket, or when it ended without
     * one (no connection). So a crash before that costs none, nor does a database that is unreachable; a crash between the
     * answer and its record sends the same bytes once more. While an attempt may still be under way, in an execution that
     * the workflow gave up, no other one is made: the activity fails until that one has ended or is too old.
     *
     * On the live lane an endpoint holds a bounded number of slots, and none while it is slow: the activity then fails for
     * good without an attempt, and the workflow sends the event on the slow lane (decision 0016). A replay fails for another
     * try, without an attempt, while live events of its organization are pending, for a minute at most.
     */
    async sendWebhook(
      id: WebhookEventId,
      maxAttempts: number,
      lane: WebhookLane = 'live',
    ): Promise<'delivered' | 'skipped' | 'settled'> {
      const event = await findSendableEvent(database, id);
      if (event?.status !== 'pending') return 'settled';
      if (event.inFlightForMs !== null && event.inFlightForMs > 0) throw inFlight(event.inFlightForMs);
      if (event.isErased || event.isSuspended || !webhooksAreOn(event) || event.webhookUrl === null) {
        await settleEvent(database, id, 'skipped');
        return 'skipped';
      }
      if (event.waitsForLive) {
        const reason = 'live events of the organization take precedence';
        throw failure('liveEventsFirst', reason, REPLAY_LOOK_INTERVAL_MS);
      }
      if (event.attemptsMade >= maxAttempts) throw exhausted('the last attempt was interrupted');
      await attempt(dependencies, { event, url: event.webhookUrl, maxAttempts, lane });
      return 'delivered';
    },
  };
}

async function attempt(
  { database, outbound, clock }: { database: Database; outbound: OutboundClient; clock: Clock },
  sending: {
    readonly event: SendableEvent;
    readonly url: string;
    readonly maxAttempts: number;
    readonly lane: WebhookLane;
  },
): Promise<void> {
  const { event, url, maxAttempts, lane } = sending;
  const begunAtMs = performance.now();
  const number = event.attemptsMade + 1;
  const key = { eventId: event.id, round: event.round, attempt: number, executionId: randomUUID() };
  const endpoint = { organizationId: event.organizationId, url };
  // Before the attempt is logged: without its key none is made.
  const secrets = secretsOf(database, event);
  const begun = await startAttempt(database, key, endpoint, WEBHOOK_LANES[lane].slotsPerEndpoint);
  if (begun === 'endpoint_busy') {
    const reason =
      'the endpoint does not answer soon, or its slots are in use: the event moves to the slow lane';
    throw failure('endpointBusy', reason, null);
  }
  if (begun === 'in_flight') throw inFlight(WEBHOOK_RETRY.attemptTimeoutMs);
  const now = clock();
  const startedAt = now.getTime();
  const { verdict, statusCode, error } = await inAttemptSpan(event, number, lane, async (traced) =>
    reading(
      await outbound.post(url, {
        body: event.body,
        headers: { ...headersOf(event, secrets, number, now), ...traced },
        timeoutMs: WEBHOOK_RETRY.answerTimeoutMs,
        beforeSend: async () => {
          if (!(await markSent(database, key))) throw inFlight(WEBHOOK_RETRY.attemptTimeoutMs);
        },
      }),
    ),
  );
  const durationMs = clock().getTime() - startedAt;
  const result = { statusCode, durationMs, error };
  observe(
    'webhook_attempt_duration_seconds',
    { lane, attempt: attemptLabel(number), result: verdict },
    durationMs / 1_000,
  );
  const isSettled = await record(database, key, endpoint, result, verdict === 'retry' ? null : verdict);
  if (isSettled && verdict === 'delivered') {
    const seconds = event.ageSeconds + (performance.now() - begunAtMs) / 1_000;
    observe('webhook_lag_seconds', { round: event.round === 0 ? 'first' : 'replay' }, seconds);
  }
  if (verdict === 'rejected') {
    throw ApplicationFailure.nonRetryable(
      `the receiver's response is final: ${error ?? ''}`,
      WEBHOOK_FAILURE.rejected,
    );
  }
  if (verdict === 'retry' && number >= maxAttempts) throw exhausted(error ?? 'no answer');
  // Counted by attempts: tries of the activity that made none must not lengthen the receiver's delay.
  if (verdict === 'retry') throw failure('unavailable', error ?? 'no answer', webhookRetryDelayMs(number));
}

/** The secrets of an event, opened. Throws where the process has not the key of one. */
function secretsOf(
  { sealing }: Database,
  { organizationId, webhookSecret, nextWebhookSecret: next }: SendableEvent,
) {
  const open = (stored: string) => sealing.open(stored, organizationId);
  return { current: open(webhookSecret), next: next === null ? null : open(next) };
}

/** While a secret is replaced, the timestamped signatures are of both, and the other one is of the old secret (decision 0043). */
function headersOf(
  { id, body }: SendableEvent,
  { current, next }: ReturnType<typeof secretsOf>,
  attempt: number,
  now: Date,
) {
  const both = next === null ? [current] : [current, next];
  return {
    'content-type': 'application/json',
    'x-service-signature': webhookSignature(body, current),
    'x-service-timestamped-signature': timestampedSignature(body, both, now),
    'x-service-event-id': id,
    'x-service-attempt': String(attempt),
    'user-agent': 'shipment-delivery-service',
  };
}

/** Makes the request of an attempt in a span, which `post` names in the request's headers. */
function inAttemptSpan(
  event: SendableEvent,
  number: number,
  lane: WebhookLane,
  post: (headers: ReturnType<typeof traceHeaders>) => Promise<ReturnType<typeof reading>>,
): Promise<ReturnType<typeof reading>> {
  const span = startSpan('send', event.trace, {
    'shipments.webhook_event.id': event.id,
    'shipments.webhook.round': event.round,
    'shipments.webhook.attempt': number,
    'shipments.webhook.lane': lane,
    'shipments.organization.id': event.organizationId,
  });
  return inSpan(
    span,
    () => post(traceHeaders(span.context)),
    ({ verdict, statusCode }) => ({
      attributes: {
        'shipments.webhook.result': verdict,
        'http.response.status_code': statusCode ?? undefined,
      },
      error: verdict === 'delivered' ? undefined : String(statusCode ?? 'no answer'),
    }),
  );
}

function attemptLabel(number: number): '1' | '2' | '3 or later' {
  if (number > 2) return '3 or later';
  return number === 1 ? '1' : '2';
}

/** Writes the end of an attempt. A connection to the database that breaks in this moment must not cause a second POST. */
async function record(...attemptEnd: Parameters<typeof finishAttempt>): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await finishAttempt(...attemptEnd);
    } catch (error) {
      if (tries >= RECORD_TRIES || !isDatabaseUnavailable(error)) throw error;
      await delay(RECORD_PAUSE_MS);
    }
  }
}

/** Another execution makes, or made, this attempt. Looks again after the time that it may take, but soon enough. */
function inFlight(durationMs: number): ApplicationFailure {
  const delayMs = Math.min(durationMs, WEBHOOK_RETRY.maximumIntervalMs);
  return failure('inFlight', 'an earlier attempt may still be in progress', delayMs);
}

function exhausted(reason: string): ApplicationFailure {
  return failure('exhausted', `all attempts failed: ${reason}`, null);
}

/** A failure of this try; another one follows after the delay, none without it. No error of the worker: the SDK logs none. */
function failure(
  type: Exclude<keyof typeof WEBHOOK_FAILURE, 'rejected'>,
  message: string,
  retryAfterMs: number | null,
): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type: WEBHOOK_FAILURE[type],
    category: ApplicationFailureCategory.BENIGN,
    ...(retryAfterMs === null ? { nonRetryable: true } : { nextRetryDelay: retryAfterMs }),
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
