import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { loadDatabaseUrl } from '../../platform/config.ts';
import { ConfigError } from '../../platform/setting-reader.ts';
import type { Database } from '../../store/connection.ts';
import { connectDatabase, isDatabaseUnavailable } from '../../store/connection.ts';
import { UsageError } from './usage-error.ts';

/** Where a command is run: its arguments, settings, and where it says what. */
export interface CommandLine {
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly projectFolder: string;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

/**
 * Runs a command of one database and resolves to its exit code: 0, or 1 after a message that says what to do. `read`
 * takes the arguments apart before anything is opened.
 */
export async function runCommand<Request>(
  line: CommandLine,
  read: (argv: readonly string[]) => Request,
  work: (database: Database, request: Request) => Promise<readonly string[]>,
): Promise<number> {
  try {
    const request = read(line.arguments);
    const url = await findDatabaseUrl(line.environment, line.projectFolder);
    const database = connectDatabase(url, { poolSize: 1, applicationName: 'organization-command' });
    try {
      for (const text of await work(database, request)) line.print(text);
      return 0;
    } finally {
      await database.close();
    }
  } catch (error) {
    line.printError(messageOf(error));
    return 1;
  }
}

/** The database of DATABASE_URL (or DATABASE_URL_FILE), else the one that `npm start` keeps on this machine. */
async function findDatabaseUrl(environment: NodeJS.ProcessEnv, projectFolder: string): Promise<string> {
  try {
    return loadDatabaseUrl(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const setting = environment['DATA_DIR'] ?? '';
    const file = resolve(projectFolder, setting === '' ? '.data' : setting, 'addresses.json');
    const url = await readDatabaseUrl(file);
    if (url !== undefined) return url;
    throw new UsageError(
      'No database is configured. Set DATABASE_URL (or DATABASE_URL_FILE), or run `npm start` in another terminal.',
    );
  }
}

async function readDatabaseUrl(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const addresses: unknown = JSON.parse(text);
  if (typeof addresses !== 'object' || addresses === null || !('databaseUrl' in addresses)) return undefined;
  return typeof addresses.databaseUrl === 'string' ? addresses.databaseUrl : undefined;
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError) return error.message;
  if (isDatabaseUnavailable(error)) {
    return 'The database is unreachable. Check that it is running, and check DATABASE_URL; on a laptop, `npm start` must be running.';
  }
  return `Nothing was changed: ${error instanceof Error ? error.message : String(error)}`;
}
