import type { Worker } from '@temporalio/worker';
import { setTimeout as delay } from 'node:timers/promises';
import type { ActivityDependencies } from '../activities/index.ts';
import type { TemporalConfig } from '../platform/config.ts';
import type { Logger } from '../platform/log.ts';
import { connectWorker } from '../platform/temporal-worker-connection.ts';
import { createWorkers } from './create-worker.ts';
import type { WorkerTarget } from './create-worker.ts';
import type { WorkerPhase } from './health.ts';

const RECONNECT_DELAY_MS = 1_000;

/** What is polled: where Temporal is, which queue, and which workflow code. */
export interface PollingTarget extends Omit<WorkerTarget, 'connection' | 'namespace'> {
  readonly temporal: TemporalConfig;
}

/** Polling that goes on until it is stopped. */
export interface Polling {
  readonly phase: () => WorkerPhase;
  /** Resolves after `stopping`, when what was under way is done. Never rejects. */
  readonly ended: Promise<void>;
}

/**
 * Polls Temporal until `stopping`, and connects again whenever Temporal is away: at the start, in between, or because
 * one of the two workers failed.
 */
export function pollTemporal(
  target: PollingTarget,
  dependencies: ActivityDependencies,
  log: Logger,
  stopping: AbortSignal,
): Polling {
  let isPolling = false;
  const pollOn = async (): Promise<void> => {
    while (!stopping.aborted) {
      try {
        await pollOnce(target, dependencies, stopping, (now) => {
          isPolling = now;
          if (now) log.info({ taskQueue: target.taskQueue }, 'worker ready');
        });
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'unknown';
        log.warn({ reason }, 'Temporal is away; trying again');
        await delay(RECONNECT_DELAY_MS);
      }
    }
  };
  const phase = (): WorkerPhase => {
    if (stopping.aborted) return 'stopping';
    return isPolling ? 'polling' : 'waiting for Temporal';
  };
  return { phase, ended: pollOn() };
}

async function pollOnce(
  { temporal, ...target }: PollingTarget,
  dependencies: ActivityDependencies,
  stopping: AbortSignal,
  tellPolling: (isPolling: boolean) => void,
): Promise<void> {
  const connection = await connectWorker(temporal);
  try {
    const { shipments, webhooks } = await createWorkers(
      { connection, namespace: temporal.namespace, ...target },
      dependencies,
    );
    tellPolling(true);
    await runTogether([shipments, webhooks], stopping);
  } finally {
    tellPolling(false);
    await connection.close();
  }
}

/** Runs the workers until `stopping`. One of them failing ends the others, so that all start anew together. */
async function runTogether(workers: readonly Worker[], stopping: AbortSignal): Promise<void> {
  const stop = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const running = Promise.all(workers.map((worker) => worker.run()));
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  try {
    await running;
  } finally {
    stopping.removeEventListener('abort', stop);
    stop();
  }
}
