import type { BudgetCharge, BudgetCount } from '../../../store/accounts/request-budgets.ts';

const WINDOW_MS = 60_000;

/** What Postgres keeps for all processes, in memory and by a clock of the test's: store/accounts/request-budgets.ts in miniature. */
export function createSharedCounts(nowMs: () => number) {
  const entries = new Map<string, { readonly atMs: number; readonly units: number }[]>();
  let statements = 0;

  const countOne = ({ subject, spent, wanted, limit }: BudgetCharge): BudgetCount => {
    const live = (entries.get(subject) ?? []).filter(({ atMs }) => atMs > nowMs() - WINDOW_MS);
    const before = live.reduce((sum, { units }) => sum + units, 0) + spent;
    const isGranted = before + wanted <= limit;
    const units = spent + (isGranted ? wanted : 0);
    if (units !== 0) live.push({ atMs: nowMs(), units });
    entries.set(subject, live);
    const leavesInSeconds = (needed: number): number | null => {
      let gone = 0;
      const found = live.find((entry) => (gone += entry.units) >= needed);
      return found === undefined ? null : (found.atMs + WINDOW_MS - nowMs()) / 1_000;
    };
    const used = before + (isGranted ? wanted : 0);
    return {
      ...{ subject, isGranted, used },
      oldestInSeconds: leavesInSeconds(1),
      roomInSeconds: leavesInSeconds(used + 1 - limit),
      fitsInSeconds: leavesInSeconds(used + wanted - limit),
    };
  };

  return {
    /** As `countUnits`; answers in a later turn of the event loop, as a database does. */
    count: async (charges: readonly BudgetCharge[]): Promise<readonly BudgetCount[]> => {
      statements += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return charges.map(countOne);
    },
    statements: () => statements,
  };
}
