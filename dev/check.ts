// `npm run check`: what is quick, before each commit: format, types, lint, dependency rules, and the tests of domain/,
// which is pure and needs no engines. `npm test` has the first four and all tests.
import type { Check } from './test/static-checks.ts';
import { makeApiTypes } from './web/build-web.ts';
import { conclude, runChecks, STATIC_CHECKS } from './test/static-checks.ts';

const DOMAIN_TESTS: Check = {
  title: 'tests of domain/',
  program: 'ava/entrypoints/cli.mjs',
  arguments: ['--concurrency', '2', 'test/domain/**/*.test.ts'],
  remedy: 'Fix the failed tests above.',
};

await makeApiTypes();
process.exitCode = conclude(await runChecks([...STATIC_CHECKS, DOMAIN_TESTS]));
