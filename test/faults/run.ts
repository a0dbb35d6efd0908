// `npm run test:faults [-- --short] [-- --seed N] [-- --only NAME] [-- --keep]`: breaks the service while shipments are driven
// to their ends, and checks that every promise is kept. docs/fault-tests.md says what is broken and what is checked.
import { parseArgs } from 'node:util';
import type { FaultRunOptions } from './fault-run.ts';
import { runFaultTests } from './fault-run.ts';
import { say } from '../../dev/engines/progress.mjs';

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

try {
  const { passed, failed } = await runFaultTests(process.env, readOptions(process.argv.slice(2)), say);
  say(`${passed} rounds kept every promise, ${failed} did not.`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} catch (error) {
  say(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
process.exit();
