import { randomInt } from 'node:crypto';
import type { Say } from '../../dev/engines/progress.mjs';
import { withProgress } from '../../dev/engines/progress.mjs';
import { finishShipments } from './finish.ts';
import { runOrderCase } from './order-case.ts';
import { describeRound, describeViolations } from './report.ts';
import type { RoundResult } from './round.ts';
import { runRound } from './round.ts';
import type { Schedule } from './schedule.ts';
import { scheduleOf } from './schedule.ts';
import type { TestBed } from './test-bed.ts';
import { openTestBed } from './test-bed.ts';

const MAXIMUM_SEED = 1_000_000;

/** What to run. */
export interface FaultRunOptions {
  /** Undefined: a new one, which is printed. */
  readonly seed: number | undefined;
  readonly isShort: boolean;
  /** Only the rounds whose name contains this. */
  readonly only: string | undefined;
  /** Whether the folder with the logs is kept; it always is after a violation. */
  readonly isKept: boolean;
}

/**
 * Runs the rounds of a seed, one after the other, on a service of its own, and says what came of each. Resolves to how many
 * rounds kept every promise. Rejects, with nothing left running, when the service can't be started.
 */
export async function runFaultTests(
  environment: NodeJS.ProcessEnv,
  { seed = randomInt(MAXIMUM_SEED), isShort, only, isKept }: FaultRunOptions,
  say: Say,
): Promise<{ readonly passed: number; readonly failed: number }> {
  const schedule = scheduleOf(seed, isShort);
  const repeatCommand = `npm run test:faults -- ${isShort ? '--short ' : ''}--seed ${seed}`;
  say(`Fault tests, seed ${seed}. To repeat: ${repeatCommand}`);
  const { receiverFailures } = schedule;
  const bed = await withProgress('starting engines, API and worker', () =>
    openTestBed(environment, { seed, receiverFailures }, say),
  );
  const results: RoundResult[] = [];
  try {
    const isWanted = (name: string) => only === undefined || name.includes(only);
    await runRounds(bed, seed, schedule, isWanted, (result) => {
      results.push(result);
      say(describeRound(result));
      for (const line of describeViolations(result.violations)) say(line);
    });
  } finally {
    await bed.close(isKept || results.some(({ violations }) => violations.length > 0));
  }
  const failed = results.filter(({ violations }) => violations.length > 0).length;
  if (failed > 0) say(`To repeat: ${repeatCommand}`);
  return { passed: results.length - failed, failed };
}

async function runRounds(
  bed: TestBed,
  seed: number,
  schedule: Schedule,
  isWanted: (name: string) => boolean,
  onResult: (result: RoundResult) => void,
): Promise<void> {
  const results: RoundResult[] = [];
  const note = (result: RoundResult): void => {
    results.push(result);
    onResult(result);
  };
  if (isWanted('order of acceptance')) note(await runOrderCase(bed, schedule.orderCase));
  for (const plan of schedule.rounds.filter(({ name }) => isWanted(name))) {
    note(await runRound(bed, seed, plan));
  }
  note(await finishShipments(bed, seed, results));
}
