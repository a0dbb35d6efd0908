import type { Plan } from './enumerations.ts';
import type { Said } from './messages.ts';
import { say } from './messages.ts';
import type { Problem } from './problem.ts';
import { conflict, stated } from './problem.ts';

/** Whether a plan includes webhooks (contract «Rules»). */
export const PLAN_HAS_WEBHOOKS = {
  decouverte: false,
  pro: true,
  business: true,
  entreprise: true,
} as const satisfies Record<Plan, boolean>;

/** `whsec_` and 40 hex characters (contract «Organization (webhook-related fields)»). */
export const WEBHOOK_SECRET_PATTERN = '^whsec_[0-9a-f]{40}$';
export const WEBHOOK_SECRET_BYTES = 20;

/** Writes 20 random bytes as a webhook secret. */
export function webhookSecret(randomHex: string): string {
  return `whsec_${randomHex}`;
}

/** What the three delivery conditions look at. */
export interface WebhookSettings {
  readonly plan: Plan;
  readonly webhookUrl: string | null;
  readonly isWebhookEnabled: boolean;
}

/**
 * The three delivery conditions (contract «Delivery conditions»): the plan includes webhooks,
 * an HTTPS URL is set, and notifications are on. All must hold.
 */
export function webhooksAreOn(settings: WebhookSettings): boolean {
  return obstacleToWebhooks(settings) === undefined;
}

/** Where the settings of webhooks are, as messages say it. */
const ORGANIZATION = '/organizations/{id}';

/** Says which of the delivery conditions does not hold, the first one, and what to do; undefined when all hold. */
export function obstacleToWebhooks(settings: WebhookSettings): Said | undefined {
  const hasUrl = settings.webhookUrl?.startsWith('https://') === true;
  if (hasUrl || !PLAN_HAS_WEBHOOKS[settings.plan]) return whyNoneAreSent(settings);
  return say('webhook_no_address', { path: ORGANIZATION });
}

/** Says why nothing is sent to whatever webhookUrl, and what to do; undefined when a webhookUrl is all that is needed. */
export function whyNoneAreSent({
  plan,
  isWebhookEnabled,
}: Omit<WebhookSettings, 'webhookUrl'>): Said | undefined {
  if (!PLAN_HAS_WEBHOOKS[plan]) return say('webhook_not_in_plan');
  if (isWebhookEnabled) return undefined;
  return say('webhook_disabled', { path: ORGANIZATION });
}

/**
 * The delays before the second, third and fourth request (contract «Retry policy»). With
 * three attempts the last is not used (decision 0004).
 */
export const WEBHOOK_RETRY = {
  defaultMaxAttempts: 3,
  initialIntervalMs: 1_000,
  backoffCoefficient: 2,
  maximumIntervalMs: 4_000,
  answerTimeoutMs: 10_000,
  /** For an attempt as a whole: our own report must come before Temporal gives the activity up. */
  attemptTimeoutMs: 15_000,
} as const;

/** An endpoint to which nothing was delivered for so long is marked as failing. Nothing is switched off (decision 0016). */
export const FAILING_AFTER_SECONDS = 3_600;

/** A replay waits for live events of its organization, but not longer than this, so that a steady flow never stops it. */
export const REPLAY_WAIT_SECONDS = 60;
/** How often a replay that waits looks again. */
export const REPLAY_LOOK_INTERVAL_MS = 2_000;

/** How `sendWebhook` fails, as workflows and ops see it. */
export const WEBHOOK_FAILURE = {
  /** The receiver's answer is final, or its address must not be connected to. */
  rejected: 'WebhookRejected',
  /** The attempts are used up. */
  exhausted: 'WebhookExhausted',
  /** The attempt failed and another one follows. */
  unavailable: 'WebhookUnavailable',
  /** An earlier attempt may still be under way; this try made none. */
  inFlight: 'WebhookInFlight',
  /** The endpoint's slots are taken, or it is slow; this try made no attempt, and the workflow changes the lane. */
  endpointBusy: 'WebhookEndpointBusy',
  /** A replay waits for live events of its organization; this try made no attempt. */
  liveEventsFirst: 'WebhookLiveEventsFirst',
} as const;

/** The delay after the attempt of this number, from 1, before the next one. */
export function webhookRetryDelayMs(attempt: number): number {
  const { initialIntervalMs, backoffCoefficient, maximumIntervalMs } = WEBHOOK_RETRY;
  return Math.min(initialIntervalMs * backoffCoefficient ** (attempt - 1), maximumIntervalMs);
}

/** What becomes of an event: `pending` until settled, then one of the others, which a replay reopens. */
export const WEBHOOK_EVENT_STATUSES = ['pending', 'delivered', 'rejected', 'dead', 'skipped'] as const;
export type WebhookEventStatus = (typeof WEBHOOK_EVENT_STATUSES)[number];

/** An event that has ended, in whatever way, can be sent again. */
export const REPLAYABLE_STATUSES = [
  'delivered',
  'rejected',
  'dead',
  'skipped',
] as const satisfies readonly WebhookEventStatus[];
export type ReplayableStatus = (typeof REPLAYABLE_STATUSES)[number];

/** What failed, and is meant where a replay of many names no status. */
export const FAILED_STATUSES = ['dead', 'rejected'] as const satisfies readonly ReplayableStatus[];
/** Events that one request sends again. */
export const MAXIMUM_REPLAYS = 500;

/** How one attempt ended. */
export type AttemptVerdict = 'delivered' | 'rejected' | 'retry';

/**
 * Reads a receiver's status code (contract «Retry policy», interpretation 41): 2xx is success; 3xx and
 * 4xx are final; after 5xx, and without an HTTP status, the event is sent again.
 */
export function verdictOfStatus(statusCode: number): AttemptVerdict {
  if (statusCode >= 200 && statusCode <= 299) return 'delivered';
  if (statusCode >= 300 && statusCode <= 499) return 'rejected';
  return 'retry';
}

/** Why an event cannot be sent again after the erasure of a person (decision 0045). */
export const ERASED_EVENT: Problem = { kind: 'conflict', ...stated(say('webhook_erased')) };

/** Why an event cannot be sent now, being sent already or by its settings: a conflict, or undefined. */
export function deliveryProblem(
  settings: WebhookSettings,
  status: WebhookEventStatus | null,
): Problem | undefined {
  if (status === 'pending') {
    return conflict(say('webhook_pending'), status);
  }
  const obstacle = obstacleToWebhooks(settings);
  return obstacle === undefined ? undefined : { kind: 'conflict', ...stated(obstacle) };
}
