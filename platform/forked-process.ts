import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cpuTimeMs } from './process-cpu.ts';

export interface ForkedProcessOptions {
  /** The module to run, without its ending: `.ts` from source, `.js` from a build. */
  readonly entry: URL;
  readonly heapMb: number;
  /** A request that takes longer is given up and its process killed. */
  readonly wallClockMs: number;
  /** The same for its CPU time, where the system reports it (Linux); by default there is no such limit. */
  readonly cpuMs?: number;
  /** How long a process without work is kept for the next request, which it takes without starting up. */
  readonly idleTimeoutMs: number;
  /** One of `os.constants.priority`: below normal by default, so that requests with a short answer go first. */
  readonly priority?: number;
  /**
   * A request that takes more CPU time goes on at the lowest priority, and its process ends with it, since a process may
   * not raise its priority again; by default none does.
   */
  readonly lowestPriorityAfterCpuMs?: number;
}

/** Thrown when a process was given up because of the request it had in hand. */
export class ProcessLimitError extends Error {
  readonly reason: 'time' | 'memory';

  constructor(reason: 'time' | 'memory') {
    super(`process limit exceeded: ${reason}`);
    this.name = 'ProcessLimitError';
    this.reason = reason;
  }
}

/** From source the child needs the loader that this process has; a build is plain JavaScript. */
const IS_SOURCE = import.meta.url.endsWith('.ts');
/** Room for short-lived objects; with V8's usual 16 MB a quarter of the time goes into collecting them. */
const SEMI_SPACE_MB = 32;
/** How often the CPU time of a process at work is read. */
const CPU_SAMPLE_MS = 100;
/** How a process says that V8 found no more memory: a signal, or a code where there are none. */
const ABORT_CODE = 134;

/**
 * A process of our own code for work that would hold the event loop, started when the first request comes. It
 * stays for the next one after an answer, and is killed after one that took too long. `Message` is what its
 * module posts.
 *
 * It is not a thread: Node 20 can crash as a whole when a thread reaches its heap limit.
 */
export class ForkedProcess<Message> {
  readonly #options: ForkedProcessOptions;
  #child: ChildProcess | undefined;
  #ready: Promise<void> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;
  #lastCpuMs = 0;

  constructor(options: ForkedProcessOptions) {
    this.#options = options;
  }

  /**
   * Sends one request (structured clone) and gives each message to `handleMessage`, until it returns the answer or
   * throws. Not to be called again before the promise settles. Rejects with ProcessLimitError at the limit of time or
   * memory, and with an Error when the process ends otherwise.
   */
  async request<Answer extends object>(
    request: object,
    handleMessage: (message: Message) => Answer | undefined,
  ): Promise<Answer> {
    clearTimeout(this.#idleTimer);
    const child = (this.#child ??= this.#start());
    child.ref();
    child.channel?.ref();
    try {
      await this.#ready;
      const answer = await this.#answer(child, request, handleMessage);
      if (this.#lastCpuMs > this.#lowestPriorityAfterCpuMs) await this.end();
      else this.#keep(child);
      return answer;
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  /** The CPU time of the last request, as far as the system reports it (Linux); 0 elsewhere. */
  get lastCpuMs(): number {
    return this.#lastCpuMs;
  }

  get #lowestPriorityAfterCpuMs(): number {
    return this.#options.lowestPriorityAfterCpuMs ?? Infinity;
  }

  /** Kills the process, whatever it does; the next request starts another. */
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

  async #answer<Answer extends object>(
    child: ChildProcess,
    request: object,
    handleMessage: (message: Message) => Answer | undefined,
  ): Promise<Answer> {
    let stop = (): void => undefined;
    try {
      return await new Promise((resolve, reject) => {
        const giveUp = (): void => reject(new ProcessLimitError('time'));
        const timer = setTimeout(giveUp, this.#options.wallClockMs);
        const { cpuMs = Infinity } = this.#options;
        const cpuTime = watchCpuTime(child, (usedMs) => {
          if (usedMs > this.#lowestPriorityAfterCpuMs) setPriorityOf(child, constants.priority.PRIORITY_LOW);
          if (usedMs > cpuMs) giveUp();
        });
        const onMessage = (message: Message): void => {
          try {
            const answer = handleMessage(message);
            if (answer !== undefined) resolve(answer);
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        };
        const onExit = (code: number | null, signal: string | null): void => reject(endError(code, signal));
        child.on('message', onMessage).on('error', reject).on('exit', onExit);
        stop = () => {
          clearTimeout(timer);
          this.#lastCpuMs = cpuTime.stop();
          child.off('message', onMessage).off('error', reject).off('exit', onExit);
        };
        child.send(request, (error) => {
          if (error) reject(error);
        });
      });
    } finally {
      stop();
    }
  }

  #start(): ChildProcess {
    const child = startProcess(this.#options);
    setPriorityOf(child, this.#options.priority ?? constants.priority.PRIORITY_BELOW_NORMAL);
    this.#ready = becomesReady(child);
    // A process that dies without work is not missed: the next request starts another.
    child.on('error', () => undefined);
    child.on('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    return child;
  }

  /** An idle process delays neither the end of this one nor, for long, the release of its memory. */
  #keep(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    this.#idleTimer = setTimeout(() => void this.end(), this.#options.idleTimeoutMs).unref();
  }
}

/** Resolves with the child's first message, so that its limits of time count its work and not its start. */
async function becomesReady(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(endError(code, signal)));
  });
}

/** Gives `onSample` the CPU time that the process has used from now on, until `stop`, which returns it. */
function watchCpuTime(
  { pid }: ChildProcess,
  onSample: (usedMs: number) => void,
): { readonly stop: () => number } {
  const readMs = (): number | undefined => (pid === undefined ? undefined : cpuTimeMs(pid));
  const startMs = readMs();
  if (startMs === undefined) return { stop: () => 0 };
  let usedMs = 0;
  const sample = (): number => {
    usedMs = (readMs() ?? startMs + usedMs) - startMs;
    return usedMs;
  };
  const timer = setInterval(() => onSample(sample()), CPU_SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return sample();
    },
  };
}

function startProcess({ entry, heapMb }: ForkedProcessOptions): ChildProcess {
  return fork(`${fileURLToPath(entry)}.${IS_SOURCE ? 'ts' : 'js'}`, {
    execArgv: [
      `--max-old-space-size=${heapMb}`,
      `--max-semi-space-size=${SEMI_SPACE_MB}`,
      ...(IS_SOURCE ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] : []),
    ],
    // Secrets and settings of this process are not meant for one that works on strangers' data.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function setPriorityOf({ pid }: ChildProcess, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority);
  } catch {
    // It has ended already, which its exit reports, or the system does not let processes choose.
  }
}

function endError(code: number | null, signal: string | null): Error {
  const isOutOfMemory = signal === 'SIGABRT' || signal === 'SIGKILL' || code === ABORT_CODE;
  if (isOutOfMemory) return new ProcessLimitError('memory');
  return new Error(`the process exited without a response (code ${code ?? '-'}, signal ${signal ?? '-'})`);
}
