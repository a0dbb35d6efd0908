import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { preparedName } from './prepared.ts';

type Callback = (error: Error, result: pg.QueryResult) => void;

/** What Sequelize uses of a client, with the forms in which it calls `query`. */
interface QueryingClient extends EventEmitter {
  query(statement: string | pg.QueryConfig, values?: unknown[] | Callback, callback?: Callback): unknown;
  end(): Promise<void>;
}

const DriverClient: new (config?: pg.ClientConfig) => QueryingClient = pg.Client;

/** The driver's client for Sequelize's pool (`dialectModule`): it adds what Sequelize has no option for (decision 0020). */
export class PooledClient extends DriverClient {
  constructor(config?: pg.ClientConfig) {
    super(config);
    // Sequelize listens only after the connection is made: a server that ends it in between would end this process.
    // The query that waits rejects with the error; the pool replaces the connection.
    this.on('error', () => undefined);
  }

  /** Sends a statement, under its name where it is marked for preparation. */
  override query(sql: string, values?: unknown[] | Callback, callback?: Callback): unknown {
    const answer = typeof values === 'function' ? values : callback;
    if (answer === undefined) return super.query(sql, values);
    const name = preparedName(sql);
    const statement = {
      text: sql,
      ...(Array.isArray(values) ? { values } : {}),
      ...(name === undefined ? {} : { name }),
    };
    return super.query(statement, (error, result) => {
      // After a FATAL error the server closes the connection; the pool does not lend a client that has ended.
      if (error instanceof pg.DatabaseError && error.severity === 'FATAL') void this.end();
      answer(error, result);
    });
  }
}
