import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { WebhookEventId } from '../domain/ids.ts';
import { WEBHOOK_FAILURE } from '../domain/webhook.ts';
import type { WebhookLane } from '../domain/webhook-lanes.ts';
import { databaseActivities, webhookSender } from './activity-options.ts';

/** What the sending of an event needs. */
export interface SendingSettings {
  readonly organizationId: string;
  readonly maxAttempts: number;
  readonly lane: WebhookLane;
}

/** How the sending goes: events in flight, and the shipment's dead letters where one was just added. */
export interface WebhookProgress {
  readonly inFlight: number;
  readonly deadLetters: number | null;
}

/**
 * Sends a shipment's webhook events in parallel with the loop, so that a slow receiver never holds up the next command
 * (contract «Retry policy»). When the attempts are used up a second activity puts the event on the dead-letter queue.
 */
export class WebhookDispatcher {
  readonly #settings: SendingSettings;
  readonly #onProgress: (progress: WebhookProgress) => void;
  readonly #dispatched = new Set<WebhookEventId>();
  #inFlight = 0;

  /** `onProgress` is called whenever an event starts or ends its flight. */
  constructor(settings: SendingSettings, onProgress: (progress: WebhookProgress) => void) {
    this.#settings = settings;
    this.#onProgress = onProgress;
  }

  /** Events whose outcome is still open. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Starts to send each event that this run has not sent yet; `cause` is the change that it reports, for ops. */
  send(eventIds: readonly WebhookEventId[], cause: string): void {
    for (const eventId of eventIds) {
      if (this.#dispatched.has(eventId)) continue;
      this.#dispatched.add(eventId);
      this.#inFlight += 1;
      this.#onProgress({ inFlight: this.#inFlight, deadLetters: null });
      void this.#deliver(eventId, cause);
    }
  }

  async #deliver(eventId: WebhookEventId, cause: string): Promise<void> {
    const deadLetters = await deliverOrDeadLetter(eventId, cause, this.#settings);
    this.#inFlight -= 1;
    this.#onProgress({ inFlight: this.#inFlight, deadLetters });
  }
}

/**
 * Sends one event under the retry policy. Resolves to null when it is settled, or to the number of the shipment's dead
 * letters when it became one.
 */
export async function deliverOrDeadLetter(
  eventId: WebhookEventId,
  cause: string,
  settings: SendingSettings,
): Promise<number | null> {
  try {
    await sendOrChangeLane(eventId, cause, settings);
    return null;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    // The answer was final: the activity has already settled the event.
    if (failureType(error) === WEBHOOK_FAILURE.rejected) return null;
    return databaseActivities(`retries exhausted → dead letter (${cause})`).deadLetterWebhook(eventId);
  }
}

/** An event whose endpoint is busy goes on in the slow lane; its attempts are counted on (decision 0016). */
async function sendOrChangeLane(
  eventId: WebhookEventId,
  cause: string,
  settings: SendingSettings,
): Promise<void> {
  const { lane, maxAttempts } = settings;
  try {
    await webhookSender(settings, cause).sendWebhook(eventId, maxAttempts, lane);
  } catch (error) {
    if (failureType(error) !== WEBHOOK_FAILURE.endpointBusy) throw error;
    const slow = webhookSender({ ...settings, lane: 'slow' }, `${cause} (slow lane)`);
    await slow.sendWebhook(eventId, maxAttempts, 'slow');
  }
}

function failureType(error: unknown): string | null | undefined {
  if (!(error instanceof ActivityFailure) || !(error.cause instanceof ApplicationFailure)) return undefined;
  return error.cause.type;
}
