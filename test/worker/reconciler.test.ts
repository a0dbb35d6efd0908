import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import test from 'ava';
import { shipmentWorkflowId, webhookDeliveryWorkflowId } from '../../workflows/messages.ts';
import { execute, selectOne } from '../../store/connection.ts';
import { acceptExternalRequest } from '../../store/shipments/external-requests.ts';
import { trackingSeries } from '../../store/shipments/tracking-numbers.ts';
import { newId } from '../../store/new-id.ts';
import { storeTestEvent } from '../../store/webhooks/webhook-deliveries.ts';
import { reconcileOnce } from '../../worker/reconciler.ts';
import { makeAllDue } from './stale-rows.ts';
import type {
  WorkflowSubject,
  ShipmentWorkflowClient,
} from '../../workflows/client/shipment-workflow-client.ts';
import {
  makeStoredShipment,
  shipmentRequest,
  storedEvents,
  storedTimeline,
  taskOf,
} from '../store/shipments.ts';
import type { Tenancy, World } from '../workflows/world.ts';
import { decided, go, makeRunning, runOf, storedTransition, until } from '../workflows/moves.ts';
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
  return makeStaleOf(await world.makeTenant());
}

async function makeStaleOf(tenancy: Tenancy) {
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
  const series = await trackingSeries(world.database, organizationId);
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

test.serial('a row that always fails is due again after a back-off that doubles, with jitter', async (t) => {
  const { commandId } = await makeStale();
  const waits: number[] = [];
  for (let pass = 0; pass < 4; pass += 1) {
    await makeAllDue(world.database);
    await reconcileOnce({ database: world.database, workflows: failing(() => true) });
    const row = await selectOne<{ seconds: number }>(
      world.database,
      'select extract(epoch from reconcile_after - clock_timestamp())::float8 as seconds from commands where id = $1',
      [commandId],
    );
    waits.push(row?.seconds ?? 0);
  }
  // 5, 10, 20 and 40 seconds, each by a factor from 0.75 to 1.25, less the time of the pass.
  [5, 10, 20, 40].forEach((seconds, index) => {
    const waited = waits[index] ?? 0;
    t.true(waited <= seconds * 1.25 && waited > seconds * 0.5, `${waited} s instead of about ${seconds} s`);
  });
  await reconcileAll();
});

test.serial('a command is left alone while it is young', async (t) => {
  await makeStale();
  t.is((await reconcileOnce({ database: world.database, workflows: failing(() => true) })).commands, 0);
  await reconcileAll();
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
  await reconcileAll();
  await until(async () => (await entries(id, 'deadline_missed')) === 1, 'no miss was written');
  await until(
    async () => (await storedEvents(world.database, id))[0]?.status === 'delivered',
    'the event was not sent',
  );
  t.is(await entries(id, 'deadline_missed'), 1);
});

test.serial('late deadlines are recorded while Temporal is unreachable, each once and as due', async (t) => {
  const tenancy = await world.makeTenant();
  const ids = await Promise.all(
    Array.from({ length: 6 }, () => makeStoredShipment(world.database, tenancy.organizationId)),
  );
  await execute(
    world.database,
    `update shipments set delivery_deadline = clock_timestamp() - interval '11 seconds',
       reconcile_after = clock_timestamp() - interval '11 seconds' where organization_id = $1`,
    [tenancy.organizationId],
  );
  const isLost = { ...failing(() => true), checkConnection: () => Promise.reject(new Error('unreachable')) };
  for (let pass = 0; pass < 2; pass += 1) {
    await t.throwsAsync(reconcileOnce({ database: world.database, workflows: isLost }), {
      message: 'unreachable',
    });
  }
  const rows = await selectOne<{ recorded: number; asDue: number }>(
    world.database,
    `select count(*)::int as recorded, count(*) filter (where e.occurred_at = s.delivery_deadline)::int as "asDue"
     from timeline_entries e join shipments s on s.id = e.shipment_id
     where e.kind = 'deadline_missed' and s.organization_id = $1`,
    [tenancy.organizationId],
  );
  t.deepEqual(rows, { recorded: ids.length, asDue: ids.length });
});

test.serial('a run whose workflow task keeps failing is replaced, and the command is applied', async (t) => {
  const tenancy = await world.makeTenant();
  const id = await makeStoredShipment(world.database, tenancy.organizationId);
  const blocked = await startBlockedRun(shipmentWorkflowId(id));
  t.teardown(blocked.stop);
  const task = { id: await taskOf(world.database, id, 'delivery'), type: 'delivery' } as const;
  const { commandId } = await storedTransition(world, tenancy, id, task, 'assign');
  await makeAllDue(world.database);
  const pass = await reconcileOnce(world);
  t.is(pass.restarted, 1);
  t.is(await decided(world, commandId), 'applied');
  t.is((await blocked.run.describe()).status.name, 'TERMINATED');
  await reconcileAll();
});

test.serial('a delivery whose workflow task keeps failing is replaced, and its event is sent', async (t) => {
  const tenancy = await world.makeTenant();
  const { eventId } = await storeTestEvent(world.database, tenancy.organizationId);
  const blocked = await startBlockedRun(webhookDeliveryWorkflowId(eventId, 0));
  t.teardown(blocked.stop);
  await makeAllDue(world.database);
  t.is((await reconcileOnce(world)).restarted, 1);
  await until(() => Promise.resolve(tenancy.posts.length > 0), 'the event was not sent');
  t.is((await blocked.run.describe()).status.name, 'TERMINATED');
});

/** A run under this id whose workflow code throws on every try, on a task queue of its own. */
async function startBlockedRun(workflowId: string) {
  const taskQueue = `test-${randomUUID()}`;
  const worker = await Worker.create({
    connection: ground.connection,
    namespace: 'default',
    taskQueue,
    workflowsPath: fileURLToPath(new URL('blocked-workflow.ts', import.meta.url)),
  });
  const running = worker.run();
  const run = await world.client.workflow.start('blocked', {
    taskQueue,
    workflowId,
  });
  await until(async () => {
    const { raw } = await run.describe();
    return (raw.pendingWorkflowTask?.attempt ?? 0) >= 2;
  }, 'the workflow task did not fail');
  const stop = async (): Promise<void> => {
    worker.shutdown();
    await running;
  };
  return { run: world.client.workflow.getHandle(workflowId, run.firstExecutionRunId), stop };
}

test.serial('one shipment that always fails keeps no other waiting', async (t) => {
  const stale = await Promise.all(Array.from({ length: 20 }, makeStale));
  const [poison] = stale;
  const signalled = new Set<string>();
  const workflows = failing((id) => {
    signalled.add(id);
    return id === poison?.id;
  });
  await makeAllDue(world.database);
  const pass = await reconcileOnce({ database: world.database, workflows });
  t.is(pass.failed, 1);
  t.deepEqual(
    stale.filter(({ id }) => !signalled.has(id)),
    [],
  );
  await reconcileAll();
});

test.serial('an organization with a large backlog does not delay the others', async (t) => {
  const large = await world.makeTenant();
  for (let made = 0; made < 30; made += 1) await makeStaleOf(large);
  await makeAllDue(world.database);
  const small = await makeStale();
  await execute(
    world.database,
    `update commands set reconcile_after = clock_timestamp() - interval '1 ms' where shipment_id = $1`,
    [small.id],
  );
  const order: string[] = [];
  const workflows = failing((id) => {
    order.push(id);
    return false;
  });
  await reconcileOnce({ database: world.database, workflows });
  t.true(order.indexOf(small.id) < 16, `it came as number ${order.indexOf(small.id) + 1}`);
  await reconcileAll();
});

test.serial('a pass ends when every call of a group finds Temporal unreachable', async (t) => {
  await Promise.all(Array.from({ length: 20 }, makeStale));
  await makeAllDue(world.database);
  let calls = 0;
  const unreachable = () => {
    calls += 1;
    return Promise.reject(Object.assign(new Error('unreachable'), { code: 14 }));
  };
  const workflows: ShipmentWorkflowClient = {
    start: unreachable,
    signal: unreachable,
    wake: unreachable,
    resumeSending: unreachable,
    startDelivery: unreachable,
    resumeDelivery: unreachable,
    checkConnection: nothing,
  };
  await t.throwsAsync(reconcileOnce({ database: world.database, workflows }), { message: 'unreachable' });
  t.is(calls, 8);
  await reconcileAll();
});

test.serial('nothing is claimed while Temporal is unreachable', async (t) => {
  const { commandId } = await makeStale();
  await makeAllDue(world.database);
  const workflows = {
    ...failing(() => false),
    checkConnection: () => Promise.reject(new Error('unreachable')),
  };
  await t.throwsAsync(reconcileOnce({ database: world.database, workflows }), { message: 'unreachable' });
  const row = await selectOne<{ tries: number }>(
    world.database,
    'select reconcile_tries as tries from commands where id = $1',
    [commandId],
  );
  t.is(row?.tries, 0);
  await reconcileAll();
});

const nothing = () => Promise.resolve();

/** Signals that reject for the shipments that `fails` names, for a reason of their own. */
function failing(fails: (id: string) => boolean): ShipmentWorkflowClient {
  return {
    start: nothing,
    startDelivery: nothing,
    resumeDelivery: () => Promise.resolve(false),
    checkConnection: nothing,
    signal: nothing,
    wake: ({ id }: WorkflowSubject) =>
      fails(id) ? Promise.reject(new Error('never')) : Promise.resolve(false),
    resumeSending: () => Promise.resolve(false),
  };
}

/** Makes everything due and works it off with real calls, so that no test leaves work for the next. */
async function reconcileAll(): Promise<void> {
  await makeAllDue(world.database);
  await reconcileOnce(world);
}
