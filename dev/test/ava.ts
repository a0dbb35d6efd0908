import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { signalGroup } from '../engines/signals.ts';
import type { Tally } from './tally.ts';

const CONCURRENCY = 2;
/**
 * AVA's summary has one line per kind, but names the passed tests only when nothing failed; otherwise the lines of
 * the single tests tell.
 */
const PASSED = /^\s*(\d+) tests? passed$/;
const PASSED_TEST = /^ {2}[✔√] /;
const FAILED =
  /^\s*(\d+) (?:(?:tests?|hooks?) failed|uncaught exceptions?|unhandled rejections?|tests? remained pending)/;
const NOT_RUN = /^\s*(\d+) (?:tests? skipped|tests? todo)$/;

/** A running AVA: `kill` ends it and its test processes immediately. */
export interface AvaRun {
  readonly pid: number | undefined;
  readonly finished: Promise<Tally>;
  kill(): void;
}

/**
 * Runs AVA on the given files, or on all of them, two test files at a time, and streams its output through.
 * A run that ends badly counts at least one failure, whatever its summary says.
 */
export function startAva(
  projectFolder: string,
  files: readonly string[],
  environment: NodeJS.ProcessEnv,
): AvaRun {
  const program = join('node_modules', 'ava', 'entrypoints', 'cli.mjs');
  const child = spawn(process.execPath, [program, '--concurrency', String(CONCURRENCY), ...files], {
    cwd: projectFolder,
    env: { ...environment, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  child.stderr.pipe(process.stderr, { end: false });
  return { pid: child.pid, finished: watch(child), kill: () => killGroup(child) };
}

/**
 * Adds up what AVA wrote. A test that is skipped or to do promises nothing and counts as a failure, so that no one
 * forgets it. Exported for its test.
 */
export function readSummary(output: string): Tally {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  const sum = (pattern: RegExp): number =>
    lines.reduce((total, line) => total + Number(pattern.exec(line)?.[1] ?? 0), 0);
  const passedTests = lines.filter((line) => PASSED_TEST.test(line)).length;
  return { passed: sum(PASSED) || passedTests, failed: sum(FAILED) + sum(NOT_RUN) };
}

function watch(child: ChildProcess): Promise<Tally> {
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    process.stdout.write(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const { passed, failed } = readSummary(Buffer.concat(chunks).toString('utf8'));
      resolve({ passed, failed: code === 0 ? failed : Math.max(failed, 1) });
    });
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined && child.exitCode === null) signalGroup(child.pid, 'SIGKILL');
}
