import test from 'ava';
import type { ShipmentId } from '../../domain/ids.ts';
import { execute } from '../../store/connection.ts';
import { storedTimeline } from '../store/shipments.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/messages.ts';
import type { SkippingGround } from './time-skipping.ts';
import { skippingGround } from './time-skipping.ts';
import type { Tenancy, World } from './world.ts';
import { until } from '../harness/until.ts';
import { go, makeRunning, runOf, subjectOf } from './moves.ts';
import { makeWorld } from './world.ts';

let ground: SkippingGround;
let world: World;
test.before(async () => {
  ground = await skippingGround();
  world = await makeWorld(ground);
});
test.after.always(async () => {
  await world.close();
  await ground.close();
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function misses(id: ShipmentId): Promise<number> {
  return (await storedTimeline(world.database, id)).filter(({ kind }) => kind === 'deadline_missed').length;
}

/** Makes a shipment whose deadline lies that far ahead of the server's time. */
async function makeDueIn(durationMs: number) {
  const tenancy = await world.makeTenant();
  const now = await ground.nowMs();
  const id = await makeRunning(world, tenancy, {
    fields: { scheduledAfter: new Date(now), scheduledBefore: new Date(now + durationMs) },
  });
  // The run has read its deadline once a command has been through it.
  await go(world, tenancy, id, 'delivery', 'assign');
  return { tenancy, id, now };
}

/** Sends commands through the run: whatever it had to do before them is done then. */
async function settle(tenancy: Tenancy, id: ShipmentId): Promise<void> {
  await go(world, tenancy, id, 'delivery', 'fail', 'reactivate', 'assign');
}

test.serial('a deadline three days away fires once, and is written once', async (t) => {
  const { tenancy, id } = await makeDueIn(3 * DAY_MS);
  await ground.pass(3 * DAY_MS - HOUR_MS);
  await settle(tenancy, id);
  t.is(await misses(id), 0);
  await ground.pass(2 * HOUR_MS);
  await until(async () => (await misses(id)) === 1, 'no miss was written');
  await ground.pass(10 * DAY_MS);
  await settle(tenancy, id);
  t.is(await misses(id), 1);
  const { typedSearchAttributes } = await runOf(world, id).describe();
  t.is(typedSearchAttributes.get(SEARCH_ATTRIBUTES.deadlineMissed), true);
});

test.serial(
  'an edit that moves the deadline restarts the timer, and the earlier one does not fire',
  async (t) => {
    const { id, now } = await makeDueIn(2 * DAY_MS);
    await moveDeadline(id, now + 5 * DAY_MS);
    await ground.pass(3 * DAY_MS);
    t.is(await misses(id), 0);
    await ground.pass(3 * DAY_MS);
    await until(async () => (await misses(id)) === 1, 'the moved deadline did not fire');
  },
);

test.serial(
  'a timer that fires after an edit without its signal does not miss the moved deadline',
  async (t) => {
    const { id, now } = await makeDueIn(2 * DAY_MS);
    await execute(world.database, 'update shipments set delivery_deadline = $2 where id = $1', [
      id,
      new Date(now + 4 * DAY_MS),
    ]);
    await ground.pass(3 * DAY_MS);
    t.is(await misses(id), 0);
    await ground.pass(2 * DAY_MS);
    await until(async () => (await misses(id)) === 1, 'the moved deadline did not fire');
  },
);

test.serial('a missed deadline that is moved loses its mark and can be missed again', async (t) => {
  const { id, now } = await makeDueIn(DAY_MS);
  await ground.pass(2 * DAY_MS);
  await until(async () => (await misses(id)) === 1, 'no miss was written');
  await execute(world.database, 'update shipments set deadline_missed_at = null where id = $1', [id]);
  await moveDeadline(id, now + 6 * DAY_MS);
  await until(async () => (await deadlineMark(id)) === false, 'the mark stayed');
  await ground.pass(6 * DAY_MS);
  await until(async () => (await misses(id)) === 2, 'the moved deadline did not fire');
  t.is(await misses(id), 2);
});

test.serial('a deadline in the past fires immediately', async (t) => {
  const tenancy = await world.makeTenant();
  const id = await makeRunning(world, tenancy, {
    fields: { scheduledAfter: new Date(0), scheduledBefore: new Date(1_000) },
  });
  await until(async () => (await misses(id)) === 1, 'no miss was written');
  t.is(await misses(id), 1);
});

test.serial('a shipment that ended before its deadline never misses it, and its run ends', async (t) => {
  const { tenancy, id } = await makeDueIn(DAY_MS);
  await go(world, tenancy, id, 'delivery', 'start_delivery', 'deliver');
  t.is(await runOf(world, id).result(), 'delivered');
  await ground.pass(3 * DAY_MS);
  t.is(await misses(id), 0);
});

async function moveDeadline(id: ShipmentId, toMs: number): Promise<void> {
  await execute(world.database, 'update shipments set delivery_deadline = $2 where id = $1', [
    id,
    new Date(toMs),
  ]);
  await world.workflows.signal(await subjectOf(world, id), { name: 'reschedule' });
}

async function deadlineMark(id: ShipmentId): Promise<boolean | undefined> {
  const { typedSearchAttributes } = await runOf(world, id).describe();
  return typedSearchAttributes.get(SEARCH_ATTRIBUTES.deadlineMissed);
}
