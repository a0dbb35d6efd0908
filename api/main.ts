import type { Server } from 'node:http';
import { systemClock } from '../platform/clock.ts';
import type { ApiConfig } from '../platform/config.ts';
import { createDnsResolver } from '../platform/dns-resolver.ts';
import { loadApiConfig } from '../platform/config.ts';
import { createGeocoder } from '../platform/geocoder.ts';
import { createFairQueue } from '../platform/fair-queue.ts';
import { changeLevelBySignal, createLogger } from '../platform/log.ts';
import { startMetrics } from '../platform/metrics/metrics-exporter.ts';
import { provideQueue } from '../platform/metrics/metrics.ts';
import { listenOnPrivatePort, portProblem } from '../platform/private-port.ts';
import { startTracing } from '../platform/tracing/start-tracing.ts';
import { createSealing } from '../platform/sealing.ts';
import { ConfigError } from '../platform/setting-reader.ts';
import { createTemporalClient } from '../platform/temporal.ts';
import { reportMissingKeys } from '../store/accounts/report-missing-keys.ts';
import { backlogSource } from '../store/backlog.ts';
import { commandActivity } from '../store/commands/command-activity.ts';
import { connectDatabase } from '../store/connection.ts';
import { listenForNotifications } from '../store/notifications.ts';
import { createShipmentWorkflowClient } from '../workflows/client/shipment-workflow-client.ts';
import { createApp } from './app.ts';
import { createPasswords, hashingBounds } from './auth/passwords.ts';
import { createChangeFeed } from './changes/feed.ts';
import { createDrainableServer } from './http/drainable-server.ts';
import { createRequestBudgets } from './http/request-budgets.ts';
import { listenForOutcomes } from './commands/outcomes.ts';
import { createDocumentRenderer } from '../documents/document-renderer.ts';
import { createWorkbookReader } from './shipments/import/workbook.ts';
import { createWorkflowStart } from './commands/workflow-start.ts';
import { createWorkflowStartQueue } from './commands/workflow-start-queue.ts';
import { builtConsoleFolder, readConsoleFiles } from './web/console-files.ts';

const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than proxies keep idle connections, or they would send a request into one that is being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

const config = readConfig();
const log = createLogger('api', config.logLevel);
changeLevelBySignal(log);
const stopTracing = await startTracing('shipment-api', config.tracing, log);
const database = connectDatabase(config.databaseUrl, {
  sealing: createSealing(config.encryptionKeys),
  poolSize: config.databasePoolSize,
  applicationName: 'shipment-api',
});
void reportMissingKeys(database, log);
const client = createTemporalClient(config.temporal);
const workflows = createShipmentWorkflowClient(client, config.taskQueue);
const notifications = listenForNotifications(config.databaseUrl, log);
const outcomes = listenForOutcomes(notifications, database);
const changes = createChangeFeed({ database, notifications, log });
const workbooks = createWorkbookReader();
const documents = createDocumentRenderer();
const geocoder = config.geocoderUrl === null ? null : createGeocoder(config.geocoderUrl);
const budgets = createRequestBudgets(database, systemClock, config.requestBudgetPercent);
const consoleFiles = readConsoleFiles(builtConsoleFolder());
if (consoleFiles === null) log.warn('the console is not built; /desk/ is answered with 503');
const hashing = createFairQueue(hashingBounds(config.passwordHashesAtOnce));
provideQueue('passwords', hashing.counts);
const app = createApp({
  consoleFiles,
  workbooks,
  documents,
  config,
  database,
  workflows,
  outcomes,
  changes,
  workflowStarts: createWorkflowStartQueue(
    createWorkflowStart(workflows, database),
    log,
    commandActivity(database),
  ),
  budgets,
  passwords: createPasswords(hashing, systemClock),
  clock: systemClock,
  log,
  resolve: createDnsResolver({ servers: config.webhookNameServers }),
  geocoder,
});
app.on('error', (error: unknown) => {
  // Koa reports clients that disconnect in the middle of a response; the service did nothing wrong.
  log.debug({ reason: error instanceof Error ? error.name : 'unknown' }, 'client disconnected');
});
const metrics = await listenForMetrics();
const handle = app.callback();
const { server, drain } = createDrainableServer(handle);
server.headersTimeout = HEADERS_TIMEOUT_MS;
server.requestTimeout = REQUEST_TIMEOUT_MS;
server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
server.on('error', (error) => {
  const isTaken = 'code' in error && error.code === 'EADDRINUSE';
  log.fatal(isTaken ? `port ${config.port} is in use: set PORT to another` : error.message);
  process.exit(1);
});
server.listen(config.port, config.host, () =>
  log.info({ url: config.publicUrl, port: config.port }, 'api ready'),
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop());

async function stop(): Promise<void> {
  log.info('api stopping');
  // Streams of changes end by themselves only after half an hour.
  changes.close();
  await drain();
  metrics?.closeAllConnections();
  metrics?.close();
  await Promise.all([workbooks.close(), documents.close(), geocoder?.close()]);
  await budgets.close();
  outcomes.close();
  await notifications.close();
  await client.connection.close();
  await database.close();
  await stopTracing();
  log.info('api stopped');
  process.exit(0);
}

/** Where Prometheus reads the API's metrics: on a port of its own, which no one else reaches. */
async function listenForMetrics(): Promise<Server | undefined> {
  const { host, metricsPort } = config;
  if (metricsPort === null) return undefined;
  const { answer } = startMetrics('api', [backlogSource(database)]);
  try {
    return await listenOnPrivatePort({ host, port: metricsPort }, new Map([['/metrics', answer]]));
  } catch (error) {
    log.fatal(portProblem(error, metricsPort, 'METRICS_PORT'));
    process.exit(1);
  }
}

function readConfig(): ApiConfig {
  try {
    return loadApiConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
