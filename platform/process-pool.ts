import { createFairQueue } from './fair-queue.ts';
import type { QueueBounds } from './fair-queue.ts';
import { ForkedProcess } from './forked-process.ts';
import type { ForkedProcessOptions } from './forked-process.ts';
import type { MetricLabels } from './metrics/metric-table.ts';
import { provideQueue } from './metrics/metrics.ts';

/** Requests that may wait. */
export type WaitingBounds = Pick<QueueBounds, 'maxWaitingPerCaller' | 'maxWaiting'>;

/** Forked processes of one module, and those who wait for them. */
export interface ProcessPool<Request extends object, Answer, Part = never> {
  /**
   * Sends a request in the caller's turn, as `ForkedProcess.request` does; a caller has one in hand at a time. Rejects with
   * QueueFullError when too many wait.
   */
  readonly run: (caller: string, request: Request, onPart?: (part: Part) => void) => Promise<Answer>;
  /** Ends the processes, whatever they do. */
  readonly close: () => Promise<void>;
}

export interface ProcessPoolOptions extends ForkedProcessOptions {
  /** The pool's name in the metrics. */
  readonly name: MetricLabels<'work_queue_items'>['queue'];
  readonly size: number;
  readonly waiting: WaitingBounds;
  /** Gets the CPU time of each request when it is done or given up, as far as the system reports it. */
  readonly onUsed?: (caller: string, cpuMs: number) => void;
}

/** Makes a pool of `size` processes, each started when it is first needed (decision 0019: why not a library's). */
export function createProcessPool<Request extends object, Answer, Part = never>(
  options: ProcessPoolOptions,
): ProcessPool<Request, Answer, Part> {
  const { size, waiting, onUsed } = options;
  const processes = Array.from({ length: size }, () => new ForkedProcess<Request, Answer, Part>(options));
  const free = [...processes];
  const queue = createFairQueue({ concurrency: size, concurrencyPerCaller: 1, ...waiting });
  provideQueue(options.name, queue.counts);
  return {
    run: (caller, request, onPart) =>
      queue.run({ name: caller, standing: 'trusted' }, async () => {
        const forked = free.pop();
        if (forked === undefined) throw new Error('more requests are in hand than there are processes');
        try {
          return await forked.request(request, onPart);
        } finally {
          onUsed?.(caller, forked.lastCpuMs);
          free.push(forked);
        }
      }),
    close: async () => {
      await Promise.all(processes.map((forked) => forked.end()));
    },
  };
}
