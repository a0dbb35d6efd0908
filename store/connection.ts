import pg from 'pg';
import { ConnectionError, DatabaseError, Sequelize, TimeoutError } from 'sequelize';
import { createDatabaseProbe } from './database-probe.ts';
import { statementOf } from './prepared.ts';

/** A transaction on a connection of its own. After its end the connection may be another's. */
interface OpenTransaction {
  readonly connection: pg.Client;
  isOpen: boolean;
}

/** Where a query runs: on the pool, or inside a transaction. */
export interface Executor {
  readonly sequelize: Sequelize;
  readonly transaction: OpenTransaction | null;
}

/** The pool of one process. */
export interface Database extends Executor {
  readonly transaction: null;
  /** The most connections that the pool opens. */
  readonly poolSize: number;
  /** Whether PostgreSQL answers, asked at most once a second and on a connection that is not of the pool. Never rejects. */
  readonly isReachable: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/**
 * How long a statement may run: as long as an activity on the task queue (workflows/activity-options.ts), so that none
 * goes on for long after the activity that sent it was given up.
 */
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * How long a statement waits for a lock: as long as a local activity may take. Locks of a healthy service are held for
 * milliseconds; a holder that hangs must not keep one connection after the other waiting for it. More than the second
 * after which PostgreSQL looks for deadlocks, which are tried again in `inTransaction`.
 */
const LOCK_TIMEOUT_MS = 2_000;
/** An import's transaction waits for the next rows of its file. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;
/** For a server that fell silent without closing its connections, and so ends no statement itself. */
const SILENCE_TIMEOUT_MS = 12_000;
/** How long a query waits for a free connection before it fails as unavailable. */
const ACQUIRE_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** A burst after some quiet must not wait for connections, nor for their statements to be prepared again. */
const IDLE_MS = 300_000;

const TIMEOUTS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  query_timeout: SILENCE_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
} as const;

/**
 * A connection with a listener for errors from its first moment. Sequelize adds one only after the connection is made: a
 * server that ends it in between would end this process.
 */
class PooledClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The query that waits rejects with the error; the pool replaces the connection.
    this.on('error', () => undefined);
  }
}

/**
 * Opens the pool; the first connection is made by the first query, so that a process starts while the
 * database is away. 64-bit integers arrive as numbers: amounts and counters stay far below 2^53.
 */
export function connectDatabase(
  databaseUrl: string,
  options: {
    readonly poolSize: number;
    readonly applicationName: string;
    /** Statements and their waits for locks may take as long as they need: for migrations of large tables. */
    readonly hasNoTimeouts?: boolean;
  },
): Database {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const sequelize = new Sequelize(databaseUrl, {
    dialect: 'postgres',
    dialectModule: { ...pg, Client: PooledClient },
    logging: false,
    pool: { max: options.poolSize, min: 0, acquire: ACQUIRE_TIMEOUT_MS, idle: IDLE_MS },
    dialectOptions: {
      application_name: options.applicationName,
      ...(options.hasNoTimeouts === true ? {} : TIMEOUTS),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    },
  });
  const probe = createDatabaseProbe(databaseUrl, `${options.applicationName}-health`);
  return {
    sequelize,
    transaction: null,
    poolSize: options.poolSize,
    isReachable: probe.isReachable,
    close: async () => {
      await Promise.all([probe.close(), sequelize.close()]);
    },
  };
}

/** Runs a statement that returns rows. `Row` states the shape that the statement itself selects. */
export async function select<Row extends object>(
  executor: Executor,
  sql: string,
  bind: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await run<Row>(executor, sql, bind);
  return rows;
}

/** Runs a statement that returns at most one row. */
export async function selectOne<Row extends object>(
  executor: Executor,
  sql: string,
  bind: readonly unknown[] = [],
): Promise<Row | undefined> {
  const rows = await select<Row>(executor, sql, bind);
  return rows[0];
}

/** Runs a statement for its effect alone; without parameters it may be several statements. */
export async function execute(executor: Executor, sql: string, bind: readonly unknown[] = []): Promise<void> {
  await run(executor, sql, bind);
}

/** Runs a statement on the transaction's connection, or on one of the pool. */
async function run<Row extends object>(
  { sequelize, transaction }: Executor,
  sql: string,
  bind: readonly unknown[],
): Promise<pg.QueryResult<Row>> {
  if (transaction === null) {
    return withConnection(sequelize, (connection) => send<Row>(connection, sql, bind));
  }
  if (!transaction.isOpen) throw new Error('the transaction has ended');
  return send<Row>(transaction.connection, sql, bind);
}

