import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { WebhookEventId } from '../domain/ids.ts';
import { database, DATABASE_OPTIONS, webhookSender } from './activity-options.ts';

/** The failure type of an answer that ends the sending at once: the activity has already settled the event. */
export const WEBHOOK_REJECTED = 'WebhookRejected';

/**
 * Sends a shipment's webhook events beside the loop, so that a slow receiver never holds up the next command
 * (contract «Retry policy»). When the attempts are used up a second activity puts the event on the
 * dead-letter queue.
 */
export class WebhookDesk {
  readonly #settings: {
    readonly organizationId: string;
    readonly maxAttempts: number;
    readonly taskQueue: string;
  };
  readonly #onSettled: () => void;
  readonly #taken = new Set<WebhookEventId>();
  #inFlight = 0;
  #deadLetters = 0;

  /** `onSettled` hears of each event that is no longer in flight. */
  constructor(
    settings: { organizationId: string; maxAttempts: number; taskQueue: string },
    onSettled: () => void,
  ) {
    this.#settings = settings;
    this.#onSettled = onSettled;
  }

  /** Events whose outcome is still open. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Events of this run that nobody took. */
  get deadLetters(): number {
    return this.#deadLetters;
  }

  /** Starts the sending of each event that this run has not taken yet; `cause` tells ops which change it reports. */
  send(eventIds: readonly WebhookEventId[], cause: string): void {
    for (const eventId of eventIds) {
      if (this.#taken.has(eventId)) continue;
      this.#taken.add(eventId);
      this.#inFlight += 1;
      void this.#deliver(eventId, cause).finally(() => {
        this.#inFlight -= 1;
        this.#onSettled();
      });
    }
  }

  async #deliver(eventId: WebhookEventId, cause: string): Promise<void> {
    const isDead = await deliverOrBury(eventId, cause, this.#settings);
    if (isDead) this.#deadLetters += 1;
  }
}

/** Sends one event under the retry policy; resolves to whether it ended on the dead-letter queue. */
export async function deliverOrBury(
  eventId: WebhookEventId,
  cause: string,
  settings: { readonly organizationId: string; readonly maxAttempts: number; readonly taskQueue: string },
): Promise<boolean> {
  try {
    await webhookSender(settings, cause).sendWebhook(eventId, settings.maxAttempts);
    return false;
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    if (error.cause instanceof ApplicationFailure && error.cause.type === WEBHOOK_REJECTED) return false;
    await database.buryWebhook.executeWithOptions(
      { ...DATABASE_OPTIONS, summary: `attempts used up: dead letter, ${cause}` },
      [eventId],
    );
    return true;
  }
}
