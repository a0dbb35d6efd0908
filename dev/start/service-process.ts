import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lastLines } from '../engines/log-tail.ts';
import { startProcess, type RunningProcess } from '../engines/process-group.ts';
import type { ProcessLedger } from '../engines/process-ledger.ts';
import type { SupervisedPart } from './supervisor.ts';

const READY_TIMEOUT_MS = 120_000;

/** What the API and the worker need to run as processes of their own. */
export interface ServiceOptions {
  readonly projectFolder: string;
  readonly logFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly ledger: ProcessLedger;
  readonly onWarning: (part: string, line: string) => void;
}

/** The API as a supervised part; it is usable when `/health/ready` on the given port answers 200. */
export function apiPart(options: ServiceOptions, port: number): SupervisedPart {
  return {
    name: 'api',
    start: async (onProcess) => {
      const api = await startService('api', options, () => undefined);
      onProcess(api);
      await waitFor(api, options, () => isHealthy(`http://${reachableHost(options)}:${port}/health/ready`));
    },
  };
}

/** The worker as a supervised part; it has no port and is usable when its log says "worker ready". */
export function workerPart(options: ServiceOptions): SupervisedPart {
  return {
    name: 'worker',
    start: async (onProcess) => {
      let isReady = false;
      const worker = await startService('worker', withoutTokenSecret(options), (line) => {
        if (line.includes('"worker ready"')) isReady = true;
      });
      onProcess(worker);
      await waitFor(worker, options, () => Promise.resolve(isReady));
    },
  };
}

/** The worker makes and reads no tokens: what signs them is kept from it. */
function withoutTokenSecret(options: ServiceOptions): ServiceOptions {
  const { JWT_SECRET: _secret, JWT_SECRET_FILE: _file, ...environment } = options.environment;
  return { ...options, environment };
}

function startService(
  name: 'api' | 'worker',
  options: ServiceOptions,
  onLine: (line: string) => void,
): Promise<RunningProcess> {
  return startProcess(
    {
      name,
      command: process.execPath,
      arguments: ['--import', 'tsx', join(name, 'main.ts')],
      environment: options.environment,
      folder: options.projectFolder,
      logFile: join(options.logFolder, `${name}.log`),
      stopSignal: 'SIGTERM',
      graceMs: 30_000,
      onLine: (line) => {
        onLine(line);
        options.onWarning(name, line);
      },
    },
    options.ledger,
  );
}

async function waitFor(
  service: RunningProcess,
  options: ServiceOptions,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const logFile = join(options.logFolder, `${service.name}.log`);
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await isReady())) {
    if (service.hasExited()) {
      throw new Error(`The ${service.name} exited with ${await service.exited}.\n${lastLines(logFile, 15)}`);
    }
    if (performance.now() > deadline) {
      service.kill();
      throw new Error(
        `The ${service.name} was not ready in ${READY_TIMEOUT_MS / 1000} s.\n${lastLines(logFile, 15)}`,
      );
    }
    await delay(50);
  }
}

/** A server that listens on every address is reached by the loopback address. */
function reachableHost(options: ServiceOptions): string {
  const host = options.environment['HOST'] ?? '';
  if (['', '0.0.0.0', '::'].includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
