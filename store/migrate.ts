import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { Umzug } from 'umzug';
import { connectDatabase, execute, inTransaction, select } from './connection.ts';
import type { Executor } from './connection.ts';

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../migrations', import.meta.url));
const FIRST_MIGRATION = '0001-accounts.sql';
/** Any constant will do, as long as every process takes the same. */
const MIGRATION_LOCK = 727_401_122;
const LOCK_TIMEOUT = '5s';

/** Thrown for a database of a version whose migrations were replaced before the first release. */
export class DatabaseTooOld extends Error {
  constructor() {
    super(
      'This database was created before the first release and cannot be migrated. On a laptop, `npm run reset` deletes it with its data; then run `npm start` again.',
    );
    this.name = 'DatabaseTooOld';
  }
}

/**
 * Brings the database to the newest migration: numbered plain SQL, forward only, all pending ones in
 * one transaction under an advisory lock, so that several processes may start concurrently. Resolves to
 * the names applied. Throws when a file fails, when a table that it changes stays in use for five seconds, or
 * DatabaseTooOld; nothing of that call is kept then.
 */
export async function migrate(databaseUrl: string, folder = MIGRATIONS_FOLDER): Promise<readonly string[]> {
  const database = connectDatabase(databaseUrl, {
    poolSize: 1,
    applicationName: 'migrate',
    hasNoTimeouts: true,
  });
  try {
    return await inTransaction(database, async (transaction) => {
      await execute(transaction, 'select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      // A migration that waits for a table in use makes every later statement on that table wait behind it.
      await execute(transaction, `set local lock_timeout = '${LOCK_TIMEOUT}'`);
      await execute(
        transaction,
        'create table if not exists migrations (name text primary key, applied_at timestamptz not null default clock_timestamp())',
      );
      await rejectTooOld(transaction);
      const applied = await migrations(transaction, folder).up();
      return applied.map(({ name }) => name);
    });
  } finally {
    await database.close();
  }
}

/** A migrated database has the first migration. A newer version's further ones are not an error: it may be rolled back. */
async function rejectTooOld(executor: Executor): Promise<void> {
  const [row] = await select<{ isTooOld: boolean }>(
    executor,
    `select count(*) > 0 and count(*) filter (where name = $1) = 0 as "isTooOld" from migrations`,
    [FIRST_MIGRATION],
  );
  if (row?.isTooOld === true) throw new DatabaseTooOld();
}

/** Names of migrations that the code has and the database has not; empty when the database is current. */
export async function pendingMigrations(
  database: Executor,
  folder = MIGRATIONS_FOLDER,
): Promise<readonly string[]> {
  const pending = await migrations(database, folder).pending();
  return pending.map(({ name }) => name);
}

function migrations(executor: Executor, folder: string): Umzug<Executor> {
  return new Umzug<Executor>({
    migrations: async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
      return names.map((name) => ({
        name,
        up: async () => execute(executor, await readFile(join(folder, name), 'utf8')),
      }));
    },
    context: executor,
    storage: {
      logMigration: ({ name }) => execute(executor, 'insert into migrations (name) values ($1)', [name]),
      unlogMigration: () => Promise.reject(new Error('migrations only go forward')),
      executed: async () => {
        const rows = await select<{ name: string }>(executor, 'select name from migrations order by name');
        return rows.map(({ name }) => name);
      },
    },
    logger: undefined,
  });
}
