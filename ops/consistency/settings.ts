import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { TemporalConfig } from '../../platform/config.ts';
import { loadDatabaseUrl, loadTemporalConfig } from '../../platform/config.ts';
import { UsageError } from '../organization/usage-error.ts';
import { chooseMode } from '../start-mode.ts';
import type { CheckOptions } from './command.ts';

/** Where PostgreSQL and Temporal are. */
export interface ConsistencySettings {
  readonly databaseUrl: string;
  readonly temporal: TemporalConfig;
  readonly taskQueue: string;
}

const DEFAULT_TASK_QUEUE = 'shipments';

const USAGE = `Usage: npm run check:consistency -- [options]

  --repair                  start or signal the workflows that need it; without it nothing is changed
  --older-than SECONDS      reports pending work from this age on (default: 60)
  --confirm-after SECONDS   checks a difference again after this time, and reports it if it persists (default: 5)
  --repair-within SECONDS   how long to wait for the repairs to take effect (default: 30)

It compares PostgreSQL with Temporal and prints each difference with what to do. The exit code is 0 when nothing differs (with
--repair: when nothing is left), 1 when something does, 2 when the comparison could not be made.`;

/** Reads the arguments. Throws a UsageError with the usage. */
export function parseCheckOptions(argv: readonly string[]): CheckOptions {
  const values = readValues(argv);
  const seconds = (name: string, text: string | undefined, fallback: number): number => {
    const value = text === undefined ? fallback : Number(text);
    if (Number.isInteger(value) && value >= 0 && value <= 86_400) return value;
    throw new UsageError(`${name} must be a whole number of seconds from 0 to 86400.\n\n${USAGE}`);
  };
  return {
    isRepairing: values.repair,
    olderThanSeconds: seconds('--older-than', values['older-than'], 60),
    confirmAfterSeconds: seconds('--confirm-after', values['confirm-after'], 5),
    repairWithinSeconds: seconds('--repair-within', values['repair-within'], 30),
  };
}

function readValues(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: {
        repair: { type: 'boolean', default: false },
        'older-than': text,
        'confirm-after': text,
        'repair-within': text,
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

/**
 * Finds both: by DATABASE_URL and TEMPORAL_ADDRESS, else the service that `npm start` runs on this machine. Throws a
 * ConfigError or UsageError that says what to set.
 */
export async function findSettings(
  environment: NodeJS.ProcessEnv,
  projectFolder: string,
): Promise<ConsistencySettings> {
  const taskQueue = environment['TASK_QUEUE'] ?? DEFAULT_TASK_QUEUE;
  if (chooseMode(environment) === 'production') {
    return {
      databaseUrl: loadDatabaseUrl(environment),
      temporal: loadTemporalConfig(environment),
      taskQueue,
    };
  }
  const setting = environment['DATA_DIR'] ?? '';
  const file = resolve(projectFolder, setting === '' ? '.data' : setting, 'addresses.json');
  const addresses: unknown = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  const databaseUrl = textOf(addresses, 'databaseUrl');
  const address = textOf(addresses, 'temporalAddress');
  if (databaseUrl === undefined || address === undefined) {
    throw new UsageError(
      'No service found. Set DATABASE_URL and TEMPORAL_ADDRESS, or run `npm start` in another terminal.',
    );
  }
  return { databaseUrl, temporal: { address, namespace: 'default', apiKey: null, tls: false }, taskQueue };
}

function textOf(record: unknown, name: string): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  const value = new Map<string, unknown>(Object.entries(record)).get(name);
  return typeof value === 'string' ? value : undefined;
}
