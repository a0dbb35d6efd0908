import { createHash } from 'node:crypto';
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

/** Thrown for a database whose migrations were replaced, which happens before the first release alone. */
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
        `create table if not exists migrations
         (name text primary key, digest text not null, applied_at timestamptz not null default clock_timestamp())`,
      );
      const files = await readMigrations(folder);
      await rejectTooOld(transaction, files);
      const applied = await migrations(transaction, files).up();
      return applied.map(({ name }) => name);
    });
  } finally {
    await database.close();
  }
}

interface MigrationFile {
  readonly name: string;
  readonly sql: string;
  readonly digest: string;
}

async function readMigrations(folder: string): Promise<readonly MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, digest: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * A migrated database has the first migration, and each one as its file is now. A newer version's further ones are not an
 * error: it may be rolled back.
 */
async function rejectTooOld(executor: Executor, files: readonly MigrationFile[]): Promise<void> {
  // Through JSON, since the table of an older database has no such column.
  const rows = await select<{ name: string; digest: string | null }>(
    executor,
    `select name, to_jsonb(m)->>'digest' as digest from migrations m`,
  );
  const applied = new Map(rows.map(({ name, digest }) => [name, digest]));
  const isChanged = files.some(({ name, digest }) => applied.has(name) && applied.get(name) !== digest);
  if (isChanged || (rows.length > 0 && !applied.has(FIRST_MIGRATION))) throw new DatabaseTooOld();
}

/** Names of migrations that the code has and the database has not; empty when the database is current. */
export async function pendingMigrations(
  database: Executor,
  folder = MIGRATIONS_FOLDER,
): Promise<readonly string[]> {
  const pending = await migrations(database, await readMigrations(folder)).pending();
  return pending.map(({ name }) => name);
}

/** A check whether a database has all migrations, and answers. They only go forward: once it has all of them it is not asked again. */
export function migrationCheck(database: Executor): () => Promise<boolean> {
  let isMigrated = false;
  return async () => {
    isMigrated ||= await pendingMigrations(database).then(
      (pending) => pending.length === 0,
      () => false,
    );
    return isMigrated;
  };
}

function migrations(executor: Executor, files: readonly MigrationFile[]): Umzug<Executor> {
  const digests = new Map(files.map(({ name, digest }) => [name, digest]));
  return new Umzug<Executor>({
    migrations: files.map(({ name, sql }) => ({ name, up: () => execute(executor, sql) })),
    context: executor,
    storage: {
      logMigration: ({ name }) =>
        execute(executor, 'insert into migrations (name, digest) values ($1, $2)', [name, digests.get(name)]),
      unlogMigration: () => Promise.reject(new Error('migrations only go forward')),
      executed: async () => {
        const rows = await select<{ name: string }>(executor, 'select name from migrations order by name');
        return rows.map(({ name }) => name);
      },
    },
    logger: undefined,
  });
}
