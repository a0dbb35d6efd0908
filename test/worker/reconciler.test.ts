import test from 'ava';
import { execute, selectOne } from '../../store/connection.ts';
import { acceptExternalRequest } from '../../store/shipments/external-requests.ts';
import { newId } from '../../store/new-id.ts';
import { storeTestEvent } from '../../store/webhooks/webhook-deliveries.ts';
import { reconcileOnce } from '../../worker/reconciler.ts';
import { shipmentWorkflowId, webhookDeliveryWorkflowId } from '../../workflows/messages.ts';
import { startBlockedRun } from './blocked-run.ts';
import { makeAllDue } from './stale-rows.ts';
import {
  makeStoredShipment,
  shipmentRequest,
  storedEvents,
  storedTimeline,
  taskOf,
} from '../store/shipments.ts';
import type { World } from '../workflows/world.ts';
import { until } from '../harness/until.ts';
import { decided, go, makeRunning, runOf, storedTransition } from '../workflows/moves.ts';
import { makeWorld, realGround } from '../workflows/world.ts';

let ground: Awaited<ReturnType<typeof realGround>>;
let world: World;
test.before(async () => {
  ground = await realGround();
  world = await makeWorld(ground);
});
test.after.always(async () => {
  await world.close();
  await ground.close();
});

/** A shipment with a stored command that no workflow was signalled of. */
async function makeStale() {
  const tenancy = await world.makeTenant();
  const id = await makeStoredShipment(world.database, tenancy.organizationId);
  const task = { id: await taskOf(world.database, id, 'delivery'), type: 'delivery' } as const;
  const { commandId } = await storedTransition(world, tenancy, id, task, 'assign');
  return { tenancy, id, commandId };
}

async function entries(id: Parameters<typeof storedTimeline>[1], kind: string): Promise<number> {
  return (await storedTimeline(world.database, id)).filter((entry) => entry.kind === kind).length;
}

test.serial('a command that was stored and never signalled is applied', async (t) => {
  const { id, commandId } = await makeStale();
  await reconcileAll();
  t.is(await decided(world, commandId), 'applied');
  t.is(await entries(id, 'transition'), 1);
});

test.serial('an external request without a run becomes a shipment', async (t) => {
  const { organizationId } = await world.makeTenant();
  const id = newId<'shipment'>();
  const series = { prefix: 'TST', localDate: '2026-03-01' };
  const { trackingNumber } = await acceptExternalRequest(
    world.database,
    { organizationId, series },
    id,
    shipmentRequest(),
  );
  await reconcileAll();
  await until(async () => (await shipmentNumber(id)) !== undefined, 'no shipment was made');
  t.is(await shipmentNumber(id), trackingNumber);
  t.is(await entries(id, 'created'), 1);
});

async function shipmentNumber(id: string): Promise<string | undefined> {
  const row = await selectOne<{ number: string }>(
    world.database,
    'select tracking_number as number from shipments where id = $1',
    [id],
  );
  return row?.number;
}

test.serial('a shipment without a run gets one', async (t) => {
  const tenancy = await world.makeTenant();
  const id = await makeStoredShipment(world.database, tenancy.organizationId);
  await reconcileAll();
  t.is((await runOf(world, id).describe()).status.name, 'RUNNING');
});

test.serial('several reconcilers do nothing twice', async (t) => {
  const stale = await Promise.all(Array.from({ length: 6 }, makeStale));
  await makeAllDue(world.database);
  const passes = await Promise.all([1, 2, 3].map(() => reconcileOnce(world)));
  t.is(
    passes.reduce((sum, { commands }) => sum + commands, 0),
    6,
  );
  for (const { id, commandId, tenancy } of stale) {
    t.is(await decided(world, commandId), 'applied');
    t.is(await entries(id, 'transition'), 1);
    await until(() => Promise.resolve(tenancy.posts.length > 0), 'the event was not sent');
    t.is((await storedEvents(world.database, id)).length, 1);
  }
});

test.serial('a terminated run with work left is resumed: its deadline and its event', async (t) => {
  let isOpen = false;
  const tenancy = await world.makeTenant(() => ({ kind: 'answered', statusCode: isOpen ? 200 : 500 }));
  const id = await makeRunning(world, tenancy);
  await go(world, tenancy, id, 'delivery', 'assign');
  await runOf(world, id).terminate('a test ends it');
  await execute(
    world.database,
    `update shipments set delivery_deadline = clock_timestamp() - interval '1 hour' where id = $1`,
    [id],
  );
  isOpen = true;
  // Pass after pass, as it works: the first may come while Temporal still ends the run.
  await until(async () => {
    await reconcileAll();
    return (await entries(id, 'deadline_missed')) === 1;
  }, 'no miss was written');
  await until(
    async () => (await storedEvents(world.database, id))[0]?.status === 'delivered',
    'the event was not sent',
  );
  t.is(await entries(id, 'deadline_missed'), 1);
});

test.serial('a run whose workflow task keeps failing is replaced, and the command is applied', async (t) => {
  const tenancy = await world.makeTenant();
  const id = await makeStoredShipment(world.database, tenancy.organizationId);
  const blocked = await startBlockedRun(ground.connection, world.client, shipmentWorkflowId(id));
  t.teardown(blocked.stop);
  const task = { id: await taskOf(world.database, id, 'delivery'), type: 'delivery' } as const;
  const { commandId } = await storedTransition(world, tenancy, id, task, 'assign');
  await makeAllDue(world.database);
  const pass = await reconcileOnce(world);
  t.is(pass.restarted, 1);
  t.is(await decided(world, commandId), 'applied');
  t.is((await blocked.run.describe()).status.name, 'TERMINATED');
});

test.serial('a delivery whose workflow task keeps failing is replaced, and its event is sent', async (t) => {
  const tenancy = await world.makeTenant();
  const { eventId } = await storeTestEvent(world.database, tenancy.organizationId);
  const blocked = await startBlockedRun(
    ground.connection,
    world.client,
    webhookDeliveryWorkflowId(eventId, 0),
  );
  t.teardown(blocked.stop);
  await makeAllDue(world.database);
  t.is((await reconcileOnce(world)).restarted, 1);
  await until(() => Promise.resolve(tenancy.posts.length > 0), 'the event was not sent');
  t.is((await blocked.run.describe()).status.name, 'TERMINATED');
});

/** Makes everything due and works it off with real calls, so that no test leaves work for the next. */
async function reconcileAll(): Promise<void> {
  await makeAllDue(world.database);
  await reconcileOnce(world);
}
