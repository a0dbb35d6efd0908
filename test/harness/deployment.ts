import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { CertificateAuthority } from '../../dev/engines/certificate-authority.ts';
import { loadOrCreateAuthority } from '../../dev/engines/certificate-authority.ts';
import type { Keeper, RunningProcess } from '../../dev/engines/keeper.ts';
import { checkHealth, openRun, untilReady } from '../../dev/engines/keeper.ts';
import { lastLines } from '../../dev/engines/log-tail.ts';
import { anyFreePort } from '../../dev/engines/ports.ts';
import { ensureDatabase, startPostgres } from '../../dev/engines/postgres.ts';
import { findTemporalExecutable } from '../../dev/engines/programs.ts';
import type { Say } from '../../dev/engines/progress.mjs';
import { startTemporal } from '../../dev/engines/temporal-server.ts';
import { COMPILED_FOLDER, compileTests } from '../../dev/test/compile-tests.mjs';
import { migrate } from '../../store/migrate.ts';
import type { Part } from './part.ts';
import { partOf } from './part.ts';
import { whenStoreIsLost } from './temporal-store.ts';
import { workflowBundle } from './workflow-bundle.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Generous: a slow machine must not fail a test that says nothing about speed. */
const READY_TIMEOUT_MS = 240_000;
const CRASH_LINES = 40;

