import pg from 'pg';

/** Checks whether PostgreSQL answers. */
interface DatabaseProbe {
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
  const connection = new pg.Pool({
    connectionString: databaseUrl,
    application_name: applicationName,
    max: 1,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    idleTimeoutMillis: 0,
    keepAlive: true,
  });
  // A connection that was lost between two questions is opened again by the next one.
  connection.on('error', () => undefined);
  let asking: Promise<boolean> | undefined;
  let answer = { isReachable: false, validUntilMs: -Infinity };

  const ask = async (): Promise<boolean> => {
    const isReachable = await connection.query('select 1').then(
      () => true,
      () => false,
    );
    answer = { isReachable, validUntilMs: performance.now() + VALID_MS };
    asking = undefined;
    return isReachable;
  };
  return {
    isReachable: async () => {
      if (performance.now() < answer.validUntilMs) return answer.isReachable;
      asking ??= ask();
      return asking;
    },
    close: async () => {
      await asking;
      await connection.end();
    },
  };
}
