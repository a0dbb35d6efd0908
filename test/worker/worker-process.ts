import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testEngines } from '../harness/engines.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

/** A real worker in a process of its own. */
export interface WorkerProcess {
  /** Ends it as a crash would: no handler runs, no connection is closed in order. */
  readonly kill: () => Promise<void>;
}

/** Starts worker/main.ts as production does, and resolves when it polls. Rejects with its output when it ends before. */
export async function startWorkerProcess(databaseUrl: string, taskQueue: string): Promise<WorkerProcess> {
  const engines = testEngines();
  const child = spawn(process.execPath, ['--import', 'tsx', join('worker', 'main.ts')], {
    cwd: PROJECT,
    env: {
      ...process.env,
      SERVICE_MODE: 'laptop',
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: engines.temporalAddress,
      TASK_QUEUE: taskQueue,
      WEBHOOK_ALLOW_PRIVATE: '1',
      WEBHOOK_EXTRA_CA_FILE: engines.authorityCertificateFile,
      RELAY_INTERVAL_MS: '500',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const output: string[] = [];
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        output.push(line);
        if (line.includes('worker ready')) resolve();
      });
    }
    child.once('exit', () => reject(new Error(`the worker ended:\n${output.join('\n')}`)));
  });
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
