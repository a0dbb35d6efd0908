import { Runtime } from '@temporalio/worker';
import type { NativeConnection } from '@temporalio/worker';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { ConfigError, loadConfig } from '../platform/config.ts';
import { createLogger } from '../platform/log.ts';
import type { Logger } from '../platform/log.ts';
import { createOutboundClient } from '../platform/outbound-client.ts';
import { createTemporalClient } from '../platform/temporal.ts';
import { connectWorker } from '../platform/temporal-worker-connection.ts';
import { connectDatabase } from '../store/connection.ts';
import { createShipmentRuns } from '../workflows/client/shipment-runs.ts';
import { createWorkers } from './create-worker.ts';
import { listenForHealth } from './health.ts';
import type { WorkerPhase } from './health.ts';
import { runRelay } from './relay.ts';
import { builtWorkflows } from './workflow-bundle.ts';

const RECONNECT_DELAY_MS = 1_000;
const NEVER_CONTINUE_EARLY = 50_000;

const config = readConfig();
const log = createLogger('worker', config.logLevel);
await main(config, log);

async function main(config: Config, log: Logger): Promise<void> {
  Runtime.install({
    logger: temporalLogger(log),
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } } },
    shutdownSignals: [],
  });
  const database = connectDatabase(config.databaseUrl, {
    poolSize: config.databasePoolSize,
    applicationName: 'shipment-worker',
  });
  const outbound = createOutboundClient({
    allowPrivate: config.webhookAllowPrivate,
    extraCaFile: config.webhookExtraCaFile,
  });
  const client = createTemporalClient(config.temporal);
  const stopping = stopSignal(log);
  const isPolling = { now: false };
  const health = await watchHealth(config, log, () => phaseOf(stopping, isPolling.now));
  const relay = runRelay(
    { database, runs: createShipmentRuns(client, config.taskQueue), log },
    config.relayIntervalMs,
    stopping,
  );
  const dependencies = {
    database,
    outbound,
    clock: systemClock,
    settings: {
      webhookMaxAttempts: config.webhookMaxAttempts,
      continueAsNewAfterEvents: config.continueAsNewAfterEvents ?? NEVER_CONTINUE_EARLY,
    },
  };
  while (!stopping.aborted) {
    try {
      await runWorkers(config, dependencies, log, stopping, isPolling);
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : 'unknown' },
        'Temporal is away; trying again',
      );
      await delay(RECONNECT_DELAY_MS);
    }
  }
  await relay;
  health?.closeAllConnections();
  health?.close();
  await outbound.close();
  await client.connection.close();
  await database.close();
  log.info('worker stopped');
  await Runtime.instance().shutdown();
}

async function runWorkers(
  config: Config,
  dependencies: Parameters<typeof createWorkers>[1],
  log: Logger,
  stopping: AbortSignal,
  isPolling: { now: boolean },
): Promise<void> {
  const connection: NativeConnection = await connectWorker(config.temporal);
  try {
    const { shipments, webhooks } = await createWorkers(
      {
        connection,
        namespace: config.temporal.namespace,
        taskQueue: config.taskQueue,
        ...builtWorkflows(import.meta.url),
      },
      dependencies,
    );
    const stop = () => {
      for (const worker of [shipments, webhooks]) {
        if (worker.getState() === 'RUNNING') worker.shutdown();
      }
    };
    const running = Promise.all([shipments.run(), webhooks.run()]);
    stopping.addEventListener('abort', stop);
    if (stopping.aborted) stop();
    isPolling.now = true;
    log.info({ taskQueue: config.taskQueue }, 'worker ready');
    try {
      await running;
    } finally {
      isPolling.now = false;
      // One of the two failing ends the other, so that both start anew together.
      stopping.removeEventListener('abort', stop);
      stop();
    }
  } finally {
    await connection.close();
  }
}

async function watchHealth(
  config: Config,
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

function phaseOf(stopping: AbortSignal, isPolling: boolean): WorkerPhase {
  if (stopping.aborted) return 'stopping';
  return isPolling ? 'polling' : 'waiting for Temporal';
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

/** Temporal's own lines at our levels; its debug lines hold payloads and are left out. */
function temporalLogger(log: Logger) {
  const silent = () => undefined;
  const at = (level: 'warn' | 'error') => (message: string, meta?: object) => {
    // The webhooks worker has activities alone, on purpose.
    if (message.startsWith('No workflows registered')) return;
    log[level]({ temporal: meta ?? {} }, message);
  };
  const byLevel: Readonly<Record<string, (message: string, meta?: object) => void>> = {
    INFO: silent,
    WARN: at('warn'),
    ERROR: at('error'),
  };
  return {
    log: (level: string, message: string, meta?: object) => byLevel[level]?.(message, meta),
    trace: silent,
    debug: silent,
    info: silent,
    warn: at('warn'),
    error: at('error'),
  };
}

function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
