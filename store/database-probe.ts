import pg from 'pg';

/** Checks whether PostgreSQL answers. */
export interface DatabaseProbe {
  /** Whether it answered a moment ago. Never rejects; resolves within a few seconds. */
  readonly isReachable: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const TIMEOUT_MS = 2_000;
/** An answer counts for this long, so that many probes cost one query a second. */
const VALID_MS = 1_000;

/**
 * Asks PostgreSQL on one connection of its own, which the first question opens: a pool whose connections are all in use
 * looks like a lost server from within, and is not one.
 */
export function createDatabaseProbe(databaseUrl: string, applicationName: string): DatabaseProbe {
  let client: pg.Client | undefined;
  let asking: Promise<boolean> | undefined;
  let answer = { isReachable: false, validUntilMs: -Infinity };

  const disconnect = (): void => {
    const lost = client;
    client = undefined;
    void lost?.end().catch(() => undefined);
  };
  const connect = async (): Promise<pg.Client> => {
    const fresh = new pg.Client({
      connectionString: databaseUrl,
      application_name: applicationName,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    // A connection that was lost between two questions is opened again by the next one.
    fresh.on('error', () => {
      if (client === fresh) disconnect();
    });
    await fresh.connect();
    return fresh;
  };
  const ask = async (): Promise<boolean> => {
    try {
      client ??= await connect();
      await client.query('select 1');
      return true;
    } catch {
      disconnect();
      return false;
    }
  };
  return {
    isReachable: async () => {
      if (performance.now() < answer.validUntilMs) return answer.isReachable;
      asking ??= ask().then((isReachable) => {
        answer = { isReachable, validUntilMs: performance.now() + VALID_MS };
        asking = undefined;
        return isReachable;
      });
      return asking;
    },
    close: async () => {
      await asking;
      disconnect();
    },
  };
}
