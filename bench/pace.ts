import { setTimeout as delay } from 'node:timers/promises';

const MS_PER_SECOND = 1_000;

/** Resolves to how long an act took, in ms. */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await act();
  return performance.now() - begin;
}

/** Does something `count` times, one after the other. Resolves to how long each took, in ms. */
export async function timesOf(count: number, act: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  while (times.length < count) times.push(await timed(act));
  return times;
}

/** Repeats an act in so many lanes until some work is done. Resolves to what the work came to. */
export async function repeatDuring<T>(work: Promise<T>, act: () => Promise<unknown>, lanes = 1): Promise<T> {
  const state = { isOver: false };
  const watched = work.finally(() => {
    state.isOver = true;
  });
  const lane = async (): Promise<void> => {
    while (!state.isOver) await act();
  };
  const [result] = await Promise.all([watched, ...Array.from({ length: lanes }, lane)]);
  return result;
}

/**
 * Begins an act for each item at an even rate, whatever is still open. Resolves, once the last has begun, to the acts under
 * way. `dueAt` is the moment, by performance.now(), at which the item was to begin.
 */
export async function atRate<Item, T>(
  perSecond: number,
  items: Iterable<Item>,
  act: (item: Item, dueAt: number) => Promise<T>,
): Promise<readonly Promise<T>[]> {
  const begin = performance.now();
  const begun: Promise<T>[] = [];
  for (const item of items) {
    const dueAt = begin + (begun.length / perSecond) * MS_PER_SECOND;
    await delay(Math.max(0, dueAt - performance.now()));
    const acting = act(item, dueAt);
    // The caller awaits it when all have begun.
    acting.catch(() => undefined);
    begun.push(acting);
  }
  return begun;
}
