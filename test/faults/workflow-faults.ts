import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Fault, FaultContext } from './faults.ts';
import type { Random } from './random.ts';

/** gRPC's codes of a run that has ended, or a point that it can't be reset to: the operator only sees a message. */
const EXPECTED_CODES = new Set([3, 5, 9]);

/** Does something to the workflows of shipments that are being driven, one after the other, at random moments. */
function disturb(
  name: string,
  act: (client: Client, workflowId: string, random: Random) => Promise<unknown>,
): Fault['run'] {
  return async ({ temporal, random, shipmentIds, durations }: FaultContext) => {
    const deadline = performance.now() + durations.disturbanceMs;
    while (performance.now() < deadline) {
      const ids = shipmentIds();
      if (ids.length > 0) {
        await act(temporal, `shipment-${random.pick(ids)}`, random).catch((error: unknown) => {
          if (!isExpected(error)) throw new Error(`${name}: ${String(error)}`, { cause: error });
        });
      }
      await delay(random.integer(20, 250));
    }
  };
}

/** The faults that an operator makes in the Web UI, or a program that signals what it does not know. */
export const WORKFLOW_FAULTS = {
  cancelled: {
    name: 'workflows cancelled',
    run: disturb('cancel', (client, workflowId) => client.workflow.getHandle(workflowId).cancel()),
  },
  reset: { name: 'workflows reset', run: disturb('reset', reset) },
  terminated: {
    name: 'workflows terminated',
    run: disturb('terminate', (client, workflowId) =>
      client.workflow.getHandle(workflowId).terminate('fault test'),
    ),
    losesRuns: true,
  },
  garbage: { name: 'garbage signals', run: disturb('signal', signalGarbage) },
} as const satisfies Readonly<Record<string, Fault>>;

/** Resets a run to a random one of the points that the Web UI offers. */
async function reset(client: Client, workflowId: string, random: Random): Promise<void> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const points = (events ?? []).flatMap(({ eventId, workflowTaskCompletedEventAttributes: completed }) =>
    completed == null || eventId == null ? [] : [eventId],
  );
  if (points.length === 0) return;
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    reason: 'fault test',
    workflowTaskFinishEventId: random.pick(points),
    requestId: randomUUID(),
  });
}

const SIGNAL_NAMES = [
  'transition',
  'assign',
  'deliver',
  'approve',
  'delete',
  'add_task',
  'reschedule',
  'nonsense',
  '',
];

async function signalGarbage(client: Client, workflowId: string, random: Random): Promise<void> {
  const payloads = random.pick<readonly Payload[]>([
    [],
    [json(null)],
    [json(42)],
    [json('text')],
    [json({})],
    [json({ commandId: 'no-uuid' })],
    [json({ commandId: randomUUID(), transition: 'deliver' })],
    [json([]), json({ more: 'than one' })],
    [json('x'.repeat(20_000))],
    [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{"broken') }],
    [{ metadata: { encoding: Buffer.from('binary/unknown') }, data: Buffer.from([0, 255, 1]) }],
    [{ metadata: {}, data: Buffer.from('without an encoding') }],
  ]);
  await client.workflowService.signalWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    signalName: random.pick(SIGNAL_NAMES),
    input: { payloads: [...payloads] },
    requestId: randomUUID(),
  });
}

interface Payload {
  readonly metadata: Record<string, Uint8Array>;
  readonly data: Uint8Array;
}

function json(value: unknown): Payload {
  return { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value)) };
}

function isExpected(error: unknown): boolean {
  if (error instanceof WorkflowNotFoundError) return true;
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'number' && EXPECTED_CODES.has(error.code)) return true;
  return 'cause' in error && isExpected(error.cause);
}
