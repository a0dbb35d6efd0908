import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_STATE_FILE, NEW_DAY, writeDayState } from '../../demo/day/day-state.ts';
import { migrate } from '../../store/migrate.ts';
import { loadOrCreateAuthority } from '../engines/certificate-authority.ts';
import type { Keeper, RunningProcess } from '../engines/keeper.ts';
import { ensureDatabase, startPostgres } from '../engines/postgres.ts';
import { findTemporalExecutable } from '../engines/programs.ts';
import { say, withProgress } from '../engines/progress.mjs';
import { loadOrCreateSecret, writePrivateFile } from '../engines/secret-file.ts';
import { startTemporal, withoutProductionSettings } from '../engines/temporal-server.ts';
import { seedDemo, type DemoCredentials } from '../seed.ts';
import { buildWeb } from '../web/build-web.ts';
import type { Addresses } from './banner.ts';
import { wantsDemo } from './demo.ts';
import { choosePort, choosePortOfApi, metricsPorts, metricsUrls } from './port-plan.ts';
import { reachableHost, startService } from './service.ts';

const DATABASE_NAME = 'shipments';
const USUAL_PORTS = { temporal: 7233, temporalUi: 8233, postgres: 54320 };

/** A started laptop: its processes, where it answers and who may sign in. */
export interface Laptop {
  readonly parts: readonly RunningProcess[];
  readonly addresses: Addresses;
  readonly credentials: DemoCredentials | undefined;
  /** Where this machine reaches the API, whatever its public address is. */
  readonly baseUrl: string;
}

/**
 * Starts PostgreSQL and Temporal, brings the database up to date, builds the console where its sources changed, makes the
 * demo on the first start, and starts the API and the worker. Resolves when all four are ready. Rejects with a message for the person at the terminal;
 * what was started by then is the keeper's to end.
 */
export async function startLaptop(
  projectFolder: string,
  dataFolder: string,
  keeper: Keeper,
): Promise<Laptop> {
  const inData = (name: string): string => join(dataFolder, name);
  const place: Place = { folder: dataFolder, logFolder: inData('logs'), keeper };
  const apiPort = await choosePortOfApi(process.env);
  const [database, temporal] = await Promise.all([
    startDatabase(place),
    startWorkflowServer(place),
    buildWeb(),
  ]);
  const fresh = await withProgress('creating the demo data', () => seedDemo(database.url));
  const credentials = await keepCredentials(fresh, inData('demo-credentials.json'));
  // Without this file no day is made: not in data of an earlier version, and not where it was not wanted.
  if (fresh !== undefined && wantsDemo(process.env)) await writeDayState(inData(DAY_STATE_FILE), NEW_DAY);
  const { certificateFile, keyFile } = await loadOrCreateAuthority(inData('authority'), new Date());
  const addresses: Addresses = {
    publicUrl: process.env['PUBLIC_URL'] ?? `http://localhost:${apiPort}`,
    temporalUiUrl: `http://localhost:${temporal.uiPort}`,
    temporalAddress: temporal.address,
    credentialsFile: inData('demo-credentials.json'),
    logFolder: place.logFolder,
    authority: { certificateFile, keyFile },
  };
  const environment: NodeJS.ProcessEnv = {
    LOG_LEVEL: 'info',
    ...(await metricsPorts(process.env['HOST'])),
    ...withoutProductionSettings(process.env),
    SERVICE_MODE: 'laptop',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_UI_URL: addresses.temporalUiUrl,
    PUBLIC_URL: addresses.publicUrl,
    JWT_SECRET: await loadOrCreateSecret(inData('jwt-secret')),
    TRACKING_SECRET: await loadOrCreateSecret(inData('tracking-secret')),
    WEBHOOK_ALLOW_PRIVATE: '1',
    WEBHOOK_EXTRA_CA_FILE: certificateFile,
  };
  const service = await startService({ projectFolder, ...place, environment, apiPort });
  const host = reachableHost(environment['HOST'] ?? '');
  const known = { ...addresses, databaseUrl: database.url, metricsUrls: metricsUrls(host, environment) };
  await writePrivateFile(inData('addresses.json'), `${JSON.stringify(known, null, 2)}\n`);
  const baseUrl = `http://${host}:${apiPort}`;
  return { parts: [database.process, temporal.process, ...service], addresses, credentials, baseUrl };
}

/** Where the engines keep their data and logs, and what ends them. */
interface Place {
  readonly folder: string;
  readonly logFolder: string;
  readonly keeper: Keeper;
}

/** Starts PostgreSQL and migrates the service's database. */
async function startDatabase({ folder, logFolder, keeper }: Place) {
  const port = await choosePort('PostgreSQL', USUAL_PORTS.postgres);
  const server = await withProgress('starting PostgreSQL', () =>
    startPostgres({ folder, logFolder, port, isDisposable: false }, keeper),
  );
  const url = await ensureDatabase(server.url, DATABASE_NAME);
  const applied = await withProgress('migrating the database', () => migrate(url));
  if (applied.length > 0) say(`Database: ${applied.length} migration(s) applied.`);
  return { process: server.process, url };
}

async function startWorkflowServer({ folder, logFolder, keeper }: Place) {
  const executable = await findTemporalExecutable();
  const port = await choosePort('Temporal', USUAL_PORTS.temporal);
  const uiPort = await choosePort("Temporal's Web UI", USUAL_PORTS.temporalUi);
  const process = await withProgress('starting Temporal', () =>
    startTemporal({ executable, folder, logFolder, port, uiPort, isDisposable: false }, keeper),
  );
  return { process, uiPort, address: `127.0.0.1:${port}` };
}

/**
 * Keeps fresh credentials in the file, or reads those of the first start from it. Returns undefined when the demo
 * was made earlier and its file is missing: the passwords are lost.
 */
async function keepCredentials(
  fresh: DemoCredentials | undefined,
  file: string,
): Promise<DemoCredentials | undefined> {
  if (fresh !== undefined) {
    await writePrivateFile(file, `${JSON.stringify(fresh, null, 2)}\n`);
    return fresh;
  }
  const kept = await readFile(file, 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch(() => undefined);
  return isCredentials(kept) ? kept : undefined;
}

/** The file is written by this program alone. */
function isCredentials(value: unknown): value is DemoCredentials {
  return typeof value === 'object' && value !== null && 'organizations' in value;
}
