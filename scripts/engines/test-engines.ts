import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { startTimeOf } from '../lock-file.mjs';
import { loadOrCreateAuthority } from './certificate-authority.ts';
import { anyFreePort } from './ports.ts';
import { startPostgres, type PostgresServer } from './postgres.ts';
import type { RunningProcess } from './process-group.ts';
import { endLeftovers, livingOwner, ProcessLedger } from './process-ledger.ts';
import { withProgress, type Say } from './progress.ts';
import { findTemporalExecutable } from './temporal-executable.ts';
import { startTemporal } from './temporal-server.ts';
import { findTimeSkippingServer } from './time-skipping-server.ts';

const LEDGER_FILE = 'processes.json';
const JUST_BORN_MS = 10_000;

/** What tests need to find the engines; test/harness/engines.ts reads it again. */
export type TestEnvironment = Readonly<
  Record<
    | 'TEST_POSTGRES_URL'
    | 'TEST_TEMPORAL_ADDRESS'
    | 'TEST_TIME_SKIPPING_SERVER'
    | 'TEST_CA_FILE'
    | 'TEST_CA_KEY_FILE',
    string
  >
>;

/** Running engines for tests; `stop` ends them and removes every file they made. */
export interface TestEngines {
  readonly environment: TestEnvironment;
  readonly processes: readonly RunningProcess[];
  /** Notes a program that uses the engines: it is ended with them should this process be killed. */
  adopt(name: string, pid: number): void;
  /** Ends the engines in order. Calling it twice is harmless. */
  stop(): Promise<void>;
  /** Ends the engines at once, without order. */
  kill(): void;
}

/**
 * Starts one PostgreSQL and one Temporal server for tests, both disposable, on free ports, in a new temporary
 * folder, and makes sure that the time-skipping server can be started. First ends what killed runs left behind.
 * Throws, with nothing left running, when one of them cannot be had.
 */
export async function startTestEngines(environment: NodeJS.ProcessEnv, say: Say): Promise<TestEngines> {
  const runsFolder = await openRunsFolder();
  await cleanUpAfterKilledRuns(runsFolder, say);
  const folder = await mkdtemp(join(runsFolder, 'run-'));
  // PostgreSQL's user passes through this folder to its own one inside.
  await chmod(folder, userInfo().uid === 0 ? 0o711 : 0o700);
  const ledger = new ProcessLedger(join(folder, LEDGER_FILE));
  const started: RunningProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((engine) => engine.stop()));
    ledger.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const executable = await findTemporalExecutable(environment, say);
    const timeSkippingServer = await findTimeSkippingServer(environment, say);
    const temporalPort = await anyFreePort();
    const temporalOptions = { executable, port: temporalPort, uiPort: undefined, databaseFile: undefined };
    const logFile = join(folder, 'temporal.log');
    // Settled, not raced: when one fails, the other must have been noted in `started` before `stop`.
    const [postgres, temporal] = await withProgress(
      'starting PostgreSQL and Temporal for the tests',
      say,
      () =>
        Promise.allSettled([
          startDisposablePostgres(folder, ledger).then(
            (server) => (started.push(server.process), server.url),
          ),
          startTemporal({ ...temporalOptions, logFile, environment }, ledger).then((server) =>
            started.push(server),
          ),
        ]),
    );
    if (postgres.status === 'rejected') throw postgres.reason;
    if (temporal.status === 'rejected') throw temporal.reason;
    const authority = await loadOrCreateAuthority(join(folder, 'authority'), new Date());
    return {
      environment: {
        TEST_POSTGRES_URL: postgres.value,
        TEST_TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
        TEST_TIME_SKIPPING_SERVER: timeSkippingServer,
        TEST_CA_FILE: authority.certificateFile,
        TEST_CA_KEY_FILE: authority.keyFile,
      },
      processes: started,
      adopt: (name, pid) => {
        ledger.add({ name, pid, startTime: startTimeOf(pid), stopSignal: 'SIGTERM', graceMs: 3000 });
      },
      stop,
      kill: () => {
        for (const engine of started) engine.kill();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDisposablePostgres(folder: string, ledger: ProcessLedger): Promise<PostgresServer> {
  return startPostgres(
    {
      databaseFolder: join(folder, 'postgres'),
      passwordFile: join(folder, 'postgres-password'),
      port: await anyFreePort(),
      logFile: join(folder, 'postgres.log'),
      isDisposable: true,
    },
    ledger,
  );
}

async function openRunsFolder(): Promise<string> {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `shipment-delivery-service-tests-${uid}`);
  await mkdir(folder, { recursive: true, mode: uid === 0 ? 0o711 : 0o700 });
  return folder;
}

async function cleanUpAfterKilledRuns(runsFolder: string, say: Say): Promise<void> {
  const runs = await readdir(runsFolder);
  for (const run of runs) {
    const ledgerFile = join(runsFolder, run, LEDGER_FILE);
    if (livingOwner(ledgerFile) !== undefined || (await isJustBorn(join(runsFolder, run)))) continue;
    const ended = await endLeftovers(ledgerFile);
    if (ended.length > 0) say(`Ended what a killed test run had left behind: ${ended.join(', ')}.`);
    await rm(join(runsFolder, run), { recursive: true, force: true });
  }
}

/** A run that starts at this very moment has a folder but no ledger yet. */
async function isJustBorn(folder: string): Promise<boolean> {
  const files = await readdir(folder).catch((): string[] => []);
  if (files.includes(LEDGER_FILE)) return false;
  const { birthtimeMs } = await stat(folder).catch(() => ({ birthtimeMs: 0 }));
  return Date.now() - birthtimeMs < JUST_BORN_MS;
}
