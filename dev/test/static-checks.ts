import { join } from 'node:path';
import pMap from 'p-map';
import tsconfig from '../../tsconfig.json' with { type: 'json' };
import { say, withProgress } from '../engines/progress.mjs';
import { runProgram } from '../engines/run-program.ts';

/** A program of a package that is run with node and judges the tree by its exit code. */
export interface Check {
  readonly title: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly remedy: string;
}

const PROJECT = join(import.meta.dirname, '..', '..');
const CACHE = 'node_modules/.cache';
const DEPENDENCY_RULES = '.dependency-cruiser.cjs';

/** Format, types, lint and dependency rules of the whole tree, each with the cache of its own program. */
export const STATIC_CHECKS: readonly Check[] = [
  {
    title: 'format',
    program: 'prettier/bin/prettier.cjs',
    arguments: ['--check', '--log-level=warn', '--cache', '--cache-strategy=content', '.'],
    remedy: 'Run `npm run format`.',
  },
  {
    title: 'types',
    program: 'typescript/bin/tsc',
    arguments: ['--noEmit', '--incremental', '--tsBuildInfoFile', `${CACHE}/types.tsbuildinfo`],
    remedy: 'Fix the type errors above.',
  },
  {
    title: 'types of web/',
    program: 'typescript/bin/tsc',
    arguments: ['-p', 'web', '--incremental', '--tsBuildInfoFile', `${CACHE}/types-web.tsbuildinfo`],
    remedy: 'Fix the type errors above.',
  },
  {
    title: 'lint',
    program: 'eslint/bin/eslint.js',
    // A file is linted again when it changes itself, not when a type changes that it imports: CI, without a cache, finds that.
    arguments: [
      ...['--max-warnings=0', '--cache', '--cache-strategy=content'],
      ...[`--cache-location=${CACHE}/eslint/`, '.'],
    ],
    remedy: 'Fix the problems above; `npx eslint --fix .` fixes some of them.',
  },
  {
    title: 'dependency rules',
    program: 'dependency-cruiser/bin/dependency-cruise.mjs',
    arguments: [
      ...['--config', DEPENDENCY_RULES, '--cache', `${CACHE}/dependency-rules`],
      ...['--cache-strategy', 'content', ...tsconfig.include, 'web'],
    ],
    remedy: `The imports above break a rule of ${DEPENDENCY_RULES}.`,
  },
];

/**
 * Runs the checks, two at a time, and prints the whole output of each that fails, with what to do. All of them run,
 * whatever fails: one look shows everything. Resolves to the titles of those that failed.
 */
export async function runChecks(checks: readonly Check[]): Promise<readonly string[]> {
  const outcomes = await pMap(checks, runCheck, { concurrency: 2 });
  return checks.filter((_, index) => outcomes[index] === false).map(({ title }) => title);
}

/** Says how a run of checks and tests ended. Returns the exit code. */
export function conclude(failed: readonly string[]): 0 | 1 {
  say(failed.length === 0 ? 'Everything passed.' : `Failed: ${failed.join(', ')}. See above.`);
  return failed.length === 0 ? 0 : 1;
}

async function runCheck({ title, program, arguments: words, remedy }: Check): Promise<boolean> {
  const startedAt = performance.now();
  const { exitCode, output } = await withProgress(`checking ${title}`, () =>
    runProgram(process.execPath, [join('node_modules', program), ...words], { cwd: PROJECT }),
  );
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(
    exitCode === 0 ? `✔ ${title} (${seconds} s)` : `✘ ${title} (${seconds} s)\n${output.trim()}\n${remedy}\n`,
  );
  return exitCode === 0;
}
