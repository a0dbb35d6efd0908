import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Places } from './places.ts';

/**
 * Runs, as the superuser, the SQL with which the Postgres container begins an empty volume. Statements that end with
 * an empty line are sent one by one, as psql would: CREATE DATABASE must be alone.
 */
export async function makeDatabases(adminUrl: string, sqlFile: string, places: Places): Promise<void> {
  const text = places.onThisMachine(await readFile(sqlFile, 'utf8'));
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const statement of text.split(/;\n\n/)) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Names of the roles that may connect to a database beside superusers and its owner. */
export async function strangersOf(adminUrl: string, database: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select role.rolname as name
         from pg_roles role, pg_database db
        where db.datname = $1 and role.rolcanlogin and not role.rolsuper and role.oid <> db.datdba
          and has_database_privilege(role.oid, db.oid, 'connect')`,
      [database],
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
