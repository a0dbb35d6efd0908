import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { startTimeOf } from '../lock-file.mjs';
import { followFile } from './log-tail.ts';
import type { ProcessLedger } from './process-ledger.ts';
import { signalGroup, signalProcess, type StopSignal } from './signals.ts';

const LOG_LIMIT_BYTES = 20_000_000;

/** What to run, and how to end it. `user` is the system's user to become, for programs that refuse root. */
export interface ProcessSpecification {
  readonly name: string;
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly logFile: string;
  readonly stopSignal: StopSignal;
  readonly graceMs: number;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly onLine?: (line: string) => void;
}

/** How a process ended, in words: `exit code 1` or `signal SIGKILL`. */
export type ExitDescription = string;

/** A running program that leads a process group of its own. */
export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves, never rejects, once the program has ended for whatever reason. */
  readonly exited: Promise<ExitDescription>;
  hasExited(): boolean;
  /** Asks the program to end, then forces it after the specification's grace; resolves once it has ended. */
  stop(): Promise<ExitDescription>;
  /** Ends the program and its group immediately. */
  kill(): void;
}

/**
 * Starts a program in a process group of its own (so that Ctrl-C in the terminal does not reach it) and notes it
 * in the ledger. Its output goes straight into the log file, never through a pipe to this process: it can go on
 * writing when this process was killed. Throws when the program cannot be started at all.
 */
export async function startProcess(
  specification: ProcessSpecification,
  ledger: ProcessLedger,
): Promise<RunningProcess> {
  const log = openLog(specification.logFile);
  const child = spawnDetached(specification, log.descriptor);
  const exited = new Promise<ExitDescription>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `exit code ${code ?? 0}` : `signal ${signal}`),
    );
  });
  const pid = await whenSpawned(child, specification.name).finally(() => closeSync(log.descriptor));
  const { name, stopSignal, graceMs } = specification;
  ledger.add({ name, pid, startTime: startTimeOf(pid), stopSignal, graceMs });
  const follower = followFile(specification.logFile, log.startBytes, specification.onLine);
  let hasEnded = false;
  const ended = exited.then((description) => {
    hasEnded = true;
    ledger.remove(pid);
    follower.finish();
    return description;
  });
  return {
    name,
    pid,
    exited: ended,
    hasExited: () => hasEnded,
    stop: () => stopProcess(pid, specification, ended, () => hasEnded),
    kill: () => {
      if (!hasEnded) signalGroup(pid, 'SIGKILL');
    },
  };
}

function spawnDetached(specification: ProcessSpecification, logDescriptor: number): ChildProcess {
  return spawn(specification.command, [...specification.arguments], {
    cwd: specification.folder,
    env: specification.environment,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', logDescriptor, logDescriptor],
    ...specification.user,
  });
}

async function whenSpawned(child: ChildProcess, name: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => {
      reject(new Error(`${name} could not be started (${cause.message}).`, { cause }));
    });
  });
  if (child.pid === undefined) throw new Error(`${name} was started without a process id.`);
  return child.pid;
}

async function stopProcess(
  pid: number,
  specification: ProcessSpecification,
  ended: Promise<ExitDescription>,
  hasEnded: () => boolean,
): Promise<ExitDescription> {
  if (hasEnded()) return ended;
  signalProcess(pid, specification.stopSignal);
  const force = setTimeout(() => signalGroup(pid, 'SIGKILL'), specification.graceMs);
  try {
    return await ended;
  } finally {
    clearTimeout(force);
  }
}

function openLog(path: string): { readonly descriptor: number; readonly startBytes: number } {
  mkdirSync(dirname(path), { recursive: true });
  if (sizeOf(path) > LOG_LIMIT_BYTES) renameSync(path, `${path}.old`);
  const startBytes = sizeOf(path);
  return { descriptor: openSync(path, 'a', 0o600), startBytes };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
