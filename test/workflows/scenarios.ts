import type { ShipmentId, WebhookEventId } from '../../domain/ids.ts';
import { execute, inTransaction, selectOne } from '../../store/connection.ts';
import { acceptExternalRequest } from '../../store/shipments/external-requests.ts';
import { newId } from '../../store/new-id.ts';
import { reopenWebhookDelivery } from '../../store/webhooks/webhook-deliveries.ts';
import {
  SEARCH_ATTRIBUTES,
  shipmentWorkflowId,
  webhookDeliveryWorkflowId,
} from '../../workflows/messages.ts';
import { makeCommand, shipmentRequest, storedEvents, storedTimeline, taskOf } from '../store/shipments.ts';
import type { Answering, Tenancy, World } from './world.ts';
import { until } from '../harness/until.ts';
import { addTask, decided, go, makeRunning, runOf, storedTransition, subjectOf } from './moves.ts';

/** A life of a shipment from its start to the end of its run; resolves to its id. Its history is stored and replayed. */
export type Scenario = (world: World) => Promise<ShipmentId>;

const UNREACHABLE: Answering = () => ({ kind: 'failed', reason: 'no answer in time' });
const REFUSAL: Answering = () => ({ kind: 'answered', statusCode: 410 });

/** The scenarios whose histories every later version of the workflow code has to replay. */
export const SCENARIOS = {
  'happy-path': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy, { pickupPointId: tenancy.pickupPointId });
    await go(world, tenancy, id, 'pickup', 'assign', 'start_approach', 'pick_up');
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'deliver');
    return ended(world, id);
  },
  'fail-and-reactivate': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'fail', 'reactivate');
    await go(world, tenancy, id, 'delivery', 'assign', 'start_transit', 'deliver');
    return ended(world, id);
  },
  unassign: async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy, { pickupPointId: tenancy.pickupPointId });
    await go(world, tenancy, id, 'delivery', 'assign', 'unassign');
    await go(world, tenancy, id, 'pickup', 'assign', 'unassign', 'assign', 'pick_up');
    await go(world, tenancy, id, 'delivery', 'assign', 'unassign', 'assign', 'deliver');
    return ended(world, id);
  },
  cancel: async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy, { pickupPointId: tenancy.pickupPointId });
    await go(world, tenancy, id, 'pickup', 'assign', 'cancel');
    return ended(world, id);
  },
  deadline: async (world) => {
    const tenancy = await world.makeTenant();
    const soon = new Date(Date.now() + 300);
    const id = await makeRunning(world, tenancy, {
      fields: { scheduledAfter: new Date(0), scheduledBefore: soon },
    });
    await until(() => isMissed(world, id), 'no miss was written');
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'deliver');
    return ended(world, id);
  },
  'exhausted-webhook': async (world) => {
    const tenancy = await world.makeTenant(UNREACHABLE);
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'assign');
    await until(async () => (await storedEvents(world.database, id))[0]?.status === 'dead', 'no dead letter');
    await go(world, tenancy, id, 'delivery', 'cancel');
    return ended(world, id);
  },
  'rejected-webhook': async (world) => {
    const tenancy = await world.makeTenant(REFUSAL);
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'assign', 'cancel');
    return ended(world, id);
  },
  'transfer-and-return': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy, { pickupPointId: tenancy.pickupPointId });
    await go(world, tenancy, id, 'pickup', 'assign', 'pick_up');
    await addTask(world, tenancy, id, 'transfer');
    await go(world, tenancy, id, 'transfer', 'assign', 'start_transit', 'deliver');
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'fail');
    await addTask(world, tenancy, id, 'return');
    await go(world, tenancy, id, 'return', 'assign', 'start_transit', 'deliver');
    return ended(world, id);
  },
  'slow-database': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'assign');
    const task = { id: await taskOf(world.database, id, 'delivery'), type: 'delivery' } as const;
    const signal = await storedTransition(world, tenancy, id, task, 'start_delivery');
    await whileLocked(world, id, async () => {
      await world.workflows.signal(await subjectOf(world, id), signal);
      // The step gives up inside the workflow task and waits as an activity, where ops see it.
      await until(
        async () => (await pendingActivities(world, id)).includes('applyCommands'),
        'nothing waits',
      );
    });
    await decided(world, signal.commandId);
    await go(world, tenancy, id, 'delivery', 'deliver');
    return ended(world, id);
  },
  approve: async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy, {
      awaitsApproval: true,
      pickupPointId: tenancy.pickupPointId,
    });
    await command(world, tenancy, id, 'approve');
    await go(world, tenancy, id, 'pickup', 'assign', 'start_approach', 'fail', 'reactivate', 'cancel');
    return ended(world, id);
  },
  delete: async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy, { pickupPointId: tenancy.pickupPointId });
    await command(world, tenancy, id, 'delete');
    return ended(world, id);
  },
  reschedule: async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'assign');
    await execute(
      world.database,
      `update shipments set delivery_deadline = delivery_deadline + interval '1 day' where id = $1`,
      [id],
    );
    await world.workflows.signal(await subjectOf(world, id), { name: 'reschedule' });
    await go(world, tenancy, id, 'delivery', 'start_delivery_approach', 'deliver');
    return ended(world, id);
  },
  'external-creation': async (world) => {
    const tenancy = await world.makeTenant();
    const id = newId<'shipment'>();
    const { organizationId } = tenancy;
    const series = { prefix: 'TST', localDate: '2026-03-01' };
    await acceptExternalRequest(world.database, { organizationId, series }, id, shipmentRequest());
    await world.workflows.start({ id, organizationId, trackingNumber: 'TST', priority: 'normal' });
    await until(async () => await shipmentExists(world, id), 'the shipment was not created');
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'deliver');
    return ended(world, id);
  },
  'rejected-command': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'deliver', 'assign', 'start_delivery', 'deliver');
    return ended(world, id);
  },
  'failed-command': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy);
    const task = { id: await taskOf(world.database, id, 'delivery'), type: 'delivery' } as const;
    const poison = await storedTransition(world, tenancy, id, task, 'assign');
    await execute(world.database, `update commands set request = '{}' where id = $1`, [poison.commandId]);
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'deliver');
    return ended(world, id);
  },
  'cancellation-request': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy);
    await go(world, tenancy, id, 'delivery', 'assign');
    await runOf(world, id).cancel();
    await go(world, tenancy, id, 'delivery', 'start_delivery', 'deliver');
    return ended(world, id);
  },
  'malformed-signals': async (world) => {
    const tenancy = await world.makeTenant();
    const id = await makeRunning(world, tenancy);
    for (const name of ['assign', 'deliver', 'no_such_signal', '__temporal_reserved']) {
      for (const data of MALFORMED_PAYLOADS) await rawSignal(world, id, name, data);
    }
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'deliver');
    return ended(world, id);
  },
} as const satisfies Record<string, Scenario>;

