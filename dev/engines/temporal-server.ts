import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { untilReady, type Keeper, type RunningProcess } from './keeper.ts';

const READY_TIMEOUT_MS = 60_000;

/** The search attributes by which ops find shipments in the Web UI (docs/operations.md). */
export const SEARCH_ATTRIBUTES = {
  OrganizationId: 'Keyword',
  TrackingNumber: 'Keyword',
  ShipmentStatus: 'Keyword',
  DeadlineMissed: 'Bool',
  HasDeadLetter: 'Bool',
} as const;

/**
 * The default of 20 polls a second and shard holds each task up by up to 50 ms; fairness keeps the webhooks of one
 * organization from holding up another's.
 */
export const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=1000',
  'history.timerProcessorMaxPollRPS=1000',
  'history.visibilityProcessorMaxPollRPS=1000',
  'matching.enableFairness=true',
] as const;

/** With SQLite's default settings the server did a tenth of the transitions per second. */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=normal'] as const;

export interface TemporalOptions {
  readonly executable: string;
  /** Gets the server's database. */
  readonly folder: string;
  /** Gets `temporal.log`; the folder itself unless given. */
  readonly logFolder?: string;
  readonly port: number;
  /** The port of the Web UI, which is not started without it. */
  readonly uiPort?: number;
  /** Keeps the state in memory; it is gone with the process. */
  readonly isDisposable: boolean;
  readonly onLine?: (line: string) => void;
}

/**
 * Starts a Temporal development server on the loopback address and waits until its `default` namespace answers
 * with all search attributes. Throws with the end of its log when it ends or is not ready within a minute.
 */
export async function startTemporal(options: TemporalOptions, keeper: Keeper): Promise<RunningProcess> {
  const { executable, folder, logFolder = folder, port, onLine } = options;
  await mkdir(databaseFolder(folder), { recursive: true });
  const server = await keeper.start({
    name: 'temporal',
    command: executable,
    arguments: serverArguments(options),
    environment: withoutProductionSettings(process.env),
    folder,
    logFile: join(logFolder, 'temporal.log'),
    stopSignal: 'SIGTERM',
    graceMs: 10_000,
    onLine,
  });
  await untilReady(server, () => checkNamespace(`127.0.0.1:${port}`), READY_TIMEOUT_MS);
  return server;
}

const databaseFolder = (folder: string): string => join(folder, 'temporal');

function serverArguments({ folder, port, uiPort, isDisposable }: TemporalOptions): readonly string[] {
  const web = uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)];
  const storage = [
    ...['--db-filename', join(databaseFolder(folder), 'temporal.db')],
    ...SQLITE_PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
  ];
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
    ...['--log-format', 'json', '--log-level', 'warn'],
    ...web,
    ...(isDisposable ? [] : storage),
    ...DYNAMIC_CONFIG.flatMap((setting) => ['--dynamic-config-value', setting]),
    ...Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
  ];
}

/** Leaves out the settings of real servers (an API key, say): they must not reach the servers of a laptop, nor tests. */
export function withoutProductionSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(?:DATABASE|TEMPORAL)_/.test(name)),
  );
}

async function checkNamespace(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 2000 });
  try {
    await connection.withDeadline(Date.now() + 2000, async () => {
      await connection.workflowService.describeNamespace({ namespace: 'default' });
      const { customAttributes } = await connection.operatorService.listSearchAttributes({
        namespace: 'default',
      });
      const missing = Object.keys(SEARCH_ATTRIBUTES).filter((name) => customAttributes[name] === undefined);
      if (missing.length > 0) throw new Error(`search attributes are missing: ${missing.join(', ')}`);
    });
  } finally {
    await connection.close();
  }
}
