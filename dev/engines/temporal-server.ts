import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { lastLines } from './log-tail.ts';
import { startProcess, type RunningProcess } from './process-group.ts';
import type { ProcessLedger } from './process-ledger.ts';

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

const READY_TIMEOUT_MS = 60_000;

export interface TemporalOptions {
  readonly executable: string;
  readonly port: number;
  /** Undefined: without the Web UI. */
  readonly uiPort: number | undefined;
  /** Undefined: the state is kept in memory and gone with the process. */
  readonly databaseFile: string | undefined;
  readonly logFile: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly onLine?: (line: string) => void;
  /** Hands the process over as soon as it runs, before it is ready. */
  readonly onProcess?: (process: RunningProcess) => void;
}

/**
 * Starts a Temporal development server on the loopback address and waits until its `default` namespace answers
 * with all search attributes. Throws with the end of its log when it ends or is not ready within a minute.
 */
export async function startTemporal(
  options: TemporalOptions,
  ledger: ProcessLedger,
): Promise<RunningProcess> {
  await mkdir(dirname(options.databaseFile ?? options.logFile), { recursive: true });
  const server = await startProcess(
    {
      name: 'temporal',
      command: options.executable,
      arguments: serverArguments(options),
      environment: withoutTemporalSettings(options.environment),
      folder: dirname(options.logFile),
      logFile: options.logFile,
      stopSignal: 'SIGTERM',
      graceMs: 10_000,
      ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
    },
    ledger,
  );
  options.onProcess?.(server);
  try {
    await waitUntilHealthy(server, `127.0.0.1:${options.port}`);
    return server;
  } catch (cause) {
    server.kill();
    await server.exited;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The Temporal server did not start: ${reason}\n${lastLines(options.logFile, 15)}`, {
      cause,
    });
  }
}

function serverArguments(options: TemporalOptions): readonly string[] {
  const web = options.uiPort === undefined ? ['--headless'] : ['--ui-port', String(options.uiPort)];
  const storage =
    options.databaseFile === undefined
      ? []
      : [
          '--db-filename',
          options.databaseFile,
          ...SQLITE_PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
        ];
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(options.port)],
    ...['--log-format', 'json', '--log-level', 'warn'],
    ...web,
    ...storage,
    ...DYNAMIC_CONFIG.flatMap((setting) => ['--dynamic-config-value', setting]),
    ...Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
  ];
}

/** The tool reads TEMPORAL_* itself: what is set for a production cluster must not reach the laptop's server. */
function withoutTemporalSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

async function waitUntilHealthy(server: RunningProcess, address: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  let problem = 'it is not listening';
  while (performance.now() < deadline) {
    if (server.hasExited()) throw new Error(`it ended with ${await server.exited}.`);
    try {
      await checkNamespace(address);
      return;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    await delay(100);
  }
  throw new Error(`not ready within ${READY_TIMEOUT_MS / 1000} s (${problem}).`);
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
