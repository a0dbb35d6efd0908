import { Worker } from 'node:worker_threads';

import type { Refusal } from './refusal.ts';
import type { ThreadMessage, ThreadRow } from './thread-message.ts';

export interface ReadingThreadLimits {
  readonly wallClockMs: number;
  readonly heapMb: number;
  readonly keepMs: number;
}

export interface ThreadAnswer {
  readonly answer: Exclude<ThreadMessage, { readonly kind: 'rows' }>;
  readonly rows: readonly ThreadRow[];
}

const THREAD_ENTRY = new URL('./workbook-thread-start.mjs', import.meta.url);
/** V8 collects short-lived objects three times as often with half of it. */
const YOUNG_GENERATION_MB = 32;
const STACK_MB = 2;

/**
 * A thread that reads workbooks, started when the first file comes. It stays for the next file after one
 * that it read, and ends after one that was refused, took too long or needed too much memory.
 */
export class ReadingThread {
  readonly #limits: ReadingThreadLimits;
  #worker: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(limits: ReadingThreadLimits) {
    this.#limits = limits;
  }

  /** Reads one file; not to be called again before the promise settles. */
  async read(file: Uint8Array): Promise<ThreadAnswer> {
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    const rows: ThreadRow[] = [];
    let answer: ThreadAnswer['answer'] | undefined;
    try {
      worker.postMessage(file);
      answer = await this.#answer(worker, rows);
    } finally {
      if (answer?.kind === 'end') this.#keep(worker);
      else await this.end();
    }
    return { answer, rows };
  }

  async end(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #answer(worker: Worker, rows: ThreadRow[]): Promise<ThreadAnswer['answer']> {
    const { wallClockMs } = this.#limits;
    let stop = (): void => undefined;
    try {
      return await new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => resolve({ kind: 'refused', refusal: tooSlow(wallClockMs) }),
          wallClockMs,
        );
        const hear = (message: ThreadMessage): void => {
          if (message.kind !== 'rows') resolve(message);
          else for (const row of message.rows) rows.push(row);
        };
        const fail = (error: unknown): void => {
          if (isOutOfMemory(error)) resolve({ kind: 'refused', refusal: TOO_BIG_FOR_MEMORY });
          else
            reject(error instanceof Error ? error : new Error('the reading thread failed', { cause: error }));
        };
        const exit = (): void => reject(new Error('the reading thread ended without an answer'));
        worker.on('message', hear).on('error', fail).on('exit', exit);
        stop = () => {
          clearTimeout(timer);
          worker.off('message', hear).off('error', fail).off('exit', exit);
        };
      });
    } finally {
      stop();
    }
  }

  #start(): Worker {
    const worker = startWorker(this.#limits.heapMb);
    // A thread that dies without work is not missed: the next file starts another.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  /** An idle thread holds nobody up: neither the process's end nor, for long, its memory. */
  #keep(worker: Worker): void {
    worker.unref();
    this.#idleTimer = setTimeout(() => void this.end(), this.#limits.keepMs).unref();
  }
}

function startWorker(heapMb: number): Worker {
  return new Worker(THREAD_ENTRY, {
    resourceLimits: {
      maxOldGenerationSizeMb: heapMb,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      stackSizeMb: STACK_MB,
    },
    // The main thread's flags (a loader, an inspector, a heap size) and settings are not meant for it.
    execArgv: [],
    env: {},
  });
}

const TOO_BIG_FOR_MEMORY: Refusal = {
  kind: 'too_large',
  message: 'The workbook needs more memory than an import may use. Split it into several smaller ones.',
};

function tooSlow(wallClockMs: number): Refusal {
  return {
    kind: 'too_large',
    message: `The workbook could not be read within ${wallClockMs / 1000} seconds. Split it into several smaller ones.`,
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
