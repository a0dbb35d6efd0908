import { join } from 'node:path';
import { runProgram } from '../engines/run-program.ts';
import type { Say } from '../engines/progress.ts';
import { withProgress } from '../engines/progress.ts';
import type { PassedBefore } from './passed-before.ts';
import { openPassedBefore } from './passed-before.ts';
import type { Tally } from './tally.ts';

/** A program of a package that is run with node and judges the tree by its exit code. */
export interface Check {
  readonly title: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly remedy: string;
  /** Lines of its output that tell nothing about a failure. */
  readonly noise?: RegExp;
  /** It has no cache of its own that sees every change: it is left out where it passed on the same sources before. */
  readonly isKept?: boolean;
}

const CACHE_FOLDER = join('node_modules', '.cache', 'passed-checks');
const DEPENDENCY_RULES = '.dependency-cruiser.cjs';

/** Format, types, lint and dependency rules of the whole tree. */
export const STATIC_CHECKS: readonly Check[] = [
  {
    title: 'format',
    program: 'node_modules/prettier/bin/prettier.cjs',
    arguments: ['--check', '--log-level=warn', '--cache', '--cache-strategy=content', '.'],
    remedy: 'Run `npm run format`.',
  },
  {
    title: 'types',
    program: 'node_modules/typescript/bin/tsc',
    arguments: ['--noEmit', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'],
    remedy: 'Mend the types above.',
  },
  {
    title: 'lint',
    program: 'node_modules/eslint/bin/eslint.js',
    arguments: ['--max-warnings=0', '.'],
    isKept: true,
    remedy: 'Mend the lines above; `npx eslint --fix .` does what it can.',
  },
  {
    title: 'dependency rules',
    isKept: true,
    program: 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    arguments: [
      ...['--config', DEPENDENCY_RULES],
      ...[
        'domain',
        'platform',
        'store',
        'workflows',
        'activities',
        'api',
        'worker',
        'documents',
        'spreadsheet',
        'ops',
        'dev',
        'demo',
        'bench',
        'test',
      ],
    ],
    remedy: `The imports above cross a border that ${DEPENDENCY_RULES} draws (design, "Folders and who may import whom").`,
  },
];

/**
 * Runs the checks, two at a time, and prints the whole output of each that fails, with what to do. All of them run,
 * whatever fails: one look shows everything.
 */
export async function runChecks(checks: readonly Check[], projectFolder: string, say: Say): Promise<Tally> {
  const passedBefore = await openPassedBefore(projectFolder, join(projectFolder, CACHE_FOLDER));
  const waiting = [...checks];
  const outcomes: boolean[] = [];
  const runNext = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      outcomes.push(await runCheck(check, projectFolder, passedBefore, say));
    }
  };
  await Promise.all([runNext(), runNext()]);
  const passed = outcomes.filter((isPassed) => isPassed).length;
  return { passed, failed: outcomes.length - passed };
}

async function runCheck(
  check: Check,
  projectFolder: string,
  passedBefore: PassedBefore,
  say: Say,
): Promise<boolean> {
  if (check.isKept === true && (await passedBefore.has(check.title))) {
    say(`✔ ${check.title} (no change since it passed)`);
    return true;
  }
  const startedAt = performance.now();
  const { exitCode, output } = await withProgress(`checking ${check.title}`, say, () =>
    runProgram(process.execPath, [check.program, ...check.arguments], { folder: projectFolder }),
  );
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (exitCode === 0) {
    if (check.isKept === true) await passedBefore.add(check.title);
    say(`✔ ${check.title} (${seconds} s)`);
    return true;
  }
  const telling = output.split('\n').filter((line) => check.noise?.test(line) !== true);
  say(`✘ ${check.title} (${seconds} s)\n${telling.join('\n').trim()}\n${check.remedy}\n`);
  return false;
}
