import { startServiceProcess } from '../harness/service-process.ts';
import type { ServiceProcess } from '../harness/service-process.ts';

/** A real worker in a process of its own. */
export type WorkerProcess = ServiceProcess;

/** Starts worker/main.ts as production does, and resolves when it is ready. Rejects with its output when it ends before. */
export function startWorkerProcess(
  databaseUrl: string,
  taskQueue: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<WorkerProcess> {
  return startServiceProcess('worker', {
    DATABASE_URL: databaseUrl,
    TASK_QUEUE: taskQueue,
    RECONCILER_INTERVAL_MS: '500',
    LOG_LEVEL: 'info',
    ...settings,
  });
}
