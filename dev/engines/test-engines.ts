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
}

/**
 * Starts one PostgreSQL and one Temporal server for tests, both disposable, on free ports, in a new temporary
 * folder, and makes sure that the time-skipping server is there. First ends what killed runs left behind.
 * Throws, with nothing left running, when one of them is not available.
 */
export async function startTestEngines(environment: NodeJS.ProcessEnv, say: Say): Promise<TestEngines> {
  const executable = await findTemporalExecutable(environment, say);
  const timeSkippingServer = await findTimeSkippingServer(environment, say);
  const folder = await openRunFolder(say);
  const ledger = new ProcessLedger(join(folder, LEDGER_FILE));
  const started: RunningProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((engine) => engine.stop()));
    ledger.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const servers = await withProgress('starting PostgreSQL and Temporal for the tests', say, () =>
      startServers({ folder, ledger, started, executable, environment }),
    );
    const authority = await loadOrCreateAuthority(join(folder, 'authority'), new Date());
    const authorityFiles = { TEST_CA_FILE: authority.certificateFile, TEST_CA_KEY_FILE: authority.keyFile };
    return {
      environment: { ...servers, TEST_TIME_SKIPPING_SERVER: timeSkippingServer, ...authorityFiles },
      processes: started,
      adopt: (name, pid) => {
        ledger.add({ name, pid, startTime: startTimeOf(pid), stopSignal: 'SIGTERM', graceMs: 3000 });
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface ServerContext {
  readonly folder: string;
  readonly ledger: ProcessLedger;
  /** Filled as the servers come up, so that a failure of one can end the other. */
  readonly started: RunningProcess[];
  readonly executable: string;
  readonly environment: NodeJS.ProcessEnv;
}

async function startServers({
  folder,
  ledger,
  started,
  executable,
  environment,
}: ServerContext): Promise<Pick<TestEnvironment, 'TEST_POSTGRES_URL' | 'TEST_TEMPORAL_ADDRESS'>> {
  const port = await anyFreePort();
  const onProcess = (process: RunningProcess): void => {
    started.push(process);
  };
  const storage = { uiPort: undefined, databaseFile: undefined, logFile: join(folder, 'temporal.log') };
  // Settled, not raced: when one fails, the other must have come as far as `started`.
  const [postgres, temporal] = await Promise.allSettled([
    startDisposablePostgres(folder, ledger, onProcess),
    startTemporal({ executable, port, ...storage, environment, onProcess }, ledger),
  ]);
  if (postgres.status === 'rejected') throw postgres.reason;
  if (temporal.status === 'rejected') throw temporal.reason;
  return { TEST_POSTGRES_URL: postgres.value.url, TEST_TEMPORAL_ADDRESS: `127.0.0.1:${port}` };
}

async function startDisposablePostgres(
  folder: string,
  ledger: ProcessLedger,
  onProcess: (process: RunningProcess) => void,
): Promise<PostgresServer> {
  return startPostgres(
    {
      databaseFolder: join(folder, 'postgres'),
      passwordFile: join(folder, 'postgres-password'),
      port: await anyFreePort(),
      logFile: join(folder, 'postgres.log'),
      isDisposable: true,
      onProcess,
    },
    ledger,
  );
}

/** Makes a folder for this run, after ending and removing what killed runs left. */
async function openRunFolder(say: Say): Promise<string> {
  const { uid } = userInfo();
  const runsFolder = join(tmpdir(), `shipment-delivery-service-tests-${uid}`);
  // PostgreSQL's user passes through these folders to its own one inside.
  const mode = uid === 0 ? 0o711 : 0o700;
  await mkdir(runsFolder, { recursive: true, mode });
  await cleanUpAfterKilledRuns(runsFolder, say);
  const folder = await mkdtemp(join(runsFolder, 'run-'));
  await chmod(folder, mode);
  return folder;
}

async function cleanUpAfterKilledRuns(runsFolder: string, say: Say): Promise<void> {
  const runs = await readdir(runsFolder);
  for (const run of runs) {
    const ledgerFile = join(runsFolder, run, LEDGER_FILE);
    if (livingOwner(ledgerFile) !== undefined || (await isJustBorn(join(runsFolder, run)))) continue;
    const ended = await endLeftovers(ledgerFile);
    if (ended.length > 0) say(`Stopped processes that a killed test run left behind: ${ended.join(', ')}.`);
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
