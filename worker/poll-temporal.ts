import { NativeConnection } from '@temporalio/worker';
import type { Worker } from '@temporalio/worker';
import { setTimeout as delay } from 'node:timers/promises';
import type { ActivityDependencies } from '../activities/index.ts';
import type { TemporalConfig } from '../platform/config.ts';
import type { Logger } from '../platform/log.ts';
import { connectionOptions } from '../platform/temporal.ts';
import { createWorkers } from './create-worker.ts';
import type { WorkerTarget } from './create-worker.ts';
import { probeTemporal } from './temporal-probe.ts';

const RECONNECT_DELAY_MS = 1_000;
/** Two probes that failed at their deadline. One slow answer of a busy server is not a lost server. */
const MAXIMUM_SILENCE_MS = 8_000;

/** What is polled: where Temporal is, which queue, and which workflow code. */
export interface PollingTarget extends Omit<WorkerTarget, 'connection' | 'namespace'> {
  readonly temporal: TemporalConfig;
}

/** Polling that goes on until it is stopped. */
export interface Polling {
  /** Why tasks cannot be polled at this moment; undefined while they are. */
  readonly obstacle: () => string | undefined;
  /** Resolves after `stopping`, when what was under way is done. Never rejects. */
  readonly ended: Promise<void>;
}

/**
 * Polls Temporal until `stopping`, and connects again whenever Temporal is unreachable: at the start, in between, or
 * because one of the workers failed.
 */
export function pollTemporal(
  target: PollingTarget,
  dependencies: ActivityDependencies,
  log: Logger,
  stopping: AbortSignal,
): Polling {
  const disconnected = (): string => 'Temporal is unreachable: connecting';
  let obstacle: () => string | undefined = disconnected;
  const pollOn = async (): Promise<void> => {
    while (!stopping.aborted) {
      try {
        await pollOnce(target, dependencies, stopping, (obstacleOfWorkers) => {
          obstacle = obstacleOfWorkers;
          log.info({ taskQueue: target.taskQueue, ...target.version }, 'worker ready');
        });
      } catch (error) {
        logEnd(log, error, stopping);
        await delay(RECONNECT_DELAY_MS, undefined, { signal: stopping }).catch(() => undefined);
      } finally {
        obstacle = disconnected;
      }
    }
  };
  return {
    obstacle: () => (stopping.aborted ? 'the worker is stopping' : obstacle()),
    ended: pollOn(),
  };
}

function logEnd(log: Logger, error: unknown, stopping: AbortSignal): void {
  const reason = error instanceof Error ? error.message : 'unknown';
  const message = stopping.aborted ? 'worker stop forced' : 'Temporal unreachable, retrying';
  log.warn({ reason }, message);
}

/** Polls on one connection, until `stopping` or a failure. `onPolling` gets the check of whether tasks can be polled. */
async function pollOnce(
  { temporal, ...target }: PollingTarget,
  dependencies: ActivityDependencies,
  stopping: AbortSignal,
  onPolling: (obstacle: () => string | undefined) => void,
): Promise<void> {
  const connection = await NativeConnection.connect(connectionOptions(temporal));
  try {
    const workers = await createWorkers(
      { connection, namespace: temporal.namespace, ...target },
      dependencies,
    );
    const probe = probeTemporal(connection, { namespace: temporal.namespace, taskQueue: target.taskQueue });
    const running = runTogether(workers, stopping);
    onPolling(() => obstacleOf(workers, probe.silentMs()));
    await running.finally(probe.stop);
  } finally {
    await connection.close();
  }
}

function obstacleOf(workers: readonly Worker[], silentMs: number): string | undefined {
  const stopped = workers.map((worker) => worker.getState()).find((state) => state !== 'RUNNING');
  if (stopped !== undefined) return `a worker is ${stopped.toLowerCase()}`;
  if (silentMs <= MAXIMUM_SILENCE_MS) return undefined;
  return `Temporal is unreachable: no answer for ${Math.round(silentMs / 1_000)} s`;
}

/**
 * Runs the workers until `stopping`. When one fails the others end as well, so that all start again together. Rejects
 * with the first failure when all have ended: only then may their connection be closed.
 */
async function runTogether(workers: readonly Worker[], stopping: AbortSignal): Promise<void> {
  const stop = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const running = workers.map((worker) => worker.run().finally(stop));
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  const results = await Promise.allSettled(running);
  stopping.removeEventListener('abort', stop);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
