import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import type { Client } from '@temporalio/client';
import type { TemporalConfig } from '../platform/config.ts';
import { loadDatabaseUrl, loadEncryptionKeys } from '../platform/config.ts';
import type { Sealing } from '../platform/sealing.ts';
import { createSealing } from '../platform/sealing.ts';
import { ConfigError } from '../platform/setting-reader.ts';
import { createTemporalClient } from '../platform/temporal.ts';
import type { Database } from '../store/connection.ts';
import { connectDatabase, isDatabaseUnavailable } from '../store/connection.ts';
import { isSet, StartError } from './start-mode.ts';

/** Where a command is run: its arguments and settings, and where it prints. */
export interface CommandLine {
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly projectFolder: string;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

/** A command of production. */
export interface Command {
  /** Resolves to the exit code. Throws a CommandError for what the operator can correct. */
  readonly run: (line: CommandLine) => Promise<number>;
  /** What has not happened when the command fails, by its first argument where that says it; the reason follows. */
  readonly failure: string | ((act: string | undefined) => string);
  /** The exit code of a failure, where it is not 1. */
  readonly failureCode?: number;
}

/** Thrown when a command cannot do what is asked; its message says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Runs a command and resolves to its exit code. A failure is a message, never a stack. */
export async function runCommand(command: Command, line: CommandLine): Promise<number> {
  try {
    return await command.run(line);
  } catch (error) {
    const isExplained = [CommandError, ConfigError, StartError].some((kind) => error instanceof kind);
    const reason = error instanceof Error ? error.message : String(error);
    const { failure } = command;
    const notDone = typeof failure === 'string' ? failure : failure(line.arguments[0]);
    line.printError(isExplained ? reason : `${notDone}: ${reason}`);
    return command.failureCode ?? 1;
  }
}

/** Reads the options of a command. Throws a CommandError with its usage. */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  argv: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...argv], options }).values;
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

/** Prints what `work` says of the database of DATABASE_URL (or DATABASE_URL_FILE), else of the one that `npm start` runs. */
export async function onDatabase(
  line: CommandLine,
  work: (database: Database) => Promise<readonly string[]>,
  options: { readonly hasNoTimeouts?: boolean } = {},
): Promise<number> {
  const laptop = isSet(line.environment, 'DATABASE_URL') ? undefined : await laptopAddresses(line);
  const url = laptop === undefined ? loadDatabaseUrl(line.environment) : laptop.databaseUrl;
  if (url === undefined) {
    throw new CommandError(
      'No database is configured. Set DATABASE_URL (or DATABASE_URL_FILE), or run `npm start` in another terminal.',
    );
  }
  const sealing = createSealing(loadEncryptionKeys(line.environment));
  for (const text of await withDatabase(url, work, { ...options, sealing })) line.print(text);
  return 0;
}

/** Opens a database, with one connection, and closes it. Throws a CommandError where it is unreachable. */
export async function withDatabase<Result>(
  databaseUrl: string,
  work: (database: Database) => Promise<Result>,
  options: { readonly hasNoTimeouts?: boolean; readonly sealing?: Sealing } = {},
): Promise<Result> {
  const database = connectDatabase(databaseUrl, { poolSize: 1, applicationName: 'operator', ...options });
  try {
    return await work(database);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    throw new CommandError(
      'The database is unreachable. Check that it is running, and check DATABASE_URL; on a laptop, `npm start` must be running.',
    );
  } finally {
    await database.close();
  }
}

/** Opens a client of Temporal, and closes it. */
export async function withTemporal<Result>(
  settings: TemporalConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = createTemporalClient(settings);
  try {
    return await work(client);
  } finally {
    await client.connection.close();
  }
}

/** Where the servers are that `npm start` runs on this machine, if it does. */
export async function laptopAddresses({ environment, projectFolder }: CommandLine): Promise<{
  readonly databaseUrl: string | undefined;
  readonly temporalAddress: string | undefined;
}> {
  const setting = environment['DATA_DIR'] ?? '';
  const file = resolve(projectFolder, setting === '' ? '.data' : setting, 'addresses.json');
  const known: unknown = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  const addresses = new Map<string, unknown>(Object.entries(known ?? {}));
  const textOf = (name: string) => {
    const value = addresses.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return { databaseUrl: textOf('databaseUrl'), temporalAddress: textOf('temporalAddress') };
}

const LOOK_INTERVAL_MS = 250;

/** Looks again until there is no obstacle. Throws a CommandError with the last one when the time is over. */
export async function untilClear(waitMs: number, obstacle: () => Promise<string | undefined>): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const reason = await obstacle();
    if (reason === undefined) return;
    if (performance.now() >= deadline) throw new CommandError(reason);
    await delay(LOOK_INTERVAL_MS);
  }
}
