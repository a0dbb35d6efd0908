import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Reply } from './forked-module.ts';

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
const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/** A request in hand. */
interface Pending<Answer, Part> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly onPart: (part: Part) => void;
}

/**
 * A process of our own code for work that would hold the event loop, started when the first request comes. It
 * stays for the next one after an answer, and is killed after one that took too long. Its module calls `serveParent`.
 *
 * It is not a thread: Node 20 can crash as a whole when a thread reaches its heap limit.
 */
export class ForkedProcess<Request extends object, Answer, Part = never> {
  /** The CPU time of the last request, as far as the system reports it (Linux); 0 elsewhere. */
  lastCpuMs = 0;
  readonly #options: Required<ForkedProcessOptions>;
  #child: ChildProcess | undefined;
  #ready: Promise<unknown> = Promise.resolve();
  #pending: Pending<Answer, Part> | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: ForkedProcessOptions) {
    const defaults = { cpuMs: Infinity, lowestPriorityAfterCpuMs: Infinity, priority: PRIORITY_BELOW_NORMAL };
    this.#options = { ...defaults, ...options };
  }

  /**
   * Sends one request (structured clone) and resolves to its answer; `onPart` gets what is posted before. Not to be called
   * again before the promise settles. Rejects with ProcessLimitError at the limit of time or memory, and with an Error when
   * the work fails or the process ends otherwise.
   */
  async request(request: Request, onPart: (part: Part) => void = () => undefined): Promise<Answer> {
    clearTimeout(this.#idleTimer);
    const child = (this.#child ??= this.#start());
    child.ref();
    child.channel?.ref();
    try {
      await this.#ready;
      const answer = await this.#answer(child, request, onPart);
      if (this.lastCpuMs > this.#options.lowestPriorityAfterCpuMs) await this.end();
      return answer;
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      this.#keep();
    }
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

  async #answer(child: ChildProcess, request: Request, onPart: (part: Part) => void): Promise<Answer> {
    const { wallClockMs, cpuMs, lowestPriorityAfterCpuMs } = this.#options;
    this.lastCpuMs = 0;
    const startMs = cpuTimeMs(child) ?? 0;
    const sample = (): void => {
      this.lastCpuMs = (cpuTimeMs(child) ?? startMs + this.lastCpuMs) - startMs;
    };
    const giveUp = (): void => this.#pending?.reject(new ProcessLimitError('time'));
    const timer = setTimeout(giveUp, wallClockMs);
    const sampling = setInterval(() => {
      sample();
      if (this.lastCpuMs > lowestPriorityAfterCpuMs) setPriorityOf(child, PRIORITY_LOW);
      if (this.lastCpuMs > cpuMs) giveUp();
    }, CPU_SAMPLE_MS);
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#pending = { resolve, reject, onPart };
        child.send(request, (error) => {
          if (error) reject(error);
        });
      });
    } finally {
      clearTimeout(timer);
      clearInterval(sampling);
      sample();
    }
  }

  #start(): ChildProcess {
    const child = startProcess(this.#options);
    child.on('message', (reply: Reply<Part, Answer>) => {
      if (reply.kind === 'part') this.#pending?.onPart(reply.part);
      if (reply.kind === 'answer') this.#pending?.resolve(reply.answer);
      if (reply.kind === 'failed') this.#pending?.reject(new Error(`the forked work failed: ${reply.stack}`));
    });
    // A process that dies without work is not missed: the next request starts another.
    child.on('error', (error) => this.#pending?.reject(error));
    child.on('exit', () => {
      this.#pending?.reject(endError(child));
      if (this.#child === child) this.#child = undefined;
    });
    this.#ready = becomesReady(child);
    return child;
  }

  /** An idle process delays neither the end of this one nor, for long, the release of its memory. */
  #keep(): void {
    this.#child?.unref();
    this.#child?.channel?.unref();
    this.#idleTimer = setTimeout(() => void this.end(), this.#options.idleTimeoutMs).unref();
  }
}

function startProcess({ entry, heapMb, priority }: Required<ForkedProcessOptions>): ChildProcess {
  const child = fork(`${fileURLToPath(entry)}.${IS_SOURCE ? 'ts' : 'js'}`, {
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
  setPriorityOf(child, priority);
  return child;
}

/** Resolves with the child's first message, so that its limits of time count its work and not its start. */
function becomesReady(child: ChildProcess): Promise<unknown> {
  const exit = once(child, 'exit').then(() => Promise.reject(endError(child)));
  return Promise.race([once(child, 'message'), exit]);
}

/** How much CPU time a process has used: proc(5) `stat`. Undefined where the system does not say, or it has ended. */
function cpuTimeMs({ pid }: ChildProcess): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid ?? '-'}/stat`, 'utf8');
    // After the name in parentheses: the state, ten fields, then user and system time in hundredths of a second.
    const [userTicks, systemTicks] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(userTicks) + Number(systemTicks)) * 10;
  } catch {
    return undefined;
  }
}

function setPriorityOf({ pid }: ChildProcess, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority);
  } catch {
    // It has ended already, which its exit reports, or the system does not let processes choose.
  }
}

function endError({ exitCode, signalCode }: ChildProcess): Error {
  const isOutOfMemory = signalCode === 'SIGABRT' || signalCode === 'SIGKILL' || exitCode === ABORT_CODE;
  if (isOutOfMemory) return new ProcessLimitError('memory');
  return new Error(
    `the process exited without a response (code ${exitCode ?? '-'}, signal ${signalCode ?? '-'})`,
  );
}
