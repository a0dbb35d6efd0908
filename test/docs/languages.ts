import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

const EXAMPLES_FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'examples');

/** A language of the examples in `docs/examples`: its programs by their subject, and what starts one of them. */
export interface Language {
  readonly name: string;
  readonly receiver: string;
  readonly shop: string;
  /** A program that is there exactly where the language is installed, with arguments that only print a version. */
  readonly probe: readonly [program: string, argument: string];
  readonly start: (
    file: string,
    t: ExecutionContext,
  ) => Promise<readonly [program: string, ...words: string[]]>;
}

export const LANGUAGES: readonly Language[] = [
  {
    name: 'Node',
    receiver: 'receiver.mjs',
    shop: 'shop.mjs',
    probe: [process.execPath, '--version'],
    start: (file) => Promise.resolve([process.execPath, file]),
  },
  {
    name: 'PHP',
    receiver: 'receiver.php',
    shop: 'shop.php',
    probe: ['php', '--version'],
    start: (file) => Promise.resolve(['php', file]),
  },
  {
    name: 'Python',
    receiver: 'receiver.py',
    shop: 'shop.py',
    probe: ['python3', '--version'],
    start: (file) => Promise.resolve(['python3', file]),
  },
  { name: 'Go', receiver: 'receiver.go', shop: 'shop.go', probe: ['go', 'version'], start: compiledGo },
  {
    name: 'Java',
    receiver: 'Receiver.java',
    shop: 'Shop.java',
    probe: ['javac', '--version'],
    start: (file) => Promise.resolve(['java', file]),
  },
];

/** `go run` would start a second process, which outlives it when it is killed. */
async function compiledGo(file: string, t: ExecutionContext): Promise<readonly [string]> {
  const folder = await mkdtemp(join(tmpdir(), 'example-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, file.replace('.go', ''));
  const { status, stderr } = spawnSync('go', ['build', '-o', program, file], {
    cwd: EXAMPLES_FOLDER,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`go build ${file}: ${stderr}`);
  return [program];
}

/** Whether programs of the language can be run here; where not, the test's log says what is missing. */
export function isInstalled(t: ExecutionContext, { name, probe: [program, argument] }: Language): boolean {
  if (spawnSync(program, [argument]).status === 0) return true;
  t.log(`not run: ${name} needs ${program}, which is not installed`);
  t.pass();
  return false;
}

/** Starts an example; the test's end ends it. */
export function startExample(
  t: ExecutionContext,
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
): ChildProcessWithoutNullStreams {
  const [program, ...words] = command;
  const child = spawn(program, words, { cwd: EXAMPLES_FOLDER, env: { ...process.env, ...environment } });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}
