// `npm run migrate`: brings the database of DATABASE_URL (or DATABASE_URL_FILE) to the newest migration.
import { loadDatabaseUrl } from '../platform/config.ts';
import { ConfigError } from '../platform/setting-reader.ts';
import { migrate } from '../store/migrate.ts';

try {
  const applied = await migrate(loadDatabaseUrl(process.env));
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
} catch (error) {
  console.error(
    error instanceof ConfigError ? error.message : `No migration was applied: ${reasonOf(error)}`,
  );
  process.exitCode = 1;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
