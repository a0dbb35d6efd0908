import { join } from 'node:path';
import { loadOrCreateAuthority } from '../engines/certificate-authority.ts';
import { ensureDatabase, startPostgres } from '../engines/postgres.ts';
import type { ProcessLedger } from '../engines/process-ledger.ts';
import { withProgress, type Say } from '../engines/progress.ts';
import { findTemporalExecutable } from '../engines/temporal-executable.ts';
import { startTemporal } from '../engines/temporal-server.ts';
import { loadOrCreateSecret, writePrivateFile, type DataFolder } from './data-folder.ts';
import { keepCredentials, type DemoCredentials } from './demo-credentials.ts';
import { planPorts, type PortPlan } from './port-plan.ts';
import { apiPart, workerPart } from './service-process.ts';
import type { Supervisor } from './supervisor.ts';
import type { Addresses } from './banner.ts';

const DATABASE_NAME = 'shipments';

/** What the laptop mode is given to work with. */
export interface LaptopContext {
  readonly projectFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly data: DataFolder;
  readonly ledger: ProcessLedger;
  readonly supervisor: Supervisor;
  readonly say: Say;
  readonly onWarning: (part: string, line: string) => void;
  /** Brings the database to the newest migration; resolves with the names applied. */
  readonly migrate: (databaseUrl: string) => Promise<readonly string[]>;
  /** Makes the demo on the first start; resolves with undefined when it exists. */
  readonly seedDemo: (databaseUrl: string) => Promise<DemoCredentials | undefined>;
}

/** A started laptop: where it answers and who may sign in. */
export interface Laptop {
  readonly addresses: Addresses;
  readonly credentials: DemoCredentials | undefined;
}

/**
 * Starts PostgreSQL and Temporal, brings the database up to date, makes the demo on the first start, and starts
 * the API and the worker. Resolves when all four are ready. Rejects with a message for the person at the terminal;
 * what was started by then is the supervisor's to end.
 */
export async function startLaptop(context: LaptopContext): Promise<Laptop> {
  const { data, say, supervisor } = context;
  const ports = await planPorts(context.environment, say);
  const temporalStarted = runTemporal(context, ports);
  // Awaited below; a failure of PostgreSQL must not leave this one without a listener.
  temporalStarted.catch(() => undefined);
  const databaseUrl = await withProgress('starting PostgreSQL', say, () => runPostgres(context, ports));
  const applied = await withProgress('migrating the database', say, () => context.migrate(databaseUrl));
  if (applied.length > 0) say(`Database: ${applied.length} migration(s) applied.`);
  const fresh = await withProgress('creating the demo data', say, () => context.seedDemo(databaseUrl));
  const credentials = await keepCredentials(fresh, data.credentialsFile);
  const authority = await loadOrCreateAuthority(data.authorityFolder, new Date());
  await withProgress('starting Temporal', say, () => temporalStarted);

  const publicUrl = context.environment['PUBLIC_URL'] ?? `http://localhost:${ports.api}`;
  const addresses: Addresses = {
    publicUrl,
    temporalUiUrl: `http://localhost:${ports.temporalUi}`,
    temporalAddress: `127.0.0.1:${ports.temporal}`,
    credentialsFile: data.credentialsFile,
    logFolder: data.logFolder,
    authority: { certificateFile: authority.certificateFile, keyFile: authority.keyFile },
  };
  const service = {
    projectFolder: context.projectFolder,
    logFolder: data.logFolder,
    environment: await serviceEnvironment(context, addresses, databaseUrl, ports),
    ledger: context.ledger,
    onWarning: context.onWarning,
  };
  await withProgress('starting the API and the worker', say, () =>
    Promise.all([supervisor.run(apiPart(service, ports.api)), supervisor.run(workerPart(service))]),
  );
  const known = { ...addresses, databaseUrl };
  await writePrivateFile(data.addressesFile, `${JSON.stringify(known, null, 2)}\n`);
  return { addresses, credentials };
}

async function runPostgres(context: LaptopContext, ports: PortPlan): Promise<string> {
  const { data, ledger, supervisor } = context;
  let adminUrl = '';
  await supervisor.run({
    name: 'postgres',
    start: async (onProcess) => {
      const server = await startPostgres(
        {
          databaseFolder: data.postgresFolder,
          passwordFile: data.postgresPasswordFile,
          port: ports.postgres,
          logFile: join(data.logFolder, 'postgres.log'),
          isDisposable: false,
          onLine: (line) => context.onWarning('postgres', line),
          onProcess,
        },
        ledger,
      );
      adminUrl = server.url;
    },
  });
  return ensureDatabase(adminUrl, DATABASE_NAME);
}

async function runTemporal(context: LaptopContext, ports: PortPlan): Promise<void> {
  const { data, environment, ledger, supervisor } = context;
  const executable = await findTemporalExecutable(environment, context.say);
  await supervisor.run({
    name: 'temporal',
    start: (onProcess) =>
      startTemporal(
        {
          executable,
          port: ports.temporal,
          uiPort: ports.temporalUi,
          databaseFile: data.temporalDatabaseFile,
          logFile: join(data.logFolder, 'temporal.log'),
          environment,
          onLine: (line) => context.onWarning('temporal', line),
          onProcess,
        },
        ledger,
      ),
  });
}

async function serviceEnvironment(
  context: LaptopContext,
  addresses: Addresses,
  databaseUrl: string,
  ports: PortPlan,
): Promise<NodeJS.ProcessEnv> {
  // Settings for a production cluster (an API key, say) would keep the service from the laptop's own.
  const inherited = Object.entries(context.environment).filter(
    ([name]) => !/^(?:TEMPORAL|DATABASE)_/.test(name),
  );
  return {
    LOG_LEVEL: 'info',
    ...Object.fromEntries(inherited),
    SERVICE_MODE: 'laptop',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_UI_URL: addresses.temporalUiUrl,
    PORT: String(ports.api),
    PUBLIC_URL: addresses.publicUrl,
    JWT_SECRET: await loadOrCreateSecret(context.data.secretFile),
    WEBHOOK_ALLOW_PRIVATE: '1',
    WEBHOOK_EXTRA_CA_FILE: addresses.authority.certificateFile,
  };
}
