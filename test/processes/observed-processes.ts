import { anyFreePort } from '../../dev/engines/ports.ts';
import { listAt } from '../harness/json.ts';
import type { ReadMetrics } from '../harness/metrics.ts';
import { readMetrics } from '../harness/metrics.ts';
import type { TestService } from '../harness/service.ts';
import type { ServiceProcess } from '../harness/service-process.ts';
import { startServiceProcess } from '../harness/service-process.ts';

/** The API and a worker as processes, with every private port. */
export interface ObservedProcesses {
  readonly api: ServiceProcess;
  readonly worker: ServiceProcess;
  readonly metrics: Readonly<Record<'api' | 'worker' | 'temporal', () => Promise<ReadMetrics>>>;
  /** Where Prometheus finds them, by its jobs. */
  readonly targets: Readonly<Record<string, string>>;
  readonly kill: () => Promise<unknown>;
}

/** Starts both over the database and the task queue of a service, which has no workers of its own. */
export async function startObserved(
  { config }: Pick<TestService, 'config'>,
  others: Readonly<Record<string, string>> = {},
): Promise<ObservedProcesses> {
  const [metricsPort, temporalPort] = [await anyFreePort(), await anyFreePort()];
  const settings = {
    DATABASE_URL: config.databaseUrl,
    TASK_QUEUE: config.taskQueue,
    JWT_SECRET: config.jwtSecret,
    METRICS_PORT: String(metricsPort),
    TEMPORAL_METRICS_PORT: String(temporalPort),
    COMMAND_WAIT_MS: '60000',
    RECONCILER_INTERVAL_MS: '200',
    REQUEST_BUDGET_PERCENT: '100000',
    ...others,
  };
  const [api, worker] = await Promise.all([
    startServiceProcess('api', settings),
    startServiceProcess('worker', settings),
  ]);
  return {
    api,
    worker,
    metrics: {
      api: () => readMetrics(`http://127.0.0.1:${metricsPort}/metrics`),
      worker: () => readMetrics(`${worker.baseUrl}/metrics`),
      temporal: () => readMetrics(`http://127.0.0.1:${temporalPort}/metrics`),
    },
    targets: {
      'shipments-api': `127.0.0.1:${metricsPort}`,
      'shipments-worker': new URL(worker.baseUrl).host,
      'shipments-temporal-sdk': `127.0.0.1:${temporalPort}`,
    },
    kill: () => Promise.all([api.kill(), worker.kill()]),
  };
}

/** The lines that a process has logged, each of which must be JSON. */
export function loggedLines(process: ServiceProcess): readonly unknown[] {
  const lines = process.output().split('\n').slice(0, -1);
  const parsed: unknown = JSON.parse(`{ "lines": [${lines.join(',')}] }`);
  return listAt(parsed, 'lines');
}
