// A worker process of an earlier build: today's activities with the recorded workflow code of an earlier release, as a worker
// deployment version of its own (WORKER_BUILD_ID). It has no reconciler.
import { systemClock } from '../../platform/clock.ts';
import { loadWorkerConfig } from '../../platform/config.ts';
import { createLogger } from '../../platform/log.ts';
import { createOutboundClient } from '../../platform/outbound-client.ts';
import { connectDatabase } from '../../store/connection.ts';
import { listenForHealth } from '../../worker/health.ts';
import { pollTemporal } from '../../worker/poll-temporal.ts';
import { previousBuild } from '../workflows/builds/previous-build.ts';

const NEVER_CONTINUE_EARLY = 50_000;

const config = loadWorkerConfig(process.env);
const log = createLogger('worker', config.logLevel);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
const { databaseUrl, databasePoolSize: poolSize, temporal, taskQueue, version } = config;
const polling = pollTemporal(
  { temporal, taskQueue, version, workflowBundle: await previousBuild() },
  {
    database: connectDatabase(databaseUrl, { poolSize, applicationName: 'shipment-worker' }),
    outbound: createOutboundClient({
      allowPrivate: config.webhookAllowPrivate,
      extraCaFile: config.webhookExtraCaFile,
    }),
    clock: systemClock,
    settings: {
      webhookMaxAttempts: config.webhookMaxAttempts,
      continueAsNewAfterEvents: config.continueAsNewAfterEvents ?? NEVER_CONTINUE_EARLY,
    },
  },
  log,
  stopping.signal,
);
await listenForHealth({ host: config.host, port: config.workerHealthPort ?? 0 }, () => {
  const obstacle = polling.obstacle();
  return Promise.resolve(obstacle === undefined ? [] : [obstacle]);
});
await polling.ended;
process.exit(0);
