import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { CertificateAuthority } from '../../dev/engines/certificate-authority.ts';
import { loadOrCreateAuthority } from '../../dev/engines/certificate-authority.ts';
import type { Keeper, RunningProcess } from '../../dev/engines/keeper.ts';
import { checkHealth, openRun, untilReady } from '../../dev/engines/keeper.ts';
import { lastLines } from '../../dev/engines/log-tail.ts';
import { anyFreePort } from '../../dev/engines/ports.ts';
import { ensureDatabase, startPostgres } from '../../dev/engines/postgres.ts';
import type { Say } from '../../dev/engines/progress.mjs';
import { findTemporalExecutable } from '../../dev/engines/programs.ts';
import { startTemporal } from '../../dev/engines/temporal-server.ts';
import { COMPILED_FOLDER, compileTests } from '../../dev/test/compile-tests.mjs';
import { migrate } from '../../store/migrate.ts';
import { workflowBundle } from '../harness/workflow-bundle.ts';
import type { Part } from './part.ts';
import { partOf } from './part.ts';
import { whenStoreIsLost } from './temporal-store.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Generous: a slow machine must not fail a test that says nothing about speed. */
const READY_TIMEOUT_MS = 240_000;
const CRASH_LINES = 40;

/** The worker deployment version of the earlier build. Today's workers have none, as on a laptop. */
export const WORKER_VERSION = { deploymentName: 'shipments', buildId: 'previous' } as const;

/** The whole service with engines of its own, each part a process that can be broken. */
export interface Deployment {
  readonly folder: string;
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** Reaches the database `postgres` as the superuser: for faults of the server. */
  readonly adminUrl: string;
  readonly temporalAddress: string;
  readonly jwtSecret: string;
  readonly authority: CertificateAuthority;
  readonly postgres: Part;
  readonly temporal: Part;
  readonly api: Part;
  /** The second worker does not run until it is started. */
  readonly workers: readonly [Part, Part];
  /** A worker with the workflow code of an earlier release; it does not run until it is started. */
  readonly previousBuild: Part;
  /** Processes that ended by themselves since this was last asked, each with the end of its log. */
  readonly takeCrashes: () => readonly string[];
  /** What happened that is no fault of the service, since this was last asked. */
  readonly takeRemarks: () => readonly string[];
  /** Ends everything and removes the folder; `isKept` leaves it, with the logs. */
  readonly stop: (isKept: boolean) => Promise<void>;
}

/**
 * Starts PostgreSQL (durable), Temporal (on a file), the API and one worker on free ports, in a new temporary folder.
 * Rejects, with nothing left running, when one of them can't be started.
 */
export async function startDeployment(
  environment: NodeJS.ProcessEnv,
  settings: Readonly<Record<string, string>>,
  say: Say,
): Promise<Deployment> {
  await compileTests();
  await workflowBundle();
  const executable = await findTemporalExecutable();
  const { folder, keeper } = await openRun('faults');
  const authority = await loadOrCreateAuthority(join(folder, 'authority'), new Date());
  const parts: Part[] = [];
  const crashes: string[] = [];
  const onCrash = (name: string, exit: string): void => {
    crashes.push(`${name} ended with ${exit}: ${lastLines(join(folder, `${name}.log`), CRASH_LINES)}`);
  };
  const remarks: string[] = [];
  const onRemark = (remark: string): void => {
    remarks.push(remark);
  };
  const context = { environment, settings, executable, folder, keeper, onCrash, onRemark };
  const stop = async (isKept: boolean): Promise<void> => {
    for (const part of [...parts].reverse()) await part.stop();
    if (isKept) {
      keeper.keepFolder();
      say(`Kept, with the logs: ${folder}`);
    }
    await keeper.close();
  };
  try {
    const postgres = await startDatabase(context, parts);
    const temporal = await startEngine(context, parts);
    const jwtSecret = randomBytes(48).toString('base64url');
    const service = {
      ...{ DATABASE_URL: postgres.databaseUrl, TEMPORAL_ADDRESS: temporal.temporalAddress },
      ...{ JWT_SECRET: jwtSecret, WEBHOOK_EXTRA_CA_FILE: authority.certificateFile },
    };
    const processes = await startService(context, service, parts);
    return {
      folder,
      jwtSecret,
      authority,
      ...postgres,
      ...temporal,
      ...processes,
      takeCrashes: () => crashes.splice(0),
      takeRemarks: () => remarks.splice(0),
      stop,
    };
  } catch (error) {
    await stop(false);
    throw error;
  }
}

