import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rename, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { followFile, lastLines } from './log-tail.ts';
import { say } from './progress.mjs';

const KEEPER_PROGRAM = join(import.meta.dirname, 'keeper-process.mjs');
const LOG_LIMIT_BYTES = 20_000_000;
const LOG_LINES = 15;

/** What to run, and how to end it. `user` is the system's user to become, for programs that do not run as root. */
export interface ProcessSpecification {
  readonly name: string;
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
  /** Gets its output; undefined: the terminal does. */
  readonly logFile: string | undefined;
  /** Asks it to end. PostgreSQL's fast shutdown is SIGINT. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  readonly graceMs: number;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Gets each line of its log. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** How a process ended, in words: `exit code 1` or `signal SIGKILL`. */
export type ExitDescription = string;

/** A running program that leads a process group of its own. */
export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string | undefined;
  /** Resolves, never rejects, once the program has ended for whatever reason. */
  readonly exited: Promise<ExitDescription>;
  hasExited(): boolean;
  /** Asks the program to end, then forces it after the specification's grace; resolves once it has ended. */
  stop(): Promise<ExitDescription>;
  /** Ends the program and its group immediately. */
  kill(): void;
}

/** What the keeper's process writes: how it stands with the lock, and what happened to the process `id`. */
type Message =
  | { readonly state: 'ready' | 'waiting' }
  | { readonly state: 'held'; readonly owner: number }
  | ({ readonly id: number } & ProcessNews);
type ProcessNews = { readonly pid: number } | { readonly problem: string } | { readonly exit: string };

/**
 * Starts processes by another one, the keeper, which ends them when this one ends, however it ends: a `kill -9` of this
 * process leaves nothing behind (keeper-process.mjs).
 */
export class Keeper {
  readonly #process: ChildProcess;
  readonly #listeners = new Map<number, (news: ProcessNews) => void>();

  private constructor(child: ChildProcess) {
    this.#process = child;
    child.on('message', (message) => {
      if (isMessage(message) && 'id' in message) this.#listeners.get(message.id)?.(message);
    });
    child.once('exit', () => {
      for (const listener of this.#listeners.values()) listener({ exit: 'its keeper' });
    });
  }

  /**
   * Starts a keeper. With `ownedFolder` there is one for that folder at a time: waits for one that is stopping, and throws
   * while another works. `temporaryFolder` is removed once all processes have ended.
   */
  static async open(folders: {
    readonly ownedFolder?: string;
    readonly temporaryFolder?: string;
  }): Promise<Keeper> {
    const child = fork(KEEPER_PROGRAM, [folders.ownedFolder ?? '', folders.temporaryFolder ?? ''], {
      // Not those of this process: the keeper needs no compiler.
      execArgv: [],
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const keeper = new Keeper(child);
    await new Promise<void>((resolve, reject) => {
      let isWaiting = false;
      child.on('message', (message) => {
        if (!isMessage(message) || 'id' in message) return;
        if (message.state === 'ready') resolve();
        else if (message.state === 'held') reject(alreadyRunning(message.owner));
        else if (!isWaiting) say('Waiting for the command that is stopping on this data folder…');
        isWaiting = true;
      });
      child.once('exit', () => reject(new Error('The keeper of the processes could not be started.')));
    }).catch(async (error: unknown) => {
      await keeper.close();
      throw error;
    });
    return keeper;
  }

  /** Starts a program. Throws when it cannot be started at all. */
  async start(specification: ProcessSpecification): Promise<RunningProcess> {
    const { name, command, arguments: words, logFile, stopSignal, graceMs } = specification;
    const { folder: cwd, environment: env, user, onLine } = specification;
    const startBytes = logFile === undefined ? 0 : await openLog(logFile);
    const id = this.#listeners.size;
    let exit: string | undefined;
    let onExit: (exit: ExitDescription) => void = () => undefined;
    const exited = new Promise<ExitDescription>((resolve) => {
      onExit = resolve;
    });
    const pid = await new Promise<number>((resolve, reject) => {
      this.#listeners.set(id, (news) => {
        if ('pid' in news) {
          resolve(news.pid);
          return;
        }
        const problem = 'problem' in news ? news.problem : news.exit;
        exit = problem;
        onExit(problem);
        reject(new Error(`${name} could not be started (${problem}).`));
      });
      const options = { cwd, env, ...user };
      this.#send({ request: 'start', id, command, words, options, logFile, stopSignal, graceMs });
    });
    const follower =
      onLine === undefined || logFile === undefined ? undefined : followFile(logFile, startBytes, onLine);
    void exited.then(() => follower?.finish());
    const request = (word: 'stop' | 'kill') => {
      if (exit === undefined && this.#process.connected) this.#send({ request: word, id });
    };
    return {
      ...{ name, pid, logFile, exited },
      hasExited: () => exit !== undefined,
      stop: () => {
        request('stop');
        return exited;
      },
      kill: () => request('kill'),
    };
  }

  /** Leaves the temporary folder in its place. */
  keepFolder(): void {
    this.#send({ request: 'keepFolder' });
  }

  /** Ends every process in order, the last one first, and then the keeper. */
  async close(): Promise<void> {
    if (!this.#process.connected) return;
    const hasEnded = once(this.#process, 'exit');
    this.#process.disconnect();
    await hasEnded;
  }

  #send(message: object): void {
    if (!this.#process.connected) throw new Error('The keeper of the processes has ended.');
    this.#process.send(message);
  }
}

/** A disposable folder, with a keeper that removes it at the end. */
export interface Run {
  readonly folder: string;
  readonly keeper: Keeper;
}

/** Makes a temporary folder for a run of tests or measurements, and a keeper for its processes. */
export async function openRun(purpose: string): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), `shipments-${purpose}-`));
  // PostgreSQL's user passes through this folder to its own one inside.
  await chmod(folder, userInfo().uid === 0 ? 0o711 : 0o700);
  return { folder, keeper: await Keeper.open({ temporaryFolder: folder }) };
}

/**
 * Waits until `check` no longer throws. Throws, with the end of its log, when the process ends before, and ends it when the
 * time is over.
 */
export async function untilReady(
  running: RunningProcess,
  check: () => Promise<unknown>,
  timeoutMs = 120_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const problem = await check().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (problem === undefined) return;
    if (running.hasExited()) throw failure(running, `ended with ${await running.exited}`);
    if (performance.now() > deadline) {
      running.kill();
      throw failure(running, `was not ready after ${timeoutMs / 1000} s (${problem})`);
    }
    await delay(50);
  }
}

/** Throws unless an API's or a worker's health page says that it is ready. */
export async function checkHealth(baseUrl: string): Promise<void> {
  const response = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(5_000) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`its health page answers ${response.status}`);
}

/** An error about a process, with the end of its log. */
export function failure({ name, logFile }: RunningProcess, what: string): Error {
  const log = logFile === undefined ? '' : `\n${lastLines(logFile, LOG_LINES)}\nLog: ${logFile}`;
  return new Error(`${name} ${what}.${log}`);
}

function alreadyRunning(owner: number): Error {
  return new Error(
    `\`npm start\` is already running on this data folder (process ${owner}). Stop it first, or set DATA_DIR to another folder.`,
  );
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && ('id' in value || 'state' in value);
}

/** Makes the folder of a log, puts one aside that has become large, and returns the length of what is there, in bytes. */
async function openLog(path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= LOG_LIMIT_BYTES) return size;
  await rename(path, `${path}.old`);
  return 0;
}
