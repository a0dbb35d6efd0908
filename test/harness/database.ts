import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import pg from 'pg';
import { testEngines } from './engines.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const TEMPLATE_LOCK = 415_920_733;

/** A database of a test file's own, cloned from a migrated template. */
export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** Makes a fresh, migrated database. The template is made once for each state of the migrations. */
export async function makeTestDatabase(): Promise<TestDatabase> {
  const { postgresAdminUrl } = testEngines();
  const template = `template_${migrationsHash()}`;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(postgresAdminUrl, async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) {
      const building = `${template}_building`;
      await admin.query(`drop database if exists ${building}`);
      await admin.query(`create database ${building}`);
      // Loaded by the one process that needs it.
      const { migrate } = await import('../../store/migrate.ts');
      await migrate(urlOf(postgresAdminUrl, building));
      await admin.query(`alter database ${building} rename to ${template}`);
    }
    await admin.query(`create database ${name} template ${template}`);
    await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  });
  return {
    url: urlOf(postgresAdminUrl, name),
    drop: () =>
      asAdmin(postgresAdminUrl, async (admin) => {
        await admin.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

async function asAdmin(url: string, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(MIGRATIONS).sort())
    hash.update(name).update(readFileSync(join(MIGRATIONS, name)));
  return hash.digest('hex').slice(0, 16);
}
