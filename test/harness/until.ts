import { setTimeout as delay } from 'node:timers/promises';

/**
 * Looks until there is something: resolves to what `look` found, which is neither undefined nor false. Rejects with the
 * complaint after a minute if no other time is given.
 */
export async function until<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  complaint: string,
  { everyMs = 20, giveUpMs = 60_000 } = {},
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() - startedAt > giveUpMs)
      throw new Error(`${complaint} (not within ${giveUpMs / 1_000} s)`);
    await delay(everyMs);
  }
}