/** Payloads that the SDK's converter cannot decode, and some that it can and nothing expects. */
const MALFORMED_PAYLOADS = [
  { metadata: { encoding: 'json/plain' }, data: '{"commandId":' },
  { metadata: { encoding: 'json/plain' }, data: '[1, null, "text"]' },
  { metadata: { encoding: 'json/plain' }, data: '' },
  { metadata: { encoding: 'binary/unknown' }, data: 'text' },
  { metadata: { encoding: 'json/protobuf', messageType: 'no.such.Message' }, data: '{}' },
  { metadata: {}, data: 'text' },
] as const;

/** Sends a signal with one payload as it is, through the service and not through the SDK's converter. */
async function rawSignal(
  world: World,
  id: ShipmentId,
  signalName: string,
  payload: (typeof MALFORMED_PAYLOADS)[number],
): Promise<void> {
  const bytes = (text: string) => Buffer.from(text, 'utf8');
  const metadata = Object.fromEntries(
    Object.entries(payload.metadata).map(([key, text]) => [key, bytes(text)]),
  );
  await world.client.workflowService.signalWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: shipmentWorkflowId(id) },
    signalName,
    input: { payloads: [{ metadata, data: bytes(payload.data) }] },
  });
}

/** Stores and signals a command that is about the whole shipment; resolves when it is decided. */
async function command(
  world: World,
  tenancy: Tenancy,
  id: ShipmentId,
  kind: 'approve' | 'delete',
): Promise<void> {
  const commandId = await makeCommand(world.database, tenancy.organizationId, id, { kind });
  await world.workflows.signal(await subjectOf(world, id), { name: kind, commandId });
  await decided(world, commandId);
}