/** Lends a connection of Sequelize's pool for as long as the work takes. */
async function withConnection<Result>(
  { connectionManager }: Sequelize,
  work: (connection: pg.Client) => Promise<Result>,
): Promise<Result> {
  const connection = await connectionManager.getConnection({ type: 'write' });
  try {
    if (!(connection instanceof pg.Client))
      throw new Error('the pool holds something other than connections');
    return await work(connection);
  } finally {
    connectionManager.releaseConnection(connection);
  }
}

/**
 * Sends a statement by the driver itself: Sequelize's own `query` costs three times as much CPU (decision 0008). Throws a
 * DatabaseError for whatever the driver says.
 */
async function send<Row extends object>(
  connection: pg.Client,
  sql: string,
  bind: readonly unknown[],
): Promise<pg.QueryResult<Row>> {
  try {
    return await connection.query<Row>(statementOf(sql, bind));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // A connection that broke, or whose answer is still to come, is of no use to the next who takes it from the pool.
    if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') {
      Reflect.set(connection, '_invalid', true);
    }
    throw new DatabaseError(Object.assign(error, { sql }));
  }
}

/**
 * Runs `work` so that all its reads see one snapshot of the database. Inside a transaction it runs as it is: the caller's
 * locks hold what it reads.
 */
export function inSnapshot<Result>(
  executor: Executor,
  work: (snapshot: Executor) => Promise<Result>,
): Promise<Result> {
  if (executor.transaction !== null) return work(executor);
  return tryTransaction(executor.sequelize, work, 'begin isolation level repeatable read read only');
}

const TRANSIENT_SQLSTATES = new Set(['40001', '40P01']);
const MAXIMUM_TRIES = 3;

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. Deadlocks and
 * serialization failures are tried again, so `work` must do nothing but queries; `maximumTries` 1 is for work that
 * cannot be begun again, and such a failure is then reported as an unavailable database.
 */
export async function inTransaction<Result>(
  database: Executor,
  work: (transaction: Executor) => Promise<Result>,
  { maximumTries = MAXIMUM_TRIES }: { readonly maximumTries?: number } = {},
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryTransaction(database.sequelize, work);
    } catch (error) {
      if (tries >= maximumTries || !TRANSIENT_SQLSTATES.has(sqlStateOf(error) ?? '')) throw error;
    }
  }
}

function tryTransaction<Result>(
  sequelize: Sequelize,
  work: (transaction: Executor) => Promise<Result>,
  begin = 'begin',
): Promise<Result> {
  return withConnection(sequelize, async (connection) => {
    const transaction: OpenTransaction = { connection, isOpen: true };
    try {
      await send(connection, begin, []);
      const result = await work({ sequelize, transaction });
      await send(connection, 'commit', []);
      return result;
    } catch (error) {
      // Where this fails too the connection is broken, and PostgreSQL rolls back by itself.
      await send(connection, 'rollback', []).catch(() => undefined);
      throw error;
    } finally {
      transaction.isOpen = false;
    }
  });
}

/** The code of a failed statement, Postgres's SQLSTATE or the socket's; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError)) return undefined;
  const { parent } = error;
  return 'code' in parent && typeof parent.code === 'string' ? parent.code : undefined;
}

/** The name of the unique index that a write ran into; undefined for any other error. */
export function violatedUniqueIndex(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) && !(error instanceof Error && 'parent' in error)) return undefined;
  const parent: unknown = error.parent;
  if (typeof parent !== 'object' || parent === null) return undefined;
  if (!('code' in parent) || parent.code !== '23505' || !('constraint' in parent)) return undefined;
  return typeof parent.constraint === 'string' ? parent.constraint : undefined;
}

/** Codes that say «not now»: connections, shutdown, too many clients, timeouts, locks, read-only, deadlocks, sockets. */
const UNAVAILABLE_CODES =
  /^(08...|57P0[1-5]|57014|55P03|53[1-4]00|25006|25P03|58...|40001|40P01|E(PIPE|CONN\w+|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/;
const UNAVAILABLE_MESSAGES =
  /Connection terminated|Client has encountered a connection error|ECONNREFUSED|ECONNRESET|ETIMEDOUT|timeout exceeded|closed the connection|server closed|Query read timeout/i;

/** Whether an error says that the database is away rather than that a statement is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  const state = sqlStateOf(error);
  if (state !== undefined) return UNAVAILABLE_CODES.test(state);
  return error instanceof Error && UNAVAILABLE_MESSAGES.test(error.message);
}
