// `npm test`: format, types, lint, dependency rules, then all tests against real engines, then the short fault tests.
// `npm test -- FILE…`: the tests of those files alone. Whatever ends this process, the keepers end what it started.
import { join } from 'node:path';
import { runFaultTests } from '../test/faults/fault-run.ts';
import { say } from './engines/progress.mjs';
import { withoutProductionSettings } from './engines/temporal-server.ts';
import { startTestEngines } from './engines/test-engines.ts';
import { buildWeb } from './web/build-web.ts';
import { conclude, runChecks, STATIC_CHECKS } from './test/static-checks.ts';

const projectFolder = join(import.meta.dirname, '..');

/** Runs AVA on the given files, or on all of them, two test files at a time. Resolves to whether all tests passed. */
async function runAva(files: readonly string[]): Promise<boolean> {
  const { environment, keeper } = await startTestEngines();
  try {
    const ava = await keeper.start({
      name: 'ava',
      command: process.execPath,
      arguments: [join('node_modules', 'ava', 'entrypoints', 'cli.mjs'), '--concurrency', '2', ...files],
      environment: { ...withoutProductionSettings(process.env), ...environment },
      folder: projectFolder,
      logFile: undefined,
      stopSignal: 'SIGTERM',
      graceMs: 3000,
    });
    return (await ava.exited) === 'exit code 0';
  } finally {
    await keeper.close();
  }
}

/** Two minutes of faults, with engines of their own. Resolves to whether each round kept every promise. */
async function runShortFaultTests(): Promise<boolean> {
  const options = { seed: undefined, isShort: true, only: undefined, isKept: false };
  const { failed } = await runFaultTests(process.env, options, say);
  return failed === 0;
}

async function runEverything(): Promise<readonly string[]> {
  await buildWeb();
  return [
    ...(await runChecks(STATIC_CHECKS)),
    ...((await runAva([])) ? [] : ['tests']),
    ...((await runShortFaultTests()) ? [] : ['fault tests']),
  ];
}

/** The named test files alone; those of the console need it built. */
async function runFiles(files: readonly string[]): Promise<boolean> {
  if (files.some((file) => file.includes('test/web/'))) await buildWeb();
  return runAva(files);
}

const files = process.argv.slice(2);
try {
  process.exitCode = conclude(
    files.length === 0 ? await runEverything() : (await runFiles(files)) ? [] : ['tests'],
  );
} catch (error) {
  say(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
