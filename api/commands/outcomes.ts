import pg from 'pg';
import type { CommandOutcome } from '../../domain/command.ts';
import { isOneOf } from '../../domain/enumerations.ts';
import type { Logger } from '../../platform/log.ts';
import type { Database } from '../../store/connection.ts';
import { decidedAmong } from '../../store/commands/commands.ts';
import { COMMAND_DECIDED_CHANNEL, parseOutcomes } from '../../store/commands/outcome-notifications.ts';

/** What a waiting caller gets: the outcome, or that it did not come in time. */
export type Outcome = CommandOutcome | 'timed_out';

/** Notifies callers of the outcomes of commands. */
export interface CommandOutcomes {
  /**
   * Waits until a command has an outcome, at most `waitMs`. The wait begins with the call, so call it before the command is
   * signalled. Resolves to the outcome, or to `timed_out`; never rejects.
   */
  readonly waitForOutcome: (commandId: string, waitMs: number) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

const OUTCOMES = ['applied', 'rejected', 'failed'] as const satisfies readonly CommandOutcome[];
const POLL_EVERY_MS = 400;
const RECONNECT_EVERY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 3_000;

/** A connection that listens for decided commands, and is made again whenever it is lost. */
interface OutcomeListener {
  readonly close: () => Promise<void>;
}

/**
 * Listens on one connection of its own for decided commands, and asks the database for all waiting ones together
 * now and then: a notification may be lost while the connection is down.
 */
export function listenForOutcomes(databaseUrl: string, database: Database, log: Logger): CommandOutcomes {
  // Several callers may wait for one command: a repeat comes while the first caller still waits.
  const waiting = new Map<string, Set<(outcome: Outcome) => void>>();
  const wake = (commandId: string, status: string) => {
    if (isOneOf(OUTCOMES, status)) waiting.get(commandId)?.forEach((finish) => finish(status));
  };
  const listener = keepListening(databaseUrl, wake, log);
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
    close: async () => {
      clearInterval(poll);
      await listener.close();
    },
  };
}

/** Passes the outcomes on that PostgreSQL notifies of, until `close`. */
function keepListening(
  databaseUrl: string,
  onOutcome: (commandId: string, status: string) => void,
  log: Logger,
): OutcomeListener {
  let client: pg.Client | undefined;
  let isClosed = false;
  let isConnecting = false;

  const connect = async (): Promise<void> => {
    const fresh = newClient(databaseUrl);
    isConnecting = true;
    const lose = () => {
      if (client === fresh) client = undefined;
      fresh.removeAllListeners();
      // A late error of an abandoned connection must not end the process.
      fresh.on('error', () => undefined);
      void fresh.end().catch(() => undefined);
    };
    fresh.on('error', lose);
    fresh.on('end', lose);
    fresh.on('notification', ({ payload }) => {
      for (const { id, outcome } of parseOutcomes(payload ?? '')) onOutcome(id, outcome);
    });
    try {
      await fresh.connect();
      await fresh.query(`listen ${COMMAND_DECIDED_CHANNEL}`);
      if (isClosed) lose();
      else client = fresh;
    } catch (error) {
      lose();
      const reason = error instanceof Error ? error.message : 'unknown';
      log.debug({ reason }, 'LISTEN connection failed, retrying');
    } finally {
      isConnecting = false;
    }
  };
  const keepConnected = setInterval(() => {
    if (client === undefined && !isConnecting && !isClosed) void connect();
  }, RECONNECT_EVERY_MS);
  void connect();
  return {
    close: async () => {
      isClosed = true;
      clearInterval(keepConnected);
      await client?.end().catch(() => undefined);
    },
  };
}

function newClient(databaseUrl: string): pg.Client {
  return new pg.Client({
    connectionString: databaseUrl,
    application_name: 'shipment-api-listen',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
}
