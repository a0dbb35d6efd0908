import test from 'ava';
import type { ShipmentId } from '../../domain/ids.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/messages.ts';
import { at } from '../harness/request.ts';
import { until } from '../harness/until.ts';
import { execute } from '../../store/connection.ts';
import { storedEvents } from '../store/shipments.ts';
import type { SkippingGround } from './time-skipping.ts';
import { skippingGround } from './time-skipping.ts';
import type { Answering, Tenancy, World } from './world.ts';
import { go, makeRunning, runOf } from './moves.ts';
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

const UNAVAILABLE: Answering = () => ({ kind: 'answered', statusCode: 500 });
/** Answers of a receiver that ends a sending: enough time for every retry to come and go. */
const LONG_MS = 60_000;

async function assigned(answering: Answering): Promise<{ tenancy: Tenancy; id: ShipmentId }> {
  const tenancy = await world.makeTenant(answering);
  const id = await makeRunning(world, tenancy);
  await go(world, tenancy, id, 'delivery', 'assign');
  return { tenancy, id };
}

async function eventStatuses(id: ShipmentId): Promise<string[]> {
  return (await storedEvents(world.database, id)).map(({ status }) => status);
}

test.serial(
  'an event that always fails is posted three times, 1 s and 2 s apart, and is then dead',
  async (t) => {
    const { tenancy, id } = await assigned(UNAVAILABLE);
    await ground.pass(LONG_MS);
    await until(async () => (await eventStatuses(id))[0] === 'dead', 'the event did not die');
    t.deepEqual(
      tenancy.posts.map(({ attempt }) => attempt),
      ['1', '2', '3'],
    );
    t.is(new Set(tenancy.posts.map(({ body }) => body)).size, 1);
    const [first, second, third] = tenancy.posts.map(({ atMs }) => atMs);
    if (first === undefined || second === undefined || third === undefined) return t.fail();
    t.true(second - first >= 1_000 && second - first < 2_000, `${second - first} ms`);
    t.true(third - second >= 2_000 && third - second < 4_000, `${third - second} ms`);
  },
);

test.serial(
  "the retry policy has the contract's delays, and the fairness key is the organization",
  async (t) => {
    const { tenancy, id } = await assigned(() => ({ kind: 'answered', statusCode: 204 }));
    await until(async () => (await eventStatuses(id))[0] === 'delivered', 'the event was not delivered');
    const { events } = await runOf(world, id).fetchHistory();
    const scheduled = events?.map((event) => event.activityTaskScheduledEventAttributes) ?? [];
    const sending = scheduled.find((attributes) => attributes?.activityType?.name === 'sendWebhook');
    t.is(Number(sending?.retryPolicy?.initialInterval?.seconds), 1);
    t.is(sending?.retryPolicy?.backoffCoefficient, 2);
    t.is(Number(sending?.retryPolicy?.maximumInterval?.seconds), 4);
    t.is(sending?.taskQueue?.name, `${world.taskQueue}-webhooks`);
    t.is(sending?.priority?.fairnessKey, tenancy.organizationId);
  },
);

test.serial('an event whose endpoint is slow is sent once, on the slow lane', async (t) => {
  const tenancy = await world.makeTenant();
  const id = await makeRunning(world, tenancy);
  await execute(
    world.database,
    `insert into webhook_endpoints (organization_id, url, slow_since)
     select id, webhook_url, clock_timestamp() from organizations where id = $1`,
    [tenancy.organizationId],
  );
  await go(world, tenancy, id, 'delivery', 'assign');
  await until(async () => (await eventStatuses(id))[0] === 'delivered', 'the event was not delivered');
  const { events } = await runOf(world, id).fetchHistory();
  const queues = events
    ?.map((event) => event.activityTaskScheduledEventAttributes)
    .filter((attributes) => attributes?.activityType?.name === 'sendWebhook')
    .map((attributes) => attributes?.taskQueue?.name);
  t.deepEqual(queues, [`${world.taskQueue}-webhooks`, `${world.taskQueue}-webhooks-slow`]);
  t.deepEqual(
    tenancy.posts.map(({ attempt }) => attempt),
    ['1'],
  );
});

test.serial('a receiver that recovers gets the event at the second attempt', async (t) => {
  const { tenancy, id } = await assigned((_, index) =>
    index === 0 ? { kind: 'failed', reason: 'no answer in time' } : { kind: 'answered', statusCode: 200 },
  );
  await ground.pass(LONG_MS);
  await until(async () => (await eventStatuses(id))[0] === 'delivered', 'the event was not delivered');
  t.is(tenancy.posts.length, 2);
});

for (const statusCode of [301, 400, 410]) {
  test.serial(`a response ${statusCode} ends the delivery immediately`, async (t) => {
    const { tenancy, id } = await assigned(() => ({ kind: 'answered', statusCode }));
    await ground.pass(LONG_MS);
    t.deepEqual(await eventStatuses(id), ['rejected']);
    t.is(tenancy.posts.length, 1);
  });
}

test.serial(
  'a run shows its dead letter while it continues, and ends when every event is settled',
  async (t) => {
    const { tenancy, id } = await assigned((post) =>
      at(JSON.parse(post.body), 'taskStatus') === 'assigned'
        ? { kind: 'answered', statusCode: 503 }
        : { kind: 'answered', statusCode: 200 },
    );
    await ground.pass(LONG_MS);
    await until(async () => {
      const { typedSearchAttributes } = await runOf(world, id).describe();
      return typedSearchAttributes.get(SEARCH_ATTRIBUTES.hasDeadLetter) === true;
    }, 'no dead letter was shown');
    await go(world, tenancy, id, 'delivery', 'start_delivery', 'deliver');
    t.is(await runOf(world, id).result(), 'delivered');
    t.deepEqual(await eventStatuses(id), ['dead', 'delivered', 'delivered']);
  },
);

test.serial('a receiver that hangs delays no command, and the run waits for it before it ends', async (t) => {
  let answer: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { tenancy, id } = await assigned(async () => {
    await hanging;
    return { kind: 'answered', statusCode: 200 };
  });
  await go(world, tenancy, id, 'delivery', 'start_delivery', 'deliver');
  await until(() => Promise.resolve(tenancy.posts.length === 3), 'not every event was begun');
  t.deepEqual(await eventStatuses(id), ['pending', 'pending', 'pending']);
  t.is((await runOf(world, id).describe()).status.name, 'RUNNING');
  answer();
  t.is(await runOf(world, id).result(), 'delivered');
  t.deepEqual(await eventStatuses(id), ['delivered', 'delivered', 'delivered']);
});
