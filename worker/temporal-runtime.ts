import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { RuntimeOptions } from '@temporalio/worker';
import type { WorkerConfig } from '../platform/config.ts';
import { errorFacts } from '../platform/error-facts.ts';
import type { Logger } from '../platform/log.ts';

/** What is logged of the SDK's own lines: which task it was. Their other fields may hold payloads. */
const LOGGED_FIELDS = [
  'sdkComponent',
  'taskQueue',
  'workflowId',
  'runId',
  'workflowType',
  'activityType',
  'attempt',
];

/**
 * Sets up what all workers of this process share: Temporal's warnings and errors go into our log, its metrics to a port of
 * their own where one is set, and signals are ours to handle. Ends the process where that port is in use. Its lines below a warning are left out; some hold payloads.
 */
export function installRuntime(
  log: Logger,
  { host, temporalMetricsPort: port }: Pick<WorkerConfig, 'host' | 'temporalMetricsPort'>,
): void {
  const bindAddress = `${host.includes(':') ? `[${host}]` : host}:${port ?? 0}`;
  const prometheus = {
    bindAddress,
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
  };
  const options: RuntimeOptions = {
    logger: new DefaultLogger('WARN', ({ level, message, meta = {} }) => {
      // The webhooks worker has activities alone, on purpose.
      if (message.startsWith('No workflows registered')) return;
      log[level === 'ERROR' ? 'error' : 'warn']({ temporal: loggedFields(meta) }, message);
    }),
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } },
      ...(port === null ? {} : { metrics: { prometheus } }),
    },
    shutdownSignals: [],
  };
  try {
    Runtime.install(options);
  } catch (error) {
    if (port === null) throw error;
    const reason = error instanceof Error ? error.message : 'unknown';
    log.fatal({ reason }, `port ${port} cannot be listened on: set TEMPORAL_METRICS_PORT to another`);
    process.exit(1);
  }
}

/** Exported for its test. */
export function loggedFields(meta: object): Readonly<Record<string, unknown>> {
  const known = Object.entries(meta).filter(([name]) => LOGGED_FIELDS.includes(name));
  const failure = 'error' in meta ? errorFacts(meta.error) : {};
  return { ...Object.fromEntries(known), ...failure };
}
