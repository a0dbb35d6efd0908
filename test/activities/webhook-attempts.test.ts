import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { webhookActivities } from '../../activities/webhooks.ts';
import type { WebhookEventId } from '../../domain/ids.ts';
import { WEBHOOK_RETRY } from '../../domain/webhook.ts';
import { systemClock } from '../../platform/clock.ts';
import { createOutboundClient } from '../../platform/outbound-client.ts';
import type { OutboundClient } from '../../platform/outbound-client.ts';
import { connectDatabase, execute, select, selectOne } from '../../store/connection.ts';
import type { Database } from '../../store/connection.ts';
import { reopenWebhookDelivery, storeTestEvent } from '../../store/webhooks/webhook-deliveries.ts';
import { finishAttempt, markSent, startAttempt } from '../../store/webhooks/webhook-attempts.ts';
import type { AttemptKey, WebhookEndpoint } from '../../store/webhooks/webhook-attempts.ts';
import { startFlakyProxy } from '../harness/flaky-proxy.ts';
import { makeTestDatabase } from '../harness/database.ts';
import type { TestDatabase } from '../harness/database.ts';
import { testEngines } from '../harness/engines.ts';
import { makeOrganization } from '../harness/make.ts';
import { startReceiver } from '../harness/receiver.ts';
import type { ReceiverAnswer, ReceiverHandler } from '../harness/receiver.ts';
import { until } from '../harness/until.ts';

/** Which attempts count, and that there is never more than one at a time. */
let testDatabase: TestDatabase;
let database: Database;
let outbound: OutboundClient;
test.before(async () => {
  testDatabase = await makeTestDatabase();
  database = connectDatabase(testDatabase.url, { poolSize: 6, applicationName: 'test' });
  outbound = createOutboundClient({
    allowPrivate: true,
    extraCaFile: testEngines().authorityCertificateFile,
  });
});
test.after.always(async () => {
  await outbound.close();
  await database.close();
  await testDatabase.drop();
});

/** A pending event whose receiver gives these answers. */
async function makeEvent(
  t: ExecutionContext,
  answers: readonly [ReceiverAnswer, ...ReceiverAnswer[]] | ReceiverHandler = [200],
) {
  const receiver = await startReceiver({ answers });
  t.teardown(receiver.close);
  const organization = await makeOrganization({ database }, { webhookUrl: receiver.url });
  const { eventId } = await storeTestEvent(database, organization.id);
  const activities = webhookActivities({ database, outbound, clock: systemClock });
  return { receiver, organization, eventId, send: () => activities.sendWebhook(eventId, 3) };
}

async function endpointOf(eventId: WebhookEventId): Promise<WebhookEndpoint> {
  const row = await selectOne<WebhookEndpoint>(
    database,
    `select o.id as "organizationId", o.webhook_url as url from organizations o
     join webhook_events e on e.organization_id = o.id where e.id = $1`,
    [eventId],
  );
  if (row === undefined) throw new Error('the event has no endpoint');
  return row;
}

/** An attempt as another execution has begun it. */
async function begin(eventId: WebhookEventId, attempt = 1, round = 0): Promise<AttemptKey> {
  const key = { eventId, round, attempt, executionId: randomUUID() };
  const begun = await startAttempt(database, key, await endpointOf(eventId), null);
  if (begun !== 'started') throw new Error('it was not begun');
  return key;
}

/** Lets so much time pass that no attempt of the event can be under way. */
async function passTime(eventId: WebhookEventId): Promise<void> {
  await execute(
    database,
    `update webhook_attempts set started_at = started_at - make_interval(secs => $2),
       sent_at = sent_at - make_interval(secs => $2) where webhook_event_id = $1`,
    [eventId, WEBHOOK_RETRY.attemptTimeoutMs / 1_000],
  );
}

function attemptsOf(id: WebhookEventId) {
  return select(
    database,
    `select round, attempt, sent_at is not null as "isSent", status_code as "statusCode" from webhook_attempts
     where webhook_event_id = $1 order by round, attempt`,
    [id],
  );
}