interface Context {
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: Readonly<Record<string, string>>;
  readonly executable: string;
  readonly folder: string;
  readonly keeper: Keeper;
  readonly onCrash: (name: string, exit: string) => void;
  readonly onRemark: (remark: string) => void;
}

async function startDatabase({ folder, keeper, onCrash }: Context, parts: Part[]) {
  const port = await anyFreePort();
  let adminUrl = '';
  const postgres = partOf(
    'postgres',
    async () => {
      const server = await startPostgres({ folder, port, isDisposable: false }, keeper);
      adminUrl = server.url;
      return server.process;
    },
    onCrash,
  );
  parts.push(postgres);
  await postgres.start();
  const databaseUrl = await ensureDatabase(adminUrl, 'shipments');
  await migrate(databaseUrl);
  return { postgres, adminUrl, databaseUrl };
}

async function startEngine(context: Context, parts: Part[]) {
  const { executable, folder, keeper, onCrash, onRemark } = context;
  const port = await anyFreePort();
  const options = {
    executable,
    folder,
    port,
    isDisposable: false,
    onLine: whenStoreIsLost(() => {
      if (!temporal.isRunning()) return;
      onRemark('Temporal’s development server lost its SQLite connection and was restarted');
      void temporal.kill().then(temporal.start);
    }),
  };
  const temporal = partOf('temporal', () => startTemporal(options, keeper), onCrash);
  parts.push(temporal);
  await temporal.start();
  return { temporal, temporalAddress: `127.0.0.1:${port}` };
}

async function startService(
  context: Context,
  service: Readonly<Record<string, string>>,
  parts: Part[],
): Promise<Pick<Deployment, 'baseUrl' | 'api' | 'workers' | 'previousBuild'>> {
  const port = await anyFreePort();
  const part = (name: string, script: string, healthPort: number, own: Readonly<Record<string, string>>) => {
    const made: Part = partOf(
      name,
      () => launch(context, { name, script, healthPort }, { ...service, ...own }),
      context.onCrash,
    );
    parts.push(made);
    return made;
  };
  const worker = async (name: string, script: string, own: Readonly<Record<string, string>> = {}) => {
    const healthPort = await anyFreePort();
    return part(name, script, healthPort, { WORKER_HEALTH_PORT: String(healthPort), ...own });
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  // The clients are faster than people, and a 429 would only make a round longer.
  const unhurried = { REQUEST_BUDGET_PERCENT: '1000000' };
  const api = part('api', 'api/main.ts', port, { PORT: String(port), PUBLIC_URL: baseUrl, ...unhurried });
  const main = 'worker/main.ts';
  const workers = [await worker('worker', main), await worker('worker-2', main)] as const;
  const version = {
    WORKER_DEPLOYMENT_NAME: WORKER_VERSION.deploymentName,
    WORKER_BUILD_ID: WORKER_VERSION.buildId,
  };
  const previousBuild = await worker('worker-previous', 'test/faults/previous-build-worker.ts', version);
  await Promise.all([api.start(), workers[0].start()]);
  return { baseUrl, api, workers, previousBuild };
}

async function launch(
  { folder, keeper, environment, settings }: Context,
  program: { readonly name: string; readonly script: string; readonly healthPort: number },
  service: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  const { name, script, healthPort } = program;
  const running = await keeper.start({
    name,
    command: process.execPath,
    arguments: ['--enable-source-maps', join(COMPILED_FOLDER, script.replace(/\.ts$/, '.js'))],
    environment: {
      ...plainEnvironment(environment),
      ...{ SERVICE_MODE: 'laptop', LOG_LEVEL: 'info', WEBHOOK_ALLOW_PRIVATE: '1' },
      ...settings,
      ...service,
    },
    folder: PROJECT,
    logFile: join(folder, `${name}.log`),
    stopSignal: 'SIGTERM',
    graceMs: 30_000,
  });
  await untilReady(running, () => checkHealth(`http://127.0.0.1:${healthPort}`), READY_TIMEOUT_MS);
  return running;
}

/** A setting of the shell must not change what is tested. */
function plainEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = /^(PATH|HOME|USER|LANG|LC_|TMP|TEMP|SystemRoot|XDG_)/i;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => names.test(name)));
}
