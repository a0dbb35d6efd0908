// `npm run bench [-- CASE …] [--rounds N] [--quick]`: the claims of docs/performance.md, measured anew.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { BenchCase } from './case.ts';
import { createdSoon } from './cases/created-soon.ts';
import { deadlines } from './cases/deadlines.ts';
import { importing } from './cases/import.ts';
import { importStarts } from './cases/import-starts.ts';
import { million } from './cases/million.ts';
import { NEIGHBOURS } from './cases/neighbours/index.ts';
import { outage } from './cases/outage.ts';
import { overload } from './cases/overload.ts';
import { pageOf30 } from './cases/page-of-30.ts';
import { signalFlood } from './cases/signal-flood.ts';
import { transitions } from './cases/transitions.ts';
import { startDeployment, type Deployment } from './deployment.ts';
import { describeMachine, describeResult, show } from './report.ts';
import { say, withProgress } from '../dev/engines/progress.mjs';

const CASES: readonly BenchCase[] = [
  transitions,
  pageOf30,
  createdSoon,
  importStarts,
  million,
  importing,
  overload,
  outage,
  signalFlood,
  deadlines,
  ...NEIGHBOURS,
];
/** What stands for all cases of neighbours. */
const NEIGHBOURS_GROUP = 'neighbours';
const DEFAULT_ROUNDS = 7;

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string' }, quick: { type: 'boolean', default: false } },
  });
  const rounds = Number(values.rounds ?? (values.quick ? 1 : DEFAULT_ROUNDS));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1.');
  const named = positionals.flatMap((name) =>
    name === NEIGHBOURS_GROUP ? NEIGHBOURS.map((neighbour) => neighbour.name) : [name],
  );
  const names = CASES.map(({ name }) => name);
  const unknown = named.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `There is no case ${unknown.join(', ')}; there are: ${[...names, NEIGHBOURS_GROUP].join(', ')}.`,
    );
  const chosen = named.length === 0 ? CASES : CASES.filter(({ name }) => named.includes(name));
  return { rounds, isQuick: values.quick, chosen };
}

async function runCase(
  benchCase: BenchCase,
  deployment: Deployment,
  { rounds, isQuick }: { readonly rounds: number; readonly isQuick: boolean },
): Promise<void> {
  say(`\n== ${benchCase.name}: ${benchCase.title}`);
  const results = await benchCase.run({
    deployment,
    rounds,
    isQuick,
    say,
    onRound: (side, round, figure) =>
      say(`  ${round === 0 ? 'warm-up' : `round ${round}`}, ${side.name}: ${show(figure)}`),
  });
  for (const result of results) say(describeResult(result).join('\n'));
}

async function main(): Promise<void> {
  const options = readArguments();
  const load = loadavg()[0] ?? 0;
  const deployment = await withProgress('starting engines, API and worker', () =>
    startDeployment(process.env, say),
  );
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new Error('Interrupted.')));
  });
  try {
    say((await describeMachine(deployment)).join('\n'));
    say(`load average before the start ${load.toFixed(2)}, ${options.rounds} rounds of each side`);
    if (options.isQuick) say('A quick run: it shows that the cases work, its figures mean nothing.');
    for (const benchCase of options.chosen) {
      await Promise.race([interrupted, runCase(benchCase, deployment, options)]);
    }
  } finally {
    // A case that was interrupted goes on until its engines are gone; what it says then is of no use.
    process.on('unhandledRejection', () => undefined);
    process.on('uncaughtException', () => undefined);
    await deployment.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
