import type { CommandOutcome } from '../../domain/command.ts';
import { isOneOf } from '../../domain/enumerations.ts';
import type { Database } from '../../store/connection.ts';
import { decidedAmong } from '../../store/commands/commands.ts';
import { COMMAND_DECIDED_CHANNEL, parseOutcomes } from '../../store/commands/outcome-notifications.ts';
import type { Notifications } from '../../store/notifications.ts';

/** What a waiting caller gets: the outcome, or that it did not come in time. */
export type Outcome = CommandOutcome | 'timed_out';

/** Notifies callers of the outcomes of commands. */
export interface CommandOutcomes {
  /**
   * Waits until a command has an outcome, at most `waitMs`. The wait begins with the call, so call it before the command is
   * signalled. Resolves to the outcome, or to `timed_out`; never rejects.
   */
  readonly waitForOutcome: (commandId: string, waitMs: number) => Promise<Outcome>;
  readonly close: () => void;
}

const OUTCOMES = ['applied', 'rejected', 'failed'] as const satisfies readonly CommandOutcome[];
const POLL_EVERY_MS = 400;

/**
 * Listens for decided commands, and asks the database for all waiting ones together now and then: a notification may be lost
 * while the connection is down.
 */
export function listenForOutcomes(notifications: Notifications, database: Database): CommandOutcomes {
  // Several callers may wait for one command: a repeat comes while the first caller still waits.
  const waiting = new Map<string, Set<(outcome: Outcome) => void>>();
  const wake = (commandId: string, status: string) => {
    if (isOneOf(OUTCOMES, status)) waiting.get(commandId)?.forEach((finish) => finish(status));
  };
  notifications.subscribe(COMMAND_DECIDED_CHANNEL, (payload) => {
    for (const { id, outcome } of parseOutcomes(payload)) wake(id, outcome);
  });
  const poll = setInterval(() => {
    if (waiting.size === 0) return;
    decidedAmong(database, [...waiting.keys()]).then(
      (decided) => {
        for (const { id, status } of decided) wake(id, status);
      },
      () => undefined,
    );
  }, POLL_EVERY_MS);
  return {
    waitForOutcome: (commandId, waitMs) =>
      new Promise((resolve) => {
        const finish = (outcome: Outcome) => {
          clearTimeout(timer);
          callers.delete(finish);
          if (callers.size === 0) waiting.delete(commandId);
          resolve(outcome);
        };
        const timer = setTimeout(() => finish('timed_out'), waitMs);
        const callers = waiting.get(commandId) ?? new Set();
        waiting.set(commandId, callers.add(finish));
      }),
    close: () => clearInterval(poll),
  };
}
