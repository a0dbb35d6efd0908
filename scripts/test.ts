// `npm test`: format, types, lint, dependency rules, then all tests against real engines.
// `npm test -- FILE…`: the tests of those files alone.
import { join } from 'node:path';
import { startTestEngines } from './engines/test-engines.ts';
import { startAva } from './test/ava.ts';
import { runStaticChecks, type Tally } from './test/static-checks.ts';

const projectFolder = join(import.meta.dirname, '..');
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Settings of a real deployment: tests must never reach it. */
const PRODUCTION_SETTINGS = ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_API_KEY'];

async function runTests(files: readonly string[]): Promise<Tally> {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !PRODUCTION_SETTINGS.includes(name)),
  );
  const checks = files.length === 0 ? await runStaticChecks(projectFolder, say) : { passed: 0, failed: 0 };
  const engines = await startTestEngines(environment, say);
  const ava = startAva(projectFolder, files, { ...environment, ...engines.environment });
  const onSignal = (): void => {
    ava.kill();
    say('Interrupted: ending the engines…');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  try {
    const tests = await ava.finished;
    return { passed: checks.passed + tests.passed, failed: checks.failed + tests.failed };
  } finally {
    await engines.stop();
  }
}

try {
  const { passed, failed } = await runTests(process.argv.slice(2));
  if (failed > 0 || passed === 0) process.exitCode = 1;
  say(`${passed} passed, ${failed} failed`);
} catch (error) {
  say(`\n${error instanceof Error ? error.message : String(error)}`);
  say('0 passed, 1 failed');
  process.exitCode = 1;
}