async function statusOf(id: WebhookEventId): Promise<string | undefined> {
  const row = await selectOne<{ status: string }>(
    database,
    'select status from webhook_events where id = $1',
    [id],
  );
  return row?.status;
}

async function assertInFlight(t: ExecutionContext, sending: Promise<string>): Promise<void> {
  const failure = await t.throwsAsync(sending, { instanceOf: ApplicationFailure });
  t.like(failure, { type: 'WebhookInFlight', nonRetryable: false });
  const delayMs = Number(failure.nextRetryDelay);
  t.true(delayMs > 0 && delayMs <= WEBHOOK_RETRY.maximumIntervalMs, `${delayMs} ms`);
}

test('an event that was erased is not sent', async (t) => {
  const { receiver, eventId, send } = await makeEvent(t);
  await execute(database, 'update webhook_events set erased_at = clock_timestamp() where id = $1', [eventId]);
  t.is(await send(), 'skipped');
  t.is(await statusOf(eventId), 'skipped');
  t.is(receiver.requests.length, 0);
});

test('an attempt that a crash ended before its request was sent does not count', async (t) => {
  const { receiver, eventId, send } = await makeEvent(t);
  for (let crash = 0; crash < 5; crash += 1) {
    await begin(eventId);
    await passTime(eventId);
  }
  t.is(await send(), 'delivered');
  t.deepEqual(
    receiver.requests.map(({ headers }) => headers['x-service-attempt']),
    ['1'],
  );
  t.deepEqual(await attemptsOf(eventId), [{ round: 0, attempt: 1, isSent: true, statusCode: 200 }]);
});

test('attempts that a crash ended after their request was sent count: no request beyond the last', async (t) => {
  const { receiver, eventId, send } = await makeEvent(t);
  for (const attempt of [1, 2, 3]) {
    t.true(await markSent(database, await begin(eventId, attempt)));
    await passTime(eventId);
  }
  const failure = await t.throwsAsync(send(), { instanceOf: ApplicationFailure });
  t.like(failure, { type: 'WebhookExhausted', nonRetryable: true });
  t.is(receiver.requests.length, 0);
});

for (const [state, isSent] of [
  ['begun', false],
  ['sent', true],
] as const) {
  test(`while an attempt that another execution has ${state} may be under way, no other is made`, async (t) => {
    const { receiver, eventId, send } = await makeEvent(t);
    const other = await begin(eventId);
    if (isSent) t.true(await markSent(database, other));
    await assertInFlight(t, send());
    t.is(receiver.requests.length, 0);
    await finishAttempt(
      database,
      other,
      await endpointOf(eventId),
      { statusCode: 500, durationMs: 1, error: 'HTTP 500' },
      null,
    );
    t.is(await send(), 'delivered');
    t.deepEqual(
      receiver.requests.map(({ headers }) => headers['x-service-attempt']),
      ['2'],
    );
  });
}

test('a last attempt that may be under way is waited for before the event is given up', async (t) => {
  const { eventId, send } = await makeEvent(t);
  for (const attempt of [1, 2]) {
    const earlier = await begin(eventId, attempt);
    await finishAttempt(
      database,
      earlier,
      await endpointOf(eventId),
      { statusCode: 500, durationMs: 1, error: 'HTTP 500' },
      null,
    );
  }
  const last = await begin(eventId, 3);
  t.true(await markSent(database, last));
  await assertInFlight(t, send());
  await finishAttempt(
    database,
    last,
    await endpointOf(eventId),
    { statusCode: 200, durationMs: 1, error: null },
    'delivered',
  );
  t.is(await send(), 'settled');
});

test('of ten executions at the same time one makes a request, the others fail for another try', async (t) => {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { receiver, send } = await makeEvent(t, async () => {
    await answered;
    return 200;
  });
  const outcomes: string[] = [];
  const executions = Array.from({ length: 10 }, async () => {
    outcomes.push(
      await send().catch((error: unknown) => (error instanceof ApplicationFailure ? String(error.type) : '')),
    );
  });
  await until(() => Promise.resolve(outcomes.length === 9), 'the others did not end');
  t.deepEqual(
    outcomes,
    outcomes.map(() => 'WebhookInFlight'),
  );
  answer();
  await Promise.all(executions);
  t.is(outcomes.at(-1), 'delivered');
  t.is(receiver.requests.length, 1);
  t.is(await send(), 'settled');
});