/** A program of the project that runs as a process. */
export interface Program {
  readonly name: string;
  /** Its source, below the project's folder; it runs compiled. */
  readonly script: string;
  /** On top of the service's settings. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

/** An API or a worker: what its port serves. */
export interface ServicePart extends Part {
  readonly baseUrl: string;
}

/** Engines of one's own, durable as those of `npm start`, and what starts processes of the service on them. */
export interface Deployment {
  readonly folder: string;
  readonly databaseUrl: string;
  /** Reaches the database `postgres` as the superuser. */
  readonly adminUrl: string;
  readonly temporalAddress: string;
  readonly jwtSecret: string;
  readonly authority: CertificateAuthority;
  readonly postgres: Part;
  readonly temporal: Part;
  /** All that were made, whether they run or not. */
  readonly parts: readonly Part[];
  /** Makes an API or a worker, which does not run until it is started. It is usable once its health page says so. */
  readonly makeService: (kind: 'api' | 'worker', program?: Partial<Program>) => Promise<ServicePart>;
  /** Makes another program, which is usable once a line of its log holds `readyWhen`. */
  readonly makeProgram: (program: Program & { readonly readyWhen: string }) => Part;
  /** Processes that ended by themselves since this was last asked, each with the end of its log. */
  readonly takeCrashes: () => readonly string[];
  /** What happened that is not the service's fault, since this was last asked. */
  readonly takeRemarks: () => readonly string[];
  /** Ends everything and removes the folder; `isKept` leaves it, with the logs. */
  readonly stop: (isKept: boolean) => Promise<void>;
}

/** How deployments differ. */
export interface DeploymentOptions {
  /** Names the folder of its runs. */
  readonly purpose: 'faults' | 'bench';
  readonly environment: NodeJS.ProcessEnv;
  readonly say: Say;
  /** Settings of every program, on top of those of a laptop. */
  readonly settings: Readonly<Record<string, string>>;
  /** Options of Node for every program. */
  readonly nodeOptions?: readonly string[];
}

/**
 * Starts PostgreSQL and Temporal (on a file, with the pragmas of `npm start`) on free ports in a new temporary folder, then
 * what `setUp` starts. Rejects, with nothing left running, when one of them cannot be started.
 */
export async function startDeployment<T>(
  options: DeploymentOptions,
  setUp: (deployment: Deployment) => Promise<T>,
): Promise<Deployment & T> {
  await compileTests();
  await workflowBundle();
  const executable = await findTemporalExecutable();
  const { folder, keeper } = await openRun(options.purpose);
  const notes = { crashes: new Array<string>(), remarks: new Array<string>(), parts: new Array<Part>() };
  const stop = async (isKept: boolean): Promise<void> => {
    for (const part of notes.parts.toReversed()) await part.stop();
    if (isKept) {
      keeper.keepFolder();
      options.say(`Kept, with the logs: ${folder}`);
    }
    await keeper.close();
  };
  try {
    const ground = { ...notes, ...options, executable, folder, keeper };
    const { postgres, adminUrl } = await startDatabase(ground);
    const { temporal, temporalAddress } = await startEngine(ground);
    const databaseUrl = await ensureDatabase(adminUrl, 'shipments');
    await migrate(databaseUrl);
    const authority = await loadOrCreateAuthority(join(folder, 'authority'), new Date());
    const jwtSecret = randomBytes(48).toString('base64url');
    const settings = {
      ...{ SERVICE_MODE: 'laptop', LOG_LEVEL: 'info', WEBHOOK_ALLOW_PRIVATE: '1', JWT_SECRET: jwtSecret },
      ...{ DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress },
      ...{ WEBHOOK_EXTRA_CA_FILE: authority.certificateFile, ...options.settings },
    };
    const deployment: Deployment = {
      ...{ folder, databaseUrl, adminUrl, temporalAddress, jwtSecret, authority, postgres, temporal, stop },
      ...makersOf({ ...ground, settings }),
      parts: notes.parts,
      takeCrashes: () => notes.crashes.splice(0),
      takeRemarks: () => notes.remarks.splice(0),
    };
    return { ...deployment, ...(await setUp(deployment)) };
  } catch (error) {
    await stop(false);
    throw error;
  }
}

/** What parts are started with; they are added to `parts`, so that the failure of one can end the others. */
interface Ground extends DeploymentOptions {
  readonly executable: string;
  readonly folder: string;
  readonly keeper: Keeper;
  readonly parts: Part[];
  readonly crashes: string[];
  readonly remarks: string[];
}

function makePart(
  { folder, parts, crashes }: Ground,
  name: string,
  launch: () => Promise<RunningProcess>,
): Part {
  const part = partOf(name, launch, (_name, exit) => {
    crashes.push(`${name} ended with ${exit}: ${lastLines(join(folder, `${name}.log`), CRASH_LINES)}`);
  });
  parts.push(part);
  return part;
}

async function startDatabase(
  ground: Ground,
): Promise<{ readonly postgres: Part; readonly adminUrl: string }> {
  const { folder, keeper } = ground;
  const options = { folder, port: await anyFreePort(), isDisposable: false };
  let adminUrl = '';
  const postgres = makePart(ground, 'postgres', async () => {
    const server = await startPostgres(options, keeper);
    adminUrl = server.url;
    return server.process;
  });
  await postgres.start();
  return { postgres, adminUrl };
}

async function startEngine(ground: Ground) {
  const { executable, folder, keeper, remarks } = ground;
  const port = await anyFreePort();
  const options = {
    ...{ executable, folder, port, isDisposable: false },
    onLine: whenStoreIsLost(() => {
      if (!temporal.isRunning()) return;
      remarks.push('Temporal’s development server lost its SQLite connection and was restarted');
      void temporal.kill().then(temporal.start);
    }),
  };
  const temporal = makePart(ground, 'temporal', () => startTemporal(options, keeper));
  await temporal.start();
  return { temporal, temporalAddress: `127.0.0.1:${port}` };
}

function makersOf(ground: Ground): Pick<Deployment, 'makeService' | 'makeProgram'> {
  return {
    makeService: async (kind, { name = kind, script = `${kind}/main.ts`, environment, onLine } = {}) => {
      const port = await anyFreePort();
      const baseUrl = `http://127.0.0.1:${port}`;
      const places =
        kind === 'api' ? { PORT: String(port), PUBLIC_URL: baseUrl } : { WORKER_HEALTH_PORT: String(port) };
      const program = { name, script, environment: { ...places, ...environment } };
      const watched = onLine === undefined ? program : { ...program, onLine };
      return {
        ...makePart(ground, name, () => launch(ground, watched, () => checkHealth(baseUrl))),
        baseUrl,
      };
    },
    makeProgram: ({ readyWhen, ...program }) => {
      const state = { isReady: false };
      const onLine = (line: string): void => {
        if (line.includes(readyWhen)) state.isReady = true;
        program.onLine?.(line);
      };
      const checkReadiness = (): Promise<void> =>
        state.isReady ? Promise.resolve() : Promise.reject(new Error('it has not said so'));
      return makePart(ground, program.name, () => launch(ground, { ...program, onLine }, checkReadiness));
    },
  };
}

async function launch(
  { folder, keeper, environment, settings, nodeOptions = [] }: Ground,
  { name, script, environment: own, onLine }: Program,
  checkReadiness: () => Promise<void>,
): Promise<RunningProcess> {
  const compiled = join(COMPILED_FOLDER, script.replace(/\.ts$/, '.js'));
  const running = await keeper.start({
    ...{
      name,
      logFile: join(folder, `${name}.log`),
      folder: PROJECT,
      stopSignal: 'SIGTERM',
      graceMs: 30_000,
    },
    command: process.execPath,
    arguments: [...nodeOptions, '--enable-source-maps', compiled],
    environment: { ...plainEnvironment(environment), ...settings, ...own },
    onLine,
  });
  await untilReady(running, checkReadiness, READY_TIMEOUT_MS);
  return running;
}

/** A setting of the shell must not change what is tested or measured. */
function plainEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = /^(PATH|HOME|USER|LANG|LC_|TMP|TEMP|SystemRoot|XDG_)/i;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => names.test(name)));
}
