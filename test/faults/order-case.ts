import { setTimeout as delay } from 'node:timers/promises';
import { at, listOrEmpty, textOrNull } from '../harness/json.ts';
import type { ClientContext } from './client.ts';
import { create, perform } from './client.ts';
import { Recorder } from './recorder.ts';
import { measureRecovery } from './recovery.ts';
import type { RoundResult } from './round.ts';
import { clientsOf, concludeRound } from './round.ts';
import type { TestBed } from './test-bed.ts';

const NAME = 'order of acceptance';
const GIVE_UP_MS = 240_000;
const COMMANDS = ['start_delivery', 'deliver'] as const;

/**
 * The order case: Temporal is frozen while each client sends `start_delivery` and, once that is accepted, `deliver`.
 * After Temporal's return both have to be applied for every shipment.
 */
export async function runOrderCase(
  bed: TestBed,
  { shipments, frozenMs }: { readonly shipments: number; readonly frozenMs: number },
): Promise<RoundResult> {
  const recorder = new Recorder();
  const { context, giveUpIn } = clientsOf(bed, recorder);
  const tasks = await Promise.all(Array.from({ length: shipments }, () => assignedDelivery(context)));
  bed.deployment.temporal.freeze();
  const sent = Promise.all(tasks.map((task) => sendBoth(context, task)));
  await Promise.all([sent, delay(frozenMs)]);
  bed.deployment.temporal.thaw();
  giveUpIn(GIVE_UP_MS);
  const recovery = await measureRecovery(bed, context);
  const plan = { name: NAME, fault: { name: NAME, run: () => Promise.resolve() } };
  const result = await concludeRound(bed, plan, recorder, context, recovery);
  const applied = recorder.operations.filter(({ action, resolution, exchanges }) => {
    const isOne = action.kind === 'transition' && COMMANDS.some((name) => name === action.transition);
    return (
      isOne && (resolution?.status === 'applied' || exchanges.some(({ verdict }) => verdict === 'applied'))
    );
  }).length;
  const expected = shipments * COMMANDS.length;
  const evidence = `${applied} of ${expected} commands that were accepted in order were applied`;
  const violations = applied === expected ? [] : [{ property: 'order case', shipmentId: null, evidence }];
  return {
    ...result,
    name: `${NAME} (${applied} of ${expected} applied)`,
    violations: [...violations, ...result.violations],
  };
}

interface Delivery {
  readonly shipmentId: string;
  readonly taskId: string;
}

async function assignedDelivery(context: ClientContext): Promise<Delivery> {
  const shipmentId = await create(context, 'dashboard', false);
  if (shipmentId === null) throw new Error('no shipment could be created');
  const shown = await perform(context, shipmentId, { kind: 'read_shipment' }, { repeats: true });
  const taskId = textOrNull(listOrEmpty(shown.body, 'tasks')[0], 'id') ?? '';
  const driver = context.tenant.driverIds[0] ?? null;
  await perform(
    context,
    shipmentId,
    { kind: 'transition', taskId, transition: 'assign', driver },
    { repeats: true },
  );
  await untilAssigned(context, shipmentId, taskId);
  return { shipmentId, taskId };
}

async function untilAssigned(context: ClientContext, shipmentId: string, taskId: string): Promise<void> {
  while (context.keepsRetrying()) {
    const { body } = await perform(context, shipmentId, { kind: 'read_task', taskId }, { repeats: true });
    if (at(body, 'status') === 'assigned') return;
    await delay(250);
  }
}

async function sendBoth(context: ClientContext, { shipmentId, taskId }: Delivery): Promise<void> {
  for (const transition of COMMANDS) {
    await perform(
      context,
      shipmentId,
      { kind: 'transition', taskId, transition, driver: null },
      { repeats: true },
    );
  }
}
