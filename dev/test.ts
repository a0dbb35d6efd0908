// `npm test`: format, types, lint, dependency rules, then all tests against real engines, then the short fault tests.
// `npm test -- FILE…`: the tests of those files alone.
import { join } from 'node:path';
import { runFaultTests } from '../test/faults/fault-run.ts';
import { startTestEngines } from './engines/test-engines.ts';
import { startAva } from './test/ava.ts';
import { runChecks, STATIC_CHECKS } from './test/static-checks.ts';
import type { Tally } from './test/tally.ts';
import { concludeRun } from './test/tally.ts';
import { say } from './engines/progress.ts';

const projectFolder = join(import.meta.dirname, '..');

/** Settings of a real deployment: tests must never reach it. */
const PRODUCTION_SETTING = /^(?:DATABASE_|TEMPORAL_(?!CLI_PATH$|TEST_SERVER_PATH$))/;
const ECHO_MS = 1000;

interface Signals {
  readonly isInterrupted: () => boolean;
  readonly onInterrupt: (act: () => void) => void;
}

/** Remembers that the run was interrupted, and by the second time ends this process immediately. */
function watchSignals(): Signals {
  const acts: (() => void)[] = [];
  let interruptedAt: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // npm passes Ctrl-C on, and so does the terminal: what follows immediately is the same one.
      if (interruptedAt !== undefined && performance.now() - interruptedAt > ECHO_MS) process.exit(1);
      if (interruptedAt !== undefined) return;
      interruptedAt = performance.now();
      say('Interrupted: stopping…');
      for (const act of acts) act();
    });
  }
  return {
    isInterrupted: () => interruptedAt !== undefined,
    onInterrupt: (act) => {
      acts.push(act);
      if (interruptedAt !== undefined) act();
    },
  };
}

async function runTests(files: readonly string[]): Promise<Tally> {
  const signals = watchSignals();
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !PRODUCTION_SETTING.test(name)),
  );
  const checks =
    files.length === 0 ? await runChecks(STATIC_CHECKS, projectFolder, say) : { passed: 0, failed: 0 };
  if (signals.isInterrupted()) return { ...checks, failed: checks.failed + 1 };
  const tests = await runAva(files, environment, signals);
  const faults =
    files.length === 0 && !signals.isInterrupted()
      ? await runShortFaultTests(environment, signals)
      : { passed: 0, failed: 0 };
  return {
    passed: checks.passed + tests.passed + faults.passed,
    failed: checks.failed + tests.failed + faults.failed,
  };
}

async function runAva(
  files: readonly string[],
  environment: NodeJS.ProcessEnv,
  signals: Signals,
): Promise<Tally> {
  const engines = await startTestEngines(environment, say);
  try {
    const ava = startAva(projectFolder, files, { ...environment, ...engines.environment });
    if (ava.pid !== undefined) engines.adopt('ava', ava.pid);
    signals.onInterrupt(() => ava.kill());
    return await ava.finished;
  } finally {
    await engines.stop();
  }
}

/** Two minutes of faults, with engines of their own. They count like tests: one for each round. */
async function runShortFaultTests(environment: NodeJS.ProcessEnv, signals: Signals): Promise<Tally> {
  const interruption = new AbortController();
  signals.onInterrupt(() => interruption.abort());
  const options = { seed: undefined, isShort: true, only: undefined, isKept: false };
  return runFaultTests(environment, options, say, interruption.signal);
}

process.exitCode = await concludeRun(() => runTests(process.argv.slice(2)), say);
