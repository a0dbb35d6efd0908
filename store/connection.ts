import pg from 'pg';
import type { TransactionOptions } from 'sequelize';
import {
  ConnectionError,
  DatabaseError,
  QueryTypes,
  Sequelize,
  Transaction,
  UniqueConstraintError,
} from 'sequelize';
import { provide } from '../platform/metrics/metrics.ts';
import type { Sealing } from '../platform/sealing.ts';
import { createSealing } from '../platform/sealing.ts';
import { createDatabaseProbe } from './database-probe.ts';
import type { Models } from './models/models.ts';
import { defineModels } from './models/models.ts';
import { MODEL_OPTIONS } from './models/tenant-model.ts';
import { PooledClient } from './pooled-client.ts';
import { readTimestamp } from './timestamps.ts';

/** Where a query runs: on the pool, or inside a transaction. */
export interface Executor {
  readonly sequelize: Sequelize;
  readonly models: Models;
  readonly transaction: Transaction | null;
  /** Seals what is stored of secrets, and opens it (decision 0043). */
  readonly sealing: Sealing;
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
    /** Without it secrets are stored as they are. */
    readonly sealing?: Sealing;
  },
): Database {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readTimestamp);
  const sequelize = new Sequelize(databaseUrl, {
    dialect: 'postgres',
    dialectModule: { ...pg, Client: PooledClient },
    logging: false,
    define: MODEL_OPTIONS,
    pool: { max: options.poolSize, min: 0, acquire: ACQUIRE_TIMEOUT_MS, idle: IDLE_MS },
    dialectOptions: {
      application_name: options.applicationName,
      ...(options.hasNoTimeouts === true ? {} : TIMEOUTS),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    },
  });
  providePool(sequelize, options.poolSize);
  const probe = createDatabaseProbe(databaseUrl, `${options.applicationName}-health`);
  return {
    sequelize,
    models: defineModels(sequelize),
    transaction: null,
    sealing: options.sealing ?? createSealing([]),
    poolSize: options.poolSize,
    isReachable: probe.isReachable,
    close: async () => {
      await Promise.all([probe.close(), sequelize.close()]);
    },
  };
}

/** Makes the use of the pool readable. Sequelize's declarations leave its pool out. */
function providePool({ connectionManager }: Sequelize, poolSize: number): void {
  const pool: unknown = Reflect.get(connectionManager, 'pool');
  const countOf = (name: 'using' | 'available' | 'waiting'): number =>
    typeof pool === 'object' && pool !== null ? Number(Reflect.get(pool, name)) : NaN;
  provide('database_connections', { state: 'used' }, () => countOf('using'));
  provide('database_connections', { state: 'idle' }, () => countOf('available'));
  provide('database_connection_waiters', {}, () => countOf('waiting'));
  provide('database_connections_limit', {}, () => poolSize);
}

/** Runs a statement that returns rows. `Row` states the shape that the statement itself selects. */
export function select<Row extends object>(
  { sequelize, transaction }: Executor,
  sql: string,
  bind: readonly unknown[] = [],
): Promise<Row[]> {
  // Sequelize takes an undefined value for a missing one. Without values it sends several statements at a time.
  const values = bind.length === 0 ? {} : { bind: bind.map((value) => value ?? null) };
  return withoutValues(sequelize.query<Row>(sql, { ...values, type: QueryTypes.SELECT, transaction }));
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
  await select(executor, sql, bind);
}

/**
 * Resolves as the call does. Sequelize puts a statement's values into its errors, where they could reach a log: a failed
 * statement throws a DatabaseError without them.
 */
export async function withoutValues<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof DatabaseError || error instanceof UniqueConstraintError)) throw error;
    const { parent, sql, stack = '' } = error;
    throw new DatabaseError(Object.assign(parent, { sql, parameters: [] }), { stack });
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
  return tryTransaction(executor, work, { isolationLevel: Transaction.ISOLATION_LEVELS.REPEATABLE_READ });
}

const TRANSIENT_SQLSTATES = new Set(['40001', '40P01']);
const UNIQUE_VIOLATION = '23505';
const MAXIMUM_TRIES = 3;

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. Deadlocks and
 * serialization failures are tried again, so `work` must do nothing but queries; `maximumTries` 1 is for work that
 * cannot be begun again, and such a failure is then reported as an unavailable database. Inside a transaction it is a part of that one.
 */
export async function inTransaction<Result>(
  database: Executor,
  work: (transaction: Executor) => Promise<Result>,
  { maximumTries = MAXIMUM_TRIES }: { readonly maximumTries?: number } = {},
): Promise<Result> {
  if (database.transaction !== null) return work(database);
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryTransaction(database, work);
    } catch (error) {
      if (tries >= maximumTries || !TRANSIENT_SQLSTATES.has(sqlStateOf(error) ?? '')) throw error;
    }
  }
}

function tryTransaction<Result>(
  { sequelize, models, sealing }: Executor,
  work: (transaction: Executor) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  return withoutValues(
    sequelize.transaction(options, (transaction) => work({ sequelize, models, sealing, transaction })),
  );
}

/** The code of a failed statement, Postgres's SQLSTATE or the socket's; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError)) return undefined;
  const { parent } = error;
  return 'code' in parent && typeof parent.code === 'string' ? parent.code : undefined;
}

/** The name of the unique index that a write ran into; undefined for any other error. */
export function violatedUniqueIndex(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || sqlStateOf(error) !== UNIQUE_VIOLATION) return undefined;
  const { parent } = error;
  return 'constraint' in parent && typeof parent.constraint === 'string' ? parent.constraint : undefined;
}

/** Codes that say «not now»: connections, shutdown, too many clients, timeouts, locks, read-only, deadlocks, sockets. */
const UNAVAILABLE_CODES =
  /^(08...|57P0[1-5]|57014|55P03|53[1-4]00|25006|25P03|58...|40001|40P01|E(PIPE|CONN\w+|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/;
const UNAVAILABLE_MESSAGES =
  /Connection terminated|Client was closed|Client has encountered a connection error|ECONNREFUSED|ECONNRESET|ETIMEDOUT|timeout exceeded|closed the connection|server closed|Query read timeout/i;

/** Whether an error says that the database is away rather than that a statement is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  const state = sqlStateOf(error);
  if (state !== undefined) return UNAVAILABLE_CODES.test(state);
  return error instanceof Error && UNAVAILABLE_MESSAGES.test(error.message);
}
