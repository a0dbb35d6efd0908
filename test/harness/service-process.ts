import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { anyFreePort } from '../../dev/engines/ports.ts';
import { COMPILED_FOLDER } from '../../dev/test/compile-tests.mjs';
import { testEngines } from './engines.ts';
import { workflowBundle } from './workflow-bundle.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const HOST = '127.0.0.1';
const DEADLINE_MS = 60_000;
const POLL_EVERY_MS = 25;

/** The API or the worker as a process of its own, started as production starts it. */
export interface ServiceProcess {
  /** Of the API, or of the worker's health page. */
  readonly baseUrl: string;
  readonly pid: number;
  /** What it has written to standard output and standard error, where these are pipes. */
  readonly output: () => string;
  /** Goes away as the reader of both pipes. */
  readonly closeOutput: () => void;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves with the exit code, null after a signal that ended it. */
  readonly exited: Promise<number | null>;
  /** Ends it as a crash would: no handler runs, no connection is closed in order. */
  readonly kill: () => Promise<void>;
  /** The status and the body of a health page; status 0 when it does not answer. */
  readonly health: (page: 'live' | 'ready') => Promise<HealthAnswer>;
}

export interface HealthAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** How a process differs from the usual one. */
interface ProcessOptions {
  readonly until?: 'live' | 'ready';
  readonly standardOutput?: string;
  /** Where its compiled code is; today's code where none is given. */
  readonly folder?: string;
}

/**
 * Starts `api/main.ts` or `worker/main.ts`, compiled, and resolves when it is ready, or only live where the test says so. Rejects
 * with its output when it ends before. `settings` are environment variables; `standardOutput` is the path of a file for
 * standard output and standard error, pipes by default.
 */
export async function startServiceProcess(
  name: 'api' | 'worker',
  settings: Readonly<Record<string, string>>,
  options: ProcessOptions = {},
): Promise<ServiceProcess> {
  if (name === 'worker' && options.folder === undefined) await workflowBundle();
  const port = await anyFreePort();
  const { child, output } = spawnService(name, port, settings, options);
  const exited = once(child, 'exit').then(() => child.exitCode);
  const baseUrl = `http://${HOST}:${port}`;
  const service: ServiceProcess = {
    baseUrl,
    pid: child.pid ?? 0,
    output: () => output.join(''),
    closeOutput: () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
    signal: (signalName) => void child.kill(signalName),
    exited,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    health: (page) => readHealth(`${baseUrl}/health/${page}`),
  };
  await waitForHealth(service, options.until ?? 'ready', 200, () => child.exitCode ?? child.signalCode);
  return service;
}

function spawnService(
  name: 'api' | 'worker',
  port: number,
  settings: Readonly<Record<string, string>>,
  { standardOutput, folder = COMPILED_FOLDER }: ProcessOptions,
) {
  const engines = testEngines();
  const file = standardOutput === undefined ? undefined : openSync(standardOutput, 'a');
  const child = spawn(process.execPath, ['--enable-source-maps', join(folder, name, 'main.js')], {
    cwd: PROJECT,
    env: {
      ...process.env,
      SERVICE_MODE: 'laptop',
      TEMPORAL_ADDRESS: engines.temporalAddress,
      WEBHOOK_ALLOW_PRIVATE: '1',
      WEBHOOK_EXTRA_CA_FILE: engines.authorityCertificateFile,
      [name === 'api' ? 'PORT' : 'WORKER_HEALTH_PORT']: String(port),
      ...settings,
    },
    stdio: ['ignore', file ?? 'pipe', file ?? 'pipe'],
  });
  if (file !== undefined) closeSync(file);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
  }
  return { child, output };
}

/** Polls a health page until it answers with the status; rejects with the process's output when it ends or takes too long. */
export async function waitForHealth(
  service: ServiceProcess,
  page: 'live' | 'ready',
  status: number,
  exitOf: () => number | string | null = () => null,
): Promise<HealthAnswer> {
  const startedAt = performance.now();
  for (;;) {
    const answer = await service.health(page);
    if (answer.status === status) return answer;
    if (exitOf() !== null) throw new Error(`the process ended with ${exitOf()}:\n${service.output()}`);
    if (performance.now() - startedAt > DEADLINE_MS) {
      throw new Error(
        `/health/${page} is ${answer.status} ${JSON.stringify(answer.body)}:\n${service.output()}`,
      );
    }
    await delay(POLL_EVERY_MS);
  }
}

async function readHealth(url: string): Promise<HealthAnswer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
    return { status: response.status, body: await response.json() };
  } catch {
    return { status: 0, body: undefined };
  }
}
