/** How the log of a server begins to show that its store is lost, and how it goes on. */
const SIGN = 'interrupted (9)';
const LOST_AFTER_MS = 10_000;
const LONGEST_GAP_MS = 5_000;

/**
 * Reads the log of Temporal's development server and calls `onLost` when its store is lost for good. A request whose
 * deadline passes during a statement, as happens when the server was frozen, interrupts its one SQLite connection; with
 * modernc.org/sqlite before 1.51 every later statement then fails with `interrupted (9)` until the server is restarted. A
 * production cluster has no such store.
 */
export function whenStoreIsLost(
  onLost: () => void,
  now: () => number = () => performance.now(),
): (line: string) => void {
  let firstMs = 0;
  let lastMs = -Infinity;
  return (line) => {
    if (!line.includes(SIGN)) return;
    const nowMs = now();
    if (nowMs - lastMs > LONGEST_GAP_MS) firstMs = nowMs;
    lastMs = nowMs;
    if (nowMs - firstMs < LOST_AFTER_MS) return;
    // The restarted server writes to the same log and has to lose its store again for as long.
    lastMs = -Infinity;
    onLost();
  };
}
