// `npm run check:node`: `npm test` under each version of Node that the service supports, one after the other. The versions come
// from npm's package `node`, so that nothing has to be installed by hand.
// `npm run check:node -- 24`: that version alone. `npm run check:node -- 24 FILE…`: the tests of those files alone.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { say, withProgress } from './engines/progress.mjs';
import { runProgram } from './engines/run-program.ts';

const projectFolder = join(import.meta.dirname, '..');
/** The versions that the README names and that Node's own project still supports. */
const MAJOR_VERSIONS = ['22', '24'];

/** Installs the newest Node of a major version below `.data`, unless it is there. Resolves to its program. */
async function installNode(major: string): Promise<string> {
  const folder = join(projectFolder, '.data', 'node', major);
  const program = join(
    folder,
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  const words = ['install', '--prefix', folder, '--no-save', '--ignore-scripts=false', `node@${major}`];
  const { exitCode, output } = await withProgress(`installing Node ${major}`, () => runProgram('npm', words));
  if (exitCode !== 0 || !existsSync(program))
    throw new Error(`Node ${major} could not be installed from npm:\n${output.trim()}`);
  return program;
}

interface NodeResult {
  readonly version: string;
  readonly passed: boolean;
  readonly minutes: number;
}

/** Runs the tests under one version, with what they print. */
async function runTests(major: string, files: readonly string[]): Promise<NodeResult> {
  const program = await installNode(major);
  const version = (await runProgram(program, ['--version'])).output.trim();
  say(`\nNode ${version}`);
  const startedAtMs = performance.now();
  const { status } = spawnSync(program, ['--import', 'tsx', join('dev', 'test.ts'), ...files], {
    cwd: projectFolder,
    // Programs of packages look for `node` on the path.
    env: { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env['PATH'] ?? ''}` },
    stdio: 'inherit',
  });
  return { version, passed: status === 0, minutes: (performance.now() - startedAtMs) / 60_000 };
}

const isMajor = (word: string): boolean => /^\d+$/.test(word);
const words = process.argv.slice(2);
const majors = words.some(isMajor) ? words.filter(isMajor) : MAJOR_VERSIONS;
const files = words.filter((word) => !isMajor(word));
try {
  const results: NodeResult[] = [];
  for (const major of majors) results.push(await runTests(major, files));
  for (const { version, passed, minutes } of results)
    say(
      `${passed ? '✔' : '✘'} Node ${version}: ${passed ? 'passed' : 'failed'} after ${minutes.toFixed(1)} min`,
    );
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
