import type { Schemas } from '../../../shared/client.ts';
import { answer, api } from '../../../shared/client.ts';
import { isAway, RejectedRequest } from '../../../shared/problem.ts';

const POLL_MS = 1_000;

/** Whether an answer is an accepted command whose outcome is not known yet (202). */
export function isCommand(body: object): body is Schemas['Command'] {
  return '@type' in body && body['@type'] === 'Command';
}

/** Commands that were not decided yet when they were asked for last, by the task's id: a drawer that is opened again goes on waiting. */
const open = new Map<string, Schemas['Command']>();

export function openCommandOf(taskId: string): Schemas['Command'] | undefined {
  return open.get(taskId);
}

/** As `outcomeOf`; the command is the task's open one until then. */
export async function outcomeOfTask(taskId: string, command: Schemas['Command']): Promise<void> {
  open.set(taskId, command);
  try {
    await outcomeOf(command);
  } finally {
    if (open.get(taskId) === command) open.delete(taskId);
  }
}

/** Waits for the outcome of an accepted command. Rejects with RejectedRequest where it was rejected, or failed. */
export async function outcomeOf({ id }: Schemas['Command']): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const command = await readCommand(id);
    if (command === undefined || command.status === 'received') continue;
    if (command.status === 'applied') return;
    throw new RejectedRequest(command.problem ?? { status: 500, title: 'Failed' });
  }
}

/** Undefined while the service is unreachable: the command is not lost by that. */
async function readCommand(id: string): Promise<Schemas['Command'] | undefined> {
  try {
    return await answer(api.GET('/commands/{id}', { params: { path: { id } } }));
  } catch (error) {
    if (isAway(error)) return undefined;
    throw error;
  }
}