test('an execution that was passed over sends nothing when its connection is made at last', async (t) => {
  const { receiver, organization, eventId } = await makeEvent(t);
  const slow = await startFlakyProxy(receiver.url);
  t.teardown(slow.stop);
  await execute(database, 'update organizations set webhook_url = $2 where id = $1', [
    organization.id,
    slow.url,
  ]);
  slow.freeze();
  const activities = webhookActivities({ database, outbound, clock: systemClock });
  const first = t.throwsAsync(activities.sendWebhook(eventId, 3), { instanceOf: ApplicationFailure });
  await until(async () => (await attemptsOf(eventId)).length === 1, 'the attempt was not begun');
  await passTime(eventId);
  const second = await begin(eventId);
  slow.reconnect();
  t.like(await first, { type: 'WebhookInFlight' });
  t.is(receiver.requests.length, 0);
  t.true(await markSent(database, second));
});

test('a database that is unreachable when the connection is made: nothing is sent or counted', async (t) => {
  const { receiver, eventId, send } = await makeEvent(t);
  const proxy = await startFlakyProxy(testDatabase.url);
  const flaky = connectDatabase(proxy.url, { poolSize: 2, applicationName: 'test' });
  t.teardown(async () => {
    await flaky.close();
    await proxy.stop();
  });
  const failing: OutboundClient = {
    ...outbound,
    post: (url, request) => {
      proxy.disconnect();
      return outbound.post(url, request);
    },
  };
  const activities = webhookActivities({ database: flaky, outbound: failing, clock: systemClock });
  const error = await t.throwsAsync(activities.sendWebhook(eventId, 3));
  t.false(error instanceof ApplicationFailure);
  t.is(receiver.requests.length, 0);
  await passTime(eventId);
  t.is(await send(), 'delivered');
  t.deepEqual(await attemptsOf(eventId), [{ round: 0, attempt: 1, isSent: true, statusCode: 200 }]);
});

test('an answer whose record fails for a moment is recorded, and not asked for again', async (t) => {
  const proxy = await startFlakyProxy(testDatabase.url);
  const flaky = connectDatabase(proxy.url, { poolSize: 2, applicationName: 'test' });
  t.teardown(async () => {
    await flaky.close();
    await proxy.stop();
  });
  const { receiver, eventId } = await makeEvent(t, () => {
    proxy.disconnect();
    setTimeout(proxy.reconnect, 100);
    return Promise.resolve(200);
  });
  const activities = webhookActivities({ database: flaky, outbound, clock: systemClock });
  t.is(await activities.sendWebhook(eventId, 3), 'delivered');
  t.is(await statusOf(eventId), 'delivered');
  t.is(receiver.requests.length, 1);
});

test('a late answer of the round before settles a replay only when it is a delivery', async (t) => {
  for (const [statusCode, settledAs, expected] of [
    [400, 'rejected', 'pending'],
    [200, 'delivered', 'delivered'],
  ] as const) {
    const { receiver, organization, eventId, send } = await makeEvent(t);
    const earlier = await begin(eventId);
    t.true(await markSent(database, earlier));
    await execute(database, `update webhook_events set status = 'dead' where id = $1`, [eventId]);
    t.like(await reopenWebhookDelivery(database, organization.id, eventId), { round: 1 });
    await assertInFlight(t, send());
    await finishAttempt(
      database,
      earlier,
      await endpointOf(eventId),
      { statusCode, durationMs: 1, error: null },
      settledAs,
    );
    t.is(await statusOf(eventId), expected);
    t.is(await send(), expected === 'pending' ? 'delivered' : 'settled');
    t.is(receiver.requests.length, expected === 'pending' ? 1 : 0);
  }
});
