// `npm run test:faults [-- --short] [-- --seed N] [-- --only NAME] [-- --keep]`: breaks the service while shipments are driven
// to their ends, and checks that every promise is kept. docs/fault-tests.md says what is broken and what is checked.
import { parseArgs } from 'node:util';
import { concludeRun } from '../../dev/test/tally.ts';
import type { FaultRunOptions } from './fault-run.ts';
import { runFaultTests } from './fault-run.ts';
import { say } from '../../dev/engines/progress.ts';

function readOptions(words: readonly string[]): FaultRunOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seed: { type: 'string' },
      short: { type: 'boolean', default: false },
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const seed = values.seed === undefined ? undefined : Number(values.seed);
  if (seed !== undefined && (!Number.isInteger(seed) || seed < 0)) {
    throw new Error('--seed must be a whole number from 0.');
  }
  return { seed, isShort: values.short, only: values.only, isKept: values.keep };
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());
process.exitCode = await concludeRun(
  () => runFaultTests(process.env, readOptions(process.argv.slice(2)), say, interruption.signal),
  say,
);
// Clients of an interrupted run still wait for responses.
process.exit();
