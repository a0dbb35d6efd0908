import type { Say } from '../engines/progress.ts';

/** How many of a set of checks or tests passed and failed. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Runs a command's whole work and says its tally last, in the form `12 passed, 0 failed`. Returns the exit code: 1
 * when something failed or threw, and when nothing was run at all.
 */
export async function concludeRun(work: () => Promise<Tally>, say: Say): Promise<0 | 1> {
  try {
    const { passed, failed } = await work();
    say(`${passed} passed, ${failed} failed`);
    return failed > 0 || passed === 0 ? 1 : 0;
  } catch (error) {
    say(`\n${error instanceof Error ? error.message : String(error)}`);
    say('0 passed, 1 failed');
    return 1;
  }
}
