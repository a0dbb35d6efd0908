/** Where the commands write what they are doing: one line per call. */
export type Say = (line: string) => void;

const FIRST_NOTICE_MS = 2000;
const NEXT_NOTICE_MS = 10_000;

/**
 * Waits for `work` and, when it takes longer than two seconds, says what is waited for; then again every ten
 * seconds with the time that has passed, which shows that the command is alive.
 */
export async function withProgress<T>(activity: string, say: Say, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const elapsedSeconds = (): number => Math.round((performance.now() - startedAt) / 1000);
  let ticker: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    say(`  …${activity}`);
    ticker = setInterval(() => say(`  …${activity}, ${elapsedSeconds()} s`), NEXT_NOTICE_MS);
  }, FIRST_NOTICE_MS);
  try {
    return await work();
  } finally {
    clearTimeout(first);
    clearInterval(ticker);
  }
}
