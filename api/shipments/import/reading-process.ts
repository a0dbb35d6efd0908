import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { PostedRow, ReadingMessage } from './reading-message.ts';
import type { Refusal } from './refusal.ts';

export interface ReadingLimits {
  readonly wallClockMs: number;
  readonly heapMb: number;
  readonly keepMs: number;
}

export interface ReadingAnswer {
  readonly answer: Extract<ReadingMessage, { readonly kind: 'end' | 'refused' }>;
  readonly rows: readonly PostedRow[];
}

/** From source the child needs the loader that this process has; a build is plain JavaScript. */
const IS_SOURCE = import.meta.url.endsWith('.ts');
const ENTRY = fileURLToPath(new URL(`./workbook-process.${IS_SOURCE ? 'ts' : 'js'}`, import.meta.url));
/** Room for short-lived objects; with V8's usual 16 MB a quarter of the time goes into collecting them. */
const SEMI_SPACE_MB = 32;
/** How a process says that V8 found no more memory: a signal, or a code where there are none. */
const ABORT_CODE = 134;

/**
 * A process that reads workbooks, started when the first file comes. It stays for the next file after one
 * that it read or refused, and is killed after one that took too long.
 *
 * It is no thread: Node 20 can crash as a whole when a thread reaches its heap limit.
 */
export class ReadingProcess {
  readonly #limits: ReadingLimits;
  #child: ChildProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(limits: ReadingLimits) {
    this.#limits = limits;
  }

  /** Reads one file; not to be called again before the promise settles. Rejects when the reader is broken. */
  async read(file: Uint8Array): Promise<ReadingAnswer> {
    clearTimeout(this.#idleTimer);
    const child = (this.#child ??= this.#start());
    child.ref();
    child.channel?.ref();
    try {
      const answer = await this.#answer(child, file);
      this.#keep(child);
      return answer;
    } catch (error) {
      await this.end();
      if (error instanceof GivenUp) return { answer: { kind: 'refused', refusal: error.refusal }, rows: [] };
      throw error;
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    // The end of an idle process is worth waiting for.
    child.ref();
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  async #answer(child: ChildProcess, file: Uint8Array): Promise<ReadingAnswer> {
    const { wallClockMs } = this.#limits;
    const rows: PostedRow[] = [];
    let stop = (): void => undefined;
    try {
      return await new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new GivenUp(tooSlow(wallClockMs))), wallClockMs);
        const hear = (message: ReadingMessage): void => {
          if (message.kind === 'failed') reject(new Error(`reading a workbook failed: ${message.stack}`));
          else if (message.kind !== 'rows') resolve({ answer: message, rows });
          else for (const row of message.rows) rows.push(row);
        };
        const exit = (code: number | null, signal: string | null): void => reject(endError(code, signal));
        child.on('message', hear).on('error', reject).on('exit', exit);
        stop = () => {
          clearTimeout(timer);
          child.off('message', hear).off('error', reject).off('exit', exit);
        };
        child.send(file, (error) => {
          if (error) reject(error);
        });
      });
    } finally {
      stop();
    }
  }

  #start(): ChildProcess {
    const child = startProcess(this.#limits.heapMb);
    // A process that dies without work is not missed: the next file starts another.
    child.on('error', () => undefined);
    child.on('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    return child;
  }

  /** An idle process holds nobody up: neither the end of this one nor, for long, its memory. */
  #keep(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    this.#idleTimer = setTimeout(() => void this.end(), this.#limits.keepMs).unref();
  }
}

/** Thrown when a process was given up because of the file it read. */
class GivenUp extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'GivenUp';
    this.refusal = refusal;
  }
}

function startProcess(heapMb: number): ChildProcess {
  return fork(ENTRY, {
    execArgv: [
      `--max-old-space-size=${heapMb}`,
      `--max-semi-space-size=${SEMI_SPACE_MB}`,
      ...(IS_SOURCE ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] : []),
    ],
    // Secrets and settings of this process are not meant for one that reads strangers' files.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function endError(code: number | null, signal: string | null): Error {
  const isOutOfMemory = signal === 'SIGABRT' || signal === 'SIGKILL' || code === ABORT_CODE;
  if (isOutOfMemory) return new GivenUp(TOO_BIG_FOR_MEMORY);
  return new Error(
    `the reading process ended without an answer (code ${code ?? '-'}, signal ${signal ?? '-'})`,
  );
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
