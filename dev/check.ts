// `npm run check`: what is quick, before each commit: format, types, lint, dependency rules, and the tests of domain/,
// which is pure and needs no engines. `npm test` has the first four and all tests.
import { join } from 'node:path';
import type { Check } from './test/static-checks.ts';
import { runChecks, STATIC_CHECKS } from './test/static-checks.ts';
import { concludeRun } from './test/tally.ts';
import { say } from './engines/progress.ts';

const DOMAIN_TESTS: Check = {
  title: 'tests of domain/',
  program: 'node_modules/ava/entrypoints/cli.mjs',
  arguments: ['--concurrency', '2', 'test/domain/**/*.test.ts'],
  noise: /^ {2}✔ /,
  remedy: 'Fix the failed tests above.',
};

const projectFolder = join(import.meta.dirname, '..');

process.exitCode = await concludeRun(
  () => runChecks([...STATIC_CHECKS, DOMAIN_TESTS], projectFolder, say),
  say,
);
