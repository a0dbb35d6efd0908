import pg from 'pg';
import type { Logger } from '../platform/log.ts';
import type { Database } from './connection.ts';
import { execute } from './connection.ts';

/** What PostgreSQL notifies a process of, on one connection of its own. */
export interface Notifications {
  /** Calls `onPayload` for each notification of a channel. To be called before the process yields for the first time. */
  readonly subscribe: (channel: string, onPayload: (payload: string) => void) => void;
  readonly close: () => Promise<void>;
}

const RECONNECT_EVERY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * Listens until `close`, on a connection that is made again whenever it is lost. A notification may be lost with it, so whoever
 * subscribes also asks the database now and then.
 */
export function listenForNotifications(databaseUrl: string, log: Logger): Notifications {
  const subscribers = new Map<string, ((payload: string) => void)[]>();
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
    fresh.on('notification', ({ channel, payload }) => {
      for (const onPayload of subscribers.get(channel) ?? []) onPayload(payload ?? '');
    });
    try {
      await fresh.connect();
      for (const channel of subscribers.keys()) await fresh.query(`listen ${channel}`);
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
    subscribe: (channel, onPayload) => {
      subscribers.set(channel, [...(subscribers.get(channel) ?? []), onPayload]);
    },
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

/** The channel on which the API processes hear that something a board shows may have changed; without a payload. */
export const CHANGED_CHANNEL = 'changed';

/**
 * Makes what wakes the readers of changes after a commit. As with outcomes (commands/outcome-notifications.ts) it is a statement of
 * its own, and the calls that come while one is under way share the next one. A notification may be lost: readers also look now and then.
 */
export function changeAnnouncer(database: Database): () => void {
  let isWanted = false;
  let isSending = false;
  const send = async (): Promise<void> => {
    isSending = true;
    while (isWanted) {
      isWanted = false;
      await execute(database, `select pg_notify('${CHANGED_CHANNEL}', '')`).catch(() => undefined);
    }
    isSending = false;
  };
  return () => {
    isWanted = true;
    if (!isSending) void send();
  };
}