async function shipmentExists(world: World, id: ShipmentId): Promise<boolean> {
  return (await selectOne(world.database, 'select from shipments where id = $1', [id])) !== undefined;
}

/** A replay of a dead letter: a workflow of its own, whose id it resolves to, and which ends when the event is settled. */
export async function replayDeadLetter(world: World): Promise<string> {
  let isReachable = false;
  const tenancy = await world.makeTenant(() =>
    isReachable ? { kind: 'answered', statusCode: 200 } : { kind: 'failed', reason: 'no answer in time' },
  );
  const id = await makeRunning(world, tenancy);
  await go(world, tenancy, id, 'delivery', 'assign');
  await until(async () => (await storedEvents(world.database, id))[0]?.status === 'dead', 'no dead letter');
  await until(async () => await hasDeadLetter(world, id), 'ops do not see the dead letter');
  isReachable = true;
  const row = await selectOne<{ id: WebhookEventId }>(
    world.database,
    'select id from webhook_events where shipment_id = $1',
    [id],
  );
  if (row === undefined) throw new Error('the shipment has no event');
  await reopenWebhookDelivery(world.database, tenancy.organizationId, row.id);
  const input = { eventId: row.id, organizationId: tenancy.organizationId, shipmentId: id };
  await world.workflows.startDelivery(input, 1);
  const workflowId = webhookDeliveryWorkflowId(row.id, 1);
  await world.client.workflow.getHandle(workflowId).result();
  await until(async () => !(await hasDeadLetter(world, id)), 'the dead letter is still shown');
  return workflowId;
}

async function hasDeadLetter(world: World, id: ShipmentId): Promise<boolean> {
  const { typedSearchAttributes } = await runOf(world, id).describe();
  return typedSearchAttributes.get(SEARCH_ATTRIBUTES.hasDeadLetter) === true;
}

/** How many events a run of the last scenario may have before it continues as new. */
export const EARLY_CONTINUATION = 40;

/** A life that goes through several runs; needs a world with `continueAsNewAfterEvents: EARLY_CONTINUATION`. */
export const CONTINUE_AS_NEW: Scenario = async (world) => {
  const tenancy = await world.makeTenant();
  const id = await makeRunning(world, tenancy);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { runId } = await runOf(world, id).describe();
    await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'fail', 'reactivate');
    // Four commands are more events than a run may have: it continues once its webhooks are settled.
    await until(
      async () => (await runOf(world, id).describe()).runId !== runId,
      'the run did not continue as new',
    );
  }
  await go(world, tenancy, id, 'delivery', 'assign', 'start_delivery', 'deliver');
  return ended(world, id);
};

/** Holds the shipment's row, as a long transaction of another program would, until the work is done. */
async function whileLocked(world: World, id: ShipmentId, work: () => Promise<void>): Promise<void> {
  await inTransaction(world.database, async (transaction) => {
    await execute(transaction, 'select 1 from shipments where id = $1 for update', [id]);
    await work();
  });
}

async function pendingActivities(world: World, id: ShipmentId): Promise<(string | null | undefined)[]> {
  const { raw } = await runOf(world, id).describe();
  return (raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name);
}

async function isMissed(world: World, id: ShipmentId): Promise<boolean> {
  const entries = await storedTimeline(world.database, id);
  return entries.some(({ kind }) => kind === 'deadline_missed');
}

async function ended(world: World, id: ShipmentId): Promise<ShipmentId> {
  await runOf(world, id).result();
  return id;
}
