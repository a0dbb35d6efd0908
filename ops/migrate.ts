import { loadDatabaseUrl } from '../platform/config.ts';
import { migrate } from '../store/migrate.ts';
import type { Command } from './command-line.ts';

/** Brings the database of DATABASE_URL (or DATABASE_URL_FILE) to the newest migration. */
export const command: Command = {
  failure: 'No migration was applied',
  run: async ({ environment, print }) => {
    const applied = await migrate(loadDatabaseUrl(environment));
    print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
    return 0;
  },
};
