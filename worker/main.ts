import { Runtime } from '@temporalio/worker';
import type { Server } from 'node:http';
import { systemClock } from '../platform/clock.ts';
import type { WorkerConfig } from '../platform/config.ts';
import { loadWorkerConfig } from '../platform/config.ts';
import { changeLevelBySignal, createLogger } from '../platform/log.ts';
import type { Logger } from '../platform/log.ts';
import { createDnsResolver } from '../platform/dns-resolver.ts';
import { startMetrics } from '../platform/metrics/metrics-exporter.ts';
import { reading } from '../platform/metrics/metrics.ts';
import type { PrivatePage } from '../platform/private-port.ts';
import { portProblem } from '../platform/private-port.ts';
import { createOutboundClient } from '../platform/outbound-client.ts';
import { startTracing } from '../platform/tracing/start-tracing.ts';
import { createSealing } from '../platform/sealing.ts';
import { ConfigError } from '../platform/setting-reader.ts';
import { createTemporalClient } from '../platform/temporal.ts';
import { reportMissingKeys } from '../store/accounts/report-missing-keys.ts';
import { backlogSource } from '../store/backlog.ts';
import { connectDatabase } from '../store/connection.ts';
import { createShipmentWorkflowClient } from '../workflows/client/shipment-workflow-client.ts';
import { listenForHealth, obstacleOfDatabase } from './health.ts';
import type { Obstacles } from './health.ts';
import { pollTemporal } from './poll-temporal.ts';
import { runReconciler } from './reconciler.ts';
import { installRuntime } from './temporal-runtime.ts';
import { loadWorkflowBundle } from './workflow-bundle.ts';

const NEVER_CONTINUE_EARLY = 50_000;
/**
 * When the process ends all the same. By then what was under way has ended or was ended by force (create-worker.ts); left
 * is the SDK, which waits some 30 s for a Temporal that does not answer. Less than the 30 s after which containers are killed.
 */
const STOP_LIMIT_MS = 28_000;

const config = readConfig();
await main(config, createLogger('worker', config.logLevel));

async function main(config: WorkerConfig, log: Logger): Promise<void> {
  changeLevelBySignal(log);
  installRuntime(log, config);
  const stopTracing = await startTracing('shipment-worker', config.tracing, log);
  const { databaseUrl, databasePoolSize: poolSize, temporal, taskQueue } = config;
  const sealing = createSealing(config.encryptionKeys);
  const database = connectDatabase(databaseUrl, { poolSize, applicationName: 'shipment-worker', sealing });
  void reportMissingKeys(database, log);
  const outbound = createOutboundClient({
    allowPrivate: config.webhookAllowPrivate,
    extraCaFile: config.webhookExtraCaFile,
    resolve: createDnsResolver({ servers: config.webhookNameServers }),
  });
  const client = createTemporalClient(temporal);
  const settings = {
    webhookMaxAttempts: config.webhookMaxAttempts,
    continueAsNewAfterEvents: config.continueAsNewAfterEvents ?? NEVER_CONTINUE_EARLY,
  };
  const stopping = stopSignal(log);
  const workflowBundle = await loadWorkflowBundle(import.meta.url);
  const polling = pollTemporal(
    { temporal, taskQueue, version: config.version, workflowBundle },
    { database, outbound, clock: systemClock, settings },
    log,
    stopping,
  );
  const databaseObstacle = obstacleOfDatabase(database);
  const obstacles = async () => {
    const reasons = [polling.obstacle(), await databaseObstacle()];
    return reasons.filter((reason) => reason !== undefined);
  };
  const temporalSource = () => {
    const value = polling.obstacle() === undefined ? 1 : 0;
    return Promise.resolve([reading('dependency_up', { dependency: 'temporal' }, value)]);
  };
  const health = await watchHealth(config, log, obstacles, () =>
    startMetrics('worker', [backlogSource(database), temporalSource]),
  );
  const workflows = createShipmentWorkflowClient(client, taskQueue);
  const { retention, reconcilerIntervalMs } = config;
  const reconciler = runReconciler({ database, workflows, log, retention }, reconcilerIntervalMs, stopping);

  await Promise.all([polling.ended, reconciler]);
  health?.closeAllConnections();
  health?.close();
  await outbound.close();
  await client.connection.close();
  await database.close();
  await stopTracing();
  log.info('worker stopped');
  await Runtime.instance().shutdown();
  // Of a collector that does not answer, sockets and timers are left.
  process.exit(0);
}

async function watchHealth(
  config: WorkerConfig,
  log: Logger,
  obstacles: Obstacles,
  metrics: () => { readonly answer: PrivatePage },
): Promise<Server | undefined> {
  const { host, workerHealthPort: port } = config;
  if (port === null) return undefined;
  try {
    return await listenForHealth({ host, port }, obstacles, metrics().answer);
  } catch (error) {
    log.fatal(portProblem(error, port, 'WORKER_HEALTH_PORT'));
    process.exit(1);
  }
}

function stopSignal(log: Logger): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) return;
      log.info({ signal: name }, 'worker stopping');
      controller.abort();
      setTimeout(() => {
        log.warn('worker stopped without a response from Temporal');
        process.exit(0);
      }, STOP_LIMIT_MS).unref();
    });
  }
  return controller.signal;
}

function readConfig(): WorkerConfig {
  try {
    return loadWorkerConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
