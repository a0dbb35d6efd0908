import { Runtime } from '@temporalio/worker';
import type { Server } from 'node:http';
import { systemClock } from '../platform/clock.ts';
import type { WorkerConfig } from '../platform/config.ts';
import { loadWorkerConfig } from '../platform/config.ts';
import { createLogger } from '../platform/log.ts';
import type { Logger } from '../platform/log.ts';
import { createOutboundClient } from '../platform/outbound-client.ts';
import { ConfigError } from '../platform/setting-reader.ts';
import { createTemporalClient } from '../platform/temporal.ts';
import { connectDatabase } from '../store/connection.ts';
import { createShipmentRuns } from '../workflows/client/shipment-runs.ts';
import { listenForHealth } from './health.ts';
import type { WorkerPhase } from './health.ts';
import { pollTemporal } from './poll-temporal.ts';
import { runRelay } from './relay.ts';
import { installRuntime } from './temporal-runtime.ts';
import { builtWorkflows } from './workflow-bundle.ts';

const NEVER_CONTINUE_EARLY = 50_000;

const config = readConfig();
await main(config, createLogger('worker', config.logLevel));

async function main(config: WorkerConfig, log: Logger): Promise<void> {
  installRuntime(log);
  const { databaseUrl, databasePoolSize: poolSize, temporal, taskQueue } = config;
  const database = connectDatabase(databaseUrl, { poolSize, applicationName: 'shipment-worker' });
  const outbound = createOutboundClient({
    allowPrivate: config.webhookAllowPrivate,
    extraCaFile: config.webhookExtraCaFile,
  });
  const client = createTemporalClient(temporal);
  const settings = {
    webhookMaxAttempts: config.webhookMaxAttempts,
    continueAsNewAfterEvents: config.continueAsNewAfterEvents ?? NEVER_CONTINUE_EARLY,
  };
  const stopping = stopSignal(log);
  const polling = pollTemporal(
    { temporal, taskQueue, ...builtWorkflows(import.meta.url) },
    { database, outbound, clock: systemClock, settings },
    log,
    stopping,
  );
  const health = await watchHealth(config, log, polling.phase);
  const runs = createShipmentRuns(client, taskQueue);
  const relay = runRelay({ database, runs, log }, config.relayIntervalMs, stopping);

  await Promise.all([polling.ended, relay]);
  health?.closeAllConnections();
  health?.close();
  await outbound.close();
  await client.connection.close();
  await database.close();
  log.info('worker stopped');
  await Runtime.instance().shutdown();
}

async function watchHealth(
  config: WorkerConfig,
  log: Logger,
  phase: () => WorkerPhase,
): Promise<Server | undefined> {
  if (config.workerHealthPort === null) return undefined;
  try {
    return await listenForHealth({ host: config.host, port: config.workerHealthPort }, phase);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    log.fatal(
      isTaken
        ? `port ${config.workerHealthPort} is in use: set WORKER_HEALTH_PORT to another`
        : { reason: error instanceof Error ? error.message : 'unknown' },
    );
    process.exit(1);
  }
}

function stopSignal(log: Logger): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (!controller.signal.aborted) log.info({ signal: name }, 'worker stopping');
      controller.abort();
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
