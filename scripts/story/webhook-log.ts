import type { Journey } from './closing.ts';
import type { Stage, Traveller } from './journey.ts';
import type { Mailbox } from './mailbox.ts';
import type { Terminal } from './terminal.ts';

/** The service's own log of its notifications, compared with what our endpoint saw. */
export function tellWebhookLog(
  { checks }: Stage,
  _terminal: Terminal,
  _mailbox: Mailbox,
  _journeys: readonly Journey[],
  _lost: Traveller,
): Promise<void> {
  checks.notSeen('the webhook log');
  return Promise.resolve();
}
