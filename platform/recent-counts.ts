import type { Clock } from './clock.ts';

/** How much of something there was of late, by key; of one process, and gone with it. */
export interface RecentCounts {
  /** Counts one, or `amount`. */
  readonly add: (key: string, amount?: number) => void;
  /** Over the last span at least, over the last two at most. */
  readonly of: (key: string) => number;
}

/** Makes counts that forget after one to two spans, so that their memory is what was counted within two of them. */
export function createRecentCounts(clock: Clock, spanMs: number): RecentCounts {
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  let endsAt = clock().getTime() + spanMs;

  function turn(): void {
    const now = clock().getTime();
    if (now < endsAt) return;
    const missed = Math.floor((now - endsAt) / spanMs);
    previous = missed === 0 ? current : new Map<string, number>();
    current = new Map<string, number>();
    endsAt += (missed + 1) * spanMs;
  }

  return {
    add: (key, amount = 1) => {
      turn();
      current.set(key, (current.get(key) ?? 0) + amount);
    },
    of: (key) => {
      turn();
      return (current.get(key) ?? 0) + (previous.get(key) ?? 0);
    },
  };
}
