import test from 'ava';
import { execute, selectOne } from '../../store/connection.ts';
import { acceptIntake } from '../../store/intakes.ts';
import { trackingSeries } from '../../store/tracking-numbers.ts';
import { newId } from '../../store/new-id.ts';
import { relayOnce } from '../../worker/relay.ts';
import type { RunSubject, ShipmentRuns } from '../../workflows/client/shipment-runs.ts';
import {
  makeStoredShipment,
  shipmentRequest,
  storedEvents,
  storedTimeline,
  taskOf,
} from '../store/shipments.ts';
import type { World } from '../workflows/world.ts';
import { decided, go, makeRunning, runOf, storedTransition, until } from '../workflows/moves.ts';
import { makeWorld, realGround } from '../workflows/world.ts';

/** What lies there is taken at once, and not a second time within a test. */
const AT_ONCE = { ageSeconds: 0, againAfterSeconds: 600, batch: 200 } as const;

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

/** A shipment with a stored command of which no run was told. */
async function makeForgotten() {
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
  const { id, commandId } = await makeForgotten();
  await relayOnce(world, AT_ONCE);
  t.is(await decided(world, commandId), 'applied');
  t.is(await entries(id, 'transition'), 1);
});

test.serial('an external request without a run becomes a shipment', async (t) => {
  const { organizationId } = await world.makeTenant();
  const id = newId<'shipment'>();
  const series = await trackingSeries(world.database, organizationId);
  const { trackingNumber } = await acceptIntake(
    world.database,
    { organizationId, series },
    id,
    shipmentRequest(),
  );
  await relayOnce(world, AT_ONCE);
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
  await relayOnce(world, AT_ONCE);
  t.is((await runOf(world, id).describe()).status.name, 'RUNNING');
});

test.serial('several relays at once do nothing twice', async (t) => {
  const forgotten = await Promise.all(Array.from({ length: 6 }, makeForgotten));
  const passes = await Promise.all([1, 2, 3].map(() => relayOnce(world, AT_ONCE)));
  t.is(
    passes.reduce((sum, { commands }) => sum + commands, 0),
    6,
  );
  for (const { id, commandId, tenancy } of forgotten) {
    t.is(await decided(world, commandId), 'applied');
    t.is(await entries(id, 'transition'), 1);
    await until(() => Promise.resolve(tenancy.posts.length > 0), 'the event was not sent');
    t.is((await storedEvents(world.database, id)).length, 1);
  }
});

test.serial('what was taken is taken again only after a while', async (t) => {
  await makeForgotten();
  const silent: ShipmentRuns = { start: nothing, tell: nothing, replay: nothing };
  const pass = (againAfterSeconds: number) =>
    relayOnce({ database: world.database, runs: silent }, { ...AT_ONCE, againAfterSeconds });
  t.is((await pass(600)).commands, 1);
  t.is((await pass(600)).commands, 0);
  t.is((await pass(0)).commands, 1);
  await relayOnce(world, { ...AT_ONCE, againAfterSeconds: 0 });
});

const nothing = () => Promise.resolve();

test.serial('a command is left alone while it is young', async (t) => {
  await makeForgotten();
  t.is((await relayOnce(world, { ...AT_ONCE, ageSeconds: 600 })).commands, 0);
  await relayOnce(world, AT_ONCE);
});

test.serial(
  'a run that was terminated with work left is woken: its deadline is noted, its event sent',
  async (t) => {
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
    await relayOnce(world, AT_ONCE);
    await until(async () => (await entries(id, 'deadline_missed')) === 1, 'no miss was written');
    await until(
      async () => (await storedEvents(world.database, id))[0]?.status === 'delivered',
      'the event was not sent',
    );
    t.is(await entries(id, 'deadline_missed'), 1);
  },
);

test.serial('one shipment that always fails keeps no other waiting', async (t) => {
  const forgotten = await Promise.all(Array.from({ length: 20 }, makeForgotten));
  const [poison] = forgotten;
  const told = new Set<string>();
  const runs: ShipmentRuns = {
    start: nothing,
    replay: nothing,
    tell: (subject: RunSubject) => {
      if (subject.id === poison?.id) return Promise.reject(new Error('never'));
      told.add(subject.id);
      return Promise.resolve();
    },
  };
  await t.throwsAsync(relayOnce({ database: world.database, runs }, AT_ONCE), { message: 'never' });
  t.deepEqual(
    forgotten.slice(1).filter(({ id }) => !told.has(id)),
    [],
  );
});

test.serial('while Temporal is away a pass gives up after its first group', async (t) => {
  await Promise.all(Array.from({ length: 20 }, makeForgotten));
  let calls = 0;
  const away = () => {
    calls += 1;
    return Promise.reject(new Error('away'));
  };
  const runs: ShipmentRuns = { start: away, tell: away, replay: away };
  await t.throwsAsync(relayOnce({ database: world.database, runs }, AT_ONCE), { message: 'away' });
  t.is(calls, 8);
});
