import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { BareActivities } from './activities.ts';

/** The bare counterpart of a shipment's run: it takes signals and runs one activity with one insert for each. */

const { insertRow } = proxyActivities<BareActivities>({ startToCloseTimeout: '10s' });

/** Tells the loop to insert the row of that id. */
export const moveSignal = defineSignal<[string]>('move');

/** Takes `count` signals, one insert each, and ends. */
export async function bareLoop(count: number): Promise<void> {
  const inbox: string[] = [];
  setHandler(moveSignal, (id) => void inbox.push(id));
  for (let done = 0; done < count; done += 1) {
    await condition(() => inbox.length > 0);
    await insertRow(inbox.shift() ?? '');
  }
}

/** Inserts one row and ends. */
export async function bareStart(id: string): Promise<void> {
  await insertRow(id);
}
