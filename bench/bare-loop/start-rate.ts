import { setTimeout as delay } from 'node:timers/promises';
import { inParallel } from '../cast.ts';
import type { BareLoop } from './client.ts';

const CLIENTS = 20;
const POLL_INTERVAL_MS = 25;
const MS_PER_SECOND = 1_000;

/** Starts `count` bare workflows as fast as the machine can. Resolves to the starts per second until all have inserted. */
export async function bareStartRate(bare: BareLoop, count: number): Promise<number> {
  const before = await bare.countRows();
  const begin = performance.now();
  await inParallel(CLIENTS, count, () => bare.startOnce());
  while ((await bare.countRows()) < before + count) await delay(POLL_INTERVAL_MS);
  return count / ((performance.now() - begin) / MS_PER_SECOND);
}
