// `npm run bench [-- CASE …] [--rounds N] [--quick]`: the claims of docs/performance.md, measured again.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { BenchCase, CaseContext } from './case.ts';
import { consoleBoard } from './cases/console/board.ts';
import { consoleChanges } from './cases/console/changes.ts';
import { consoleMoves } from './cases/console/moves.ts';
import { createdSoon } from './cases/created-soon.ts';
import { deadlines } from './cases/deadlines.ts';
import { deskChange } from './cases/desk/change.ts';
import { deskFirstCard } from './cases/desk/first-card.ts';
import { deskInteraction } from './cases/desk/interaction.ts';
import { deskScroll } from './cases/desk/scroll.ts';
import { importing } from './cases/import.ts';
import { importStarts } from './cases/import-starts.ts';
import { million } from './cases/million.ts';
import { bodies } from './cases/neighbours/bodies.ts';
import { importNeighbour } from './cases/neighbours/import.ts';
import { logins } from './cases/neighbours/logins.ts';
import { loop } from './cases/neighbours/loop.ts';
import { oddRequests } from './cases/neighbours/odd-requests.ts';
import { hangingReceiver, hangingReceivers20, silentNameServers } from './cases/neighbours/receivers.ts';
import { slowReceiver } from './cases/neighbours/slow-receiver.ts';
import { workbookNeighbour } from './cases/neighbours/workbook.ts';
import { outage } from './cases/outage.ts';
import { overload } from './cases/overload.ts';
import { pageOf30 } from './cases/page-of-30.ts';
import { signalFlood } from './cases/signal-flood.ts';
import { transitions } from './cases/transitions.ts';
import { startBenchDeployment, type BenchDeployment } from './deployment.ts';
import { describeFigure, describeMachine, show } from './report.ts';
import { runRounds } from './rounds.ts';
import { openHttp } from '../test/harness/http.ts';
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
  hangingReceiver,
  hangingReceivers20,
  silentNameServers,
  slowReceiver,
  workbookNeighbour,
  importNeighbour,
  bodies,
  logins,
  loop,
  oddRequests,
  consoleBoard,
  consoleMoves,
  consoleChanges,
  deskFirstCard,
  deskScroll,
  deskInteraction,
  deskChange,
];
/** Stands for all cases whose names begin with `neighbour-`. */
const NEIGHBOURS_GROUP = 'neighbours';
const DEFAULT_ROUNDS = 7;

interface Options {
  readonly rounds: number;
  readonly isQuick: boolean;
  readonly chosen: readonly BenchCase[];
}

function readArguments(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string' }, quick: { type: 'boolean', default: false } },
  });
  const rounds = Number(values.rounds ?? (values.quick ? 1 : DEFAULT_ROUNDS));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1.');
  const names = [...CASES.map(({ name }) => name), NEIGHBOURS_GROUP];
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no case ${unknown.join(', ')}; there are: ${names.join(', ')}.`);
  const isNamed = (name: string): boolean =>
    positionals.includes(name) || (positionals.includes(NEIGHBOURS_GROUP) && name.startsWith('neighbour-'));
  const chosen = positionals.length === 0 ? CASES : CASES.filter(({ name }) => isNamed(name));
  return { rounds, isQuick: values.quick, chosen };
}

async function runCase(
  { name, title, figures, open, warmUps = 1, mostRounds = Infinity }: BenchCase,
  deployment: BenchDeployment,
  { rounds, isQuick }: Options,
): Promise<void> {
  say(`\n== ${name}: ${title}`);
  const closers: (() => unknown)[] = [];
  const context: CaseContext = {
    ...{ deployment, isQuick, say },
    http: ({ baseUrl = deployment.baseUrl, ...options }) => {
      const client = openHttp(baseUrl, options);
      closers.push(client.close);
      return client;
    },
    atEnd: (close) => closers.push(close),
  };
  try {
    const { sides, check } = await open(context);
    const counts = { rounds: Math.min(rounds, mostRounds), warmUps };
    const shown = figures.flatMap(({ of, through = of, also = [] }) => [of, through, ...also]);
    const measured = await runRounds(sides, counts, (round, numbers) => {
      const entries = Object.entries(numbers).filter(([number]) => shown.includes(number));
      const found = entries.map(([number, value]) => `${number} ${show(value)}`);
      say(`  ${round > 0 ? `round ${round}` : 'warm-up'}: ${found.join(', ')}`);
    });
    const faults = [...((await check?.()) ?? []), ...deployment.takeCrashes(), ...deployment.takeRemarks()];
    for (const figure of figures) say(describeFigure(figure, measured, faults).join('\n'));
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function main(): Promise<void> {
  const options = readArguments();
  const load = loadavg()[0] ?? 0;
  const deployment = await withProgress('starting engines, API and worker', () =>
    startBenchDeployment(process.env, say),
  );
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new Error('Interrupted.')));
  });
  try {
    say((await describeMachine(deployment)).join('\n'));
    say(`load average before the start ${load.toFixed(2)}, ${options.rounds} rounds of each side`);
    if (options.isQuick) say('A quick run: it shows that the cases work, its figures mean nothing.');
    for (const benchCase of options.chosen)
      await Promise.race([interrupted, runCase(benchCase, deployment, options)]);
  } finally {
    // A case that was interrupted goes on until its engines are gone; what it says then is of no use.
    process.on('unhandledRejection', () => undefined);
    process.on('uncaughtException', () => undefined);
    await deployment.stop(process.env['BENCH_KEEP'] === '1');
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
