import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { loadOrCreateAuthority, type CertificateAuthority } from '../dev/engines/certificate-authority.ts';
import { failure, openRun, type Keeper, type RunningProcess } from '../dev/engines/keeper.ts';
import { anyFreePort } from '../dev/engines/ports.ts';
import { ensureDatabase, startPostgres } from '../dev/engines/postgres.ts';
import type { Say } from '../dev/engines/progress.mjs';
import { findTemporalExecutable } from '../dev/engines/programs.ts';
import { startTemporal } from '../dev/engines/temporal-server.ts';
import { connectDatabase, type Database } from '../store/connection.ts';
import { migrate } from '../store/migrate.ts';

const PROJECT = join(import.meta.dirname, '..');
const READY_TIMEOUT_MS = 120_000;

/** What a part needs to run as a process of its own; it is usable once a line of its log holds `readyWhen`. */
export interface PartOptions {
  readonly name: string;
  /** The file to run, below the project's folder. */
  readonly script: string;
  readonly readyWhen: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

/** The whole service with engines of its own, as `npm start` runs it: durable, each part a process. */
export interface Deployment {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** A second database of the same server, for the bare counterparts. */
  readonly bareDatabaseUrl: string;
  readonly temporalAddress: string;
  readonly jwtSecret: string;
  readonly authority: CertificateAuthority;
  /** The service's database: for making data and for the check afterwards. */
  readonly database: Database;
  /** The same database by the bare driver, for the bare counterparts. */
  readonly pool: pg.Pool;
  readonly api: RunningProcess;
  /** All processes that run now. */
  readonly processes: () => readonly RunningProcess[];
  /** Gets each line of the API's log. */
  readonly onApiLine: (listener: (line: string) => void) => void;
  /** Starts one more process with the service's settings; it is ended with the deployment. */
  readonly startPart: (options: PartOptions) => Promise<RunningProcess>;
  /** Ends the worker and starts another with these settings on top of the service's. */
  readonly restartWorker: (environment: Readonly<Record<string, string>>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts PostgreSQL (durable), Temporal (on a file, with the pragmas of `npm start`), the API and the worker, all on
 * free ports and in a new temporary folder. Rejects, with nothing left running, when one of them cannot be had.
 */
export async function startDeployment(environment: NodeJS.ProcessEnv, say: Say): Promise<Deployment> {
  const executable = await findTemporalExecutable();
  const { folder, keeper } = await openRun('bench');
  const started: RunningProcess[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.reverse()) await close();
    if (environment['BENCH_KEEP'] === '1') {
      keeper.keepFolder();
      say(`Kept: ${folder}`);
    }
    await keeper.close();
  };
  try {
    return await startParts({ executable, folder, keeper, started, closers, environment, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Context {
  readonly executable: string;
  readonly folder: string;
  readonly keeper: Keeper;
  readonly started: RunningProcess[];
  readonly closers: (() => Promise<unknown>)[];
  readonly environment: NodeJS.ProcessEnv;
  readonly stop: () => Promise<void>;
}

async function startParts(context: Context): Promise<Deployment> {
  const { folder, closers, stop } = context;
  const { databaseUrl, bareDatabaseUrl } = await startDatabases(context);
  const temporalAddress = await startEngine(context);
  await migrate(databaseUrl);
  const authority = await loadOrCreateAuthority(join(folder, 'authority'), new Date());
  const jwtSecret = randomBytes(48).toString('base64url');
  const port = await anyFreePort();
  const settings = {
    ...serviceSettings({ databaseUrl, temporalAddress, jwtSecret, port }),
    WEBHOOK_EXTRA_CA_FILE: authority.certificateFile,
  };
  const startPart = (options: PartOptions) => runPart(context, settings, options);
  const listeners: ((line: string) => void)[] = [];
  const api = await startPart({
    name: 'api',
    script: 'bench/watched-api.ts',
    readyWhen: '"api ready"',
    onLine: (line) => {
      for (const listen of listeners) listen(line);
    },
  });
  const startWorker = (environment: Readonly<Record<string, string>>) =>
    startPart({ name: 'worker', script: 'worker/main.ts', readyWhen: '"worker ready"', environment });
  let worker = await startWorker({});
  const database = connectDatabase(databaseUrl, { poolSize: 4, applicationName: 'bench' });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 40 });
  pool.on('error', () => undefined);
  closers.push(
    () => pool.end(),
    () => database.close(),
  );
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    ...{ databaseUrl, bareDatabaseUrl, temporalAddress, jwtSecret, authority, database, pool, api },
    processes: () => context.started.filter((part) => !part.hasExited()),
    onApiLine: (listener) => listeners.push(listener),
    startPart,
    restartWorker: async (environment) => {
      await worker.stop();
      worker = await startWorker(environment);
    },
    stop,
  };
}

async function startDatabases({ folder, keeper, started }: Context) {
  const server = await startPostgres({ folder, port: await anyFreePort(), isDisposable: false }, keeper);
  started.push(server.process);
  return {
    databaseUrl: await ensureDatabase(server.url, 'shipments'),
    bareDatabaseUrl: await ensureDatabase(server.url, 'bare'),
  };
}

async function startEngine({ executable, folder, keeper, started }: Context): Promise<string> {
  const port = await anyFreePort();
  const temporal = await startTemporal({ executable, folder, port, isDisposable: false }, keeper);
  started.push(temporal);
  return `127.0.0.1:${port}`;
}

function serviceSettings(given: {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly jwtSecret: string;
  readonly port: number;
}): Record<string, string> {
  return {
    SERVICE_MODE: 'laptop',
    LOG_LEVEL: 'info',
    DATABASE_URL: given.databaseUrl,
    TEMPORAL_ADDRESS: given.temporalAddress,
    TEMPORAL_NAMESPACE: 'default',
    PORT: String(given.port),
    PUBLIC_URL: `http://127.0.0.1:${given.port}`,
    JWT_SECRET: given.jwtSecret,
    // A busy machine must not turn a late answer into a 202: the wait is part of what is measured.
    COMMAND_WAIT_MS: '60000',
    WEBHOOK_ALLOW_PRIVATE: '1',
    // One organization of the bench asks for what the machine can do; a case about budgets starts an API with `100`.
    REQUEST_BUDGET_PERCENT: '1000000',
  };
}

async function runPart(
  { folder, keeper, started, environment }: Context,
  settings: Readonly<Record<string, string>>,
  { name, script, readyWhen, environment: own, onLine }: PartOptions,
): Promise<RunningProcess> {
  const logFile = join(folder, `${name}.log`);
  const profiles = environment['BENCH_PROFILE'];
  const profiling =
    profiles === undefined || profiles === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const state = { isReady: false };
  const part = await keeper.start({
    name,
    command: process.execPath,
    arguments: [...profiling, '--import', 'tsx', join(PROJECT, script)],
    environment: { ...plainEnvironment(environment), ...settings, ...own },
    folder: PROJECT,
    logFile,
    stopSignal: 'SIGTERM',
    graceMs: 30_000,
    onLine: (line) => {
      if (line.includes(readyWhen)) state.isReady = true;
      onLine?.(line);
    },
  });
  started.push(part);
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!state.isReady) {
    if (part.hasExited() || performance.now() > deadline) throw failure(part, 'did not become ready');
    await delay(50);
  }
  return part;
}

/** A setting of the shell must not change what is measured. */
function plainEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = /^(PATH|HOME|USER|LANG|LC_|TMP|TEMP|SystemRoot|XDG_)/i;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => names.test(name)));
}
