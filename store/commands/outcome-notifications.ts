import type { CommandOutcome } from '../../domain/command.ts';
import type { CommandId } from '../../domain/ids.ts';
import type { Database } from '../connection.ts';
import { execute } from '../connection.ts';

/** The channel on which the API processes hear of decided commands: `<id> <outcome>`, separated by commas. */
export const COMMAND_DECIDED_CHANNEL = 'command_decided';

/** One outcome to be published. */
interface PublishedOutcome {
  readonly id: CommandId;
  readonly outcome: CommandOutcome;
}

/** Below PostgreSQL's limit of 8,000 bytes for a payload. */
const MAX_OUTCOMES_PER_NOTIFICATION = 150;
/** What waits beyond this while the database does not answer is dropped: the API's own poll finds it. */
const MAX_WAITING_OUTCOMES = 10_000;

/**
 * Publishes outcomes after their commit. A NOTIFY inside a transaction makes its commit take a lock that the whole
 * PostgreSQL cluster shares, so it has a statement of its own, and the outcomes that arrive while one is under way share
 * the next one. A notification may be lost with the process or the connection: the API polls for what it waits for.
 */
export function outcomePublisher(database: Database): (outcome: PublishedOutcome) => void {
  const waiting: PublishedOutcome[] = [];
  let isSending = false;
  const sendAll = async (): Promise<void> => {
    isSending = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_OUTCOMES_PER_NOTIFICATION);
      const payload = batch.map(({ id, outcome }) => `${id} ${outcome}`).join(',');
      await execute(database, 'select pg_notify($1, $2)', [COMMAND_DECIDED_CHANNEL, payload]).catch(
        () => undefined,
      );
    }
    isSending = false;
  };
  return (outcome) => {
    if (waiting.length < MAX_WAITING_OUTCOMES) waiting.push(outcome);
    if (!isSending) void sendAll();
  };
}

/** Reads a notification's payload. */
export function parseOutcomes(payload: string): { readonly id: string; readonly outcome: string }[] {
  return payload.split(',').flatMap((part) => {
    const [id, outcome] = part.split(' ');
    return id === undefined || outcome === undefined ? [] : [{ id, outcome }];
  });
}
