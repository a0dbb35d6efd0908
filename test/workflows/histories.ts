import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { World } from './world.ts';

/** Where the stored histories are. `npm run history:export` writes them. */
export const HISTORIES_FOLDER = join(import.meta.dirname, 'histories');

/** The histories of all runs of a workflow, from the first to the newest: more than one after a continue-as-new. */
export async function historiesOf(world: World, workflowId: string): Promise<History[]> {
  const histories: History[] = [];
  let runId: string | undefined = (await world.client.workflow.getHandle(workflowId).describe()).runId;
  while (runId !== undefined && runId !== '') {
    const history: History = await world.client.workflow.getHandle(workflowId, runId).fetchHistory();
    histories.unshift(history);
    runId =
      history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? undefined;
  }
  return histories;
}

/**
 * A history as the JSON text that is stored, an event per line. What tells only of the machine that it was made on (names
 * of host and processes, paths in stack traces) is left out; a replay does not look at it.
 */
export function asJson(history: History): string {
  const parsed: unknown = JSON.parse(historyToJSON(history), (key, value: unknown) => {
    if (key === 'stackTrace') return '';
    return typeof value === 'string' ? value.replaceAll(/\d+@[\w.-]*?(?=-test-|$)/g, 'worker') : value;
  });
  const events: readonly unknown[] =
    typeof parsed === 'object' && parsed !== null && 'events' in parsed && Array.isArray(parsed.events)
      ? parsed.events
      : [];
  return `{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
}

/** The stored histories by file name. */
export async function storedHistories(): Promise<{ readonly name: string; readonly json: string }[]> {
  const names = (await readdir(HISTORIES_FOLDER)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => ({ name, json: await readFile(join(HISTORIES_FOLDER, name), 'utf8') })),
  );
}
