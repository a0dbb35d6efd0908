import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createHmac } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { webhookActivities } from '../../activities/webhooks.ts';
import type { ShipmentId, WebhookEventId } from '../../domain/ids.ts';
import { systemClock } from '../../platform/clock.ts';
import { createOutboundClient } from '../../platform/outbound-client.ts';
import type { OutboundClient } from '../../platform/outbound-client.ts';
import { applyNextCommand } from '../../store/commands/apply-command.ts';
import { connectDatabase, execute, select } from '../../store/connection.ts';
import type { Database } from '../../store/connection.ts';
import { newId } from '../../store/new-id.ts';
import { makeTestDatabase } from '../harness/database.ts';
import type { TestDatabase } from '../harness/database.ts';
import { testEngines } from '../harness/engines.ts';
import type { MadeOrganization } from '../harness/make.ts';
import { makeDriver, makeOrganization } from '../harness/make.ts';
import type { Receiver, ReceiverAnswer } from '../harness/receiver.ts';
import { startReceiver } from '../harness/receiver.ts';
import {
  makeCommand,
  makeStoredShipment,
  storedEvents,
  taskOf,
  transitionRequest,
} from '../store/shipments.ts';

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

interface Scene {
  readonly organization: MadeOrganization;
  readonly shipmentId: ShipmentId;
  readonly eventId: WebhookEventId;
  readonly receiver: Receiver;
  readonly send: (maxAttempts?: number) => Promise<string>;
  /** Where an event goes on whose attempt got no answer (decision 0016). */
  readonly sendSlowly: () => Promise<string>;
}

/** A pending event of a fresh organization whose receiver answers as told. */
async function setScene(
  t: ExecutionContext,
  answers: readonly [ReceiverAnswer, ...ReceiverAnswer[]],
): Promise<Scene> {
  const receiver = await startReceiver({ answers });
  t.teardown(receiver.close);
  const organization = await makeOrganization({ database }, { webhookUrl: receiver.url });
  const driver = await makeDriver({ database }, organization);
  const shipmentId = await makeStoredShipment(database, organization.id);
  await makeCommand(database, organization.id, shipmentId, {
    kind: 'transition',
    taskId: await taskOf(database, shipmentId, 'delivery'),
    request: transitionRequest('assign', driver),
  });
  const eventId = (await applyNextCommand(database, shipmentId))?.snapshot.pendingEventIds[0];
  if (eventId === undefined) throw new Error('no event was written');
  const activities = webhookActivities({ database, outbound, clock: systemClock });
  const send = (maxAttempts = 3) => activities.sendWebhook(eventId, maxAttempts);
  const sendSlowly = () => activities.sendWebhook(eventId, 3, 'slow');
  return { organization, shipmentId, eventId, receiver, send, sendSlowly };
}

function attemptsOf(id: WebhookEventId) {
  return select(
    database,
    `select attempt, status_code as "statusCode", error, finished_at is not null as "isFinished" from webhook_attempts
     where webhook_event_id = $1 order by round, attempt`,
    [id],
  );
}

async function statusOf(scene: Scene): Promise<string | undefined> {
  return (await storedEvents(database, scene.shipmentId))[0]?.status;
}

async function failureOf(t: ExecutionContext, sending: Promise<string>) {
  return t.throwsAsync(sending, { instanceOf: ApplicationFailure });
}

test('the stored bytes are sent unchanged and signed with the whole secret', async (t) => {
  const scene = await setScene(t, [204]);
  t.is(await scene.send(), 'delivered');
  const [request] = scene.receiver.requests;
  if (request === undefined) return t.fail('nothing arrived');
  const [event] = await storedEvents(database, scene.shipmentId);
  t.deepEqual(request.body, Buffer.from(event?.body ?? ''));
  const hmac = createHmac('sha256', scene.organization.webhookSecret).update(request.body).digest('hex');
  t.is(request.headers['x-service-signature'], `sha256=${hmac}`);
  t.is(request.headers['content-type'], 'application/json');
  t.is(request.headers['x-service-event-id'], scene.eventId);
  t.is(request.headers['x-service-attempt'], '1');
  t.is(await statusOf(scene), 'delivered');
  t.deepEqual(await attemptsOf(scene.eventId), [
    { attempt: 1, statusCode: 204, error: null, isFinished: true },
  ]);
});

test('a settled event is not sent again', async (t) => {
  const scene = await setScene(t, [200]);
  await scene.send();
  t.is(await scene.send(), 'settled');
  t.is(scene.receiver.requests.length, 1);
});

for (const statusCode of [301, 400, 401, 410, 429]) {
  test(`an answer ${statusCode} rejects the event for good`, async (t) => {
    const scene = await setScene(t, [statusCode]);
    t.like(await failureOf(t, scene.send()), { type: 'WebhookRejected', nonRetryable: true });
    t.is(await statusOf(scene), 'rejected');
    t.is(await scene.send(), 'settled');
    t.is(scene.receiver.requests.length, 1);
  });
}

test('three answers 500 are three attempts with the same bytes, the last of which ends it', async (t) => {
  const scene = await setScene(t, [500]);
  for (const expected of [
    { type: 'WebhookUnavailable', nonRetryable: false },
    { type: 'WebhookUnavailable', nonRetryable: false },
    { type: 'WebhookExhausted', nonRetryable: true },
  ]) {
    t.like(await failureOf(t, scene.send()), expected);
  }
  const { requests } = scene.receiver;
  t.is(new Set(requests.map(({ body }) => body.toString('hex'))).size, 1);
  t.is(new Set(requests.map(({ headers }) => headers['x-service-signature'])).size, 1);
  t.deepEqual(
    requests.map(({ headers }) => headers['x-service-attempt']),
    ['1', '2', '3'],
  );
  t.is(await statusOf(scene), 'pending', 'the dead-letter queue is the second activity’s');
  t.deepEqual(
    await attemptsOf(scene.eventId),
    [1, 2, 3].map((attempt) => ({ attempt, statusCode: 500, error: 'HTTP 500', isFinished: true })),
  );
});

test('a connection that breaks is tried again, and the error says why', async (t) => {
  const scene = await setScene(t, ['hang_up', 200]);
  t.like(await failureOf(t, scene.send()), { type: 'WebhookUnavailable' });
  t.is(await scene.sendSlowly(), 'delivered');
  t.like(await attemptsOf(scene.eventId), [{ statusCode: null }, { statusCode: 200 }]);
});

test('an unreachable database costs no attempt', async (t) => {
  const scene = await setScene(t, [200]);
  const nowhere = connectDatabase('postgres://nobody@127.0.0.1:1/none', {
    poolSize: 1,
    applicationName: 'test',
  });
  t.teardown(() => nowhere.close());
  const activities = webhookActivities({ database: nowhere, outbound, clock: systemClock });
  for (let round = 0; round < 4; round += 1) {
    const error = await t.throwsAsync(activities.sendWebhook(scene.eventId, 3));
    t.false(error instanceof ApplicationFailure);
  }
  t.is(await scene.send(), 'delivered');
  t.like(await attemptsOf(scene.eventId), [{ attempt: 1 }]);
});

test('a receiver that cannot be connected to uses up its attempts', async (t) => {
  const scene = await setScene(t, [200]);
  await scene.receiver.close();
  t.like(await failureOf(t, scene.send()), { type: 'WebhookUnavailable' });
  t.like(await failureOf(t, scene.send()), { type: 'WebhookEndpointBusy' });
  for (const type of ['WebhookUnavailable', 'WebhookExhausted']) {
    t.like(await failureOf(t, scene.sendSlowly()), { type });
  }
  t.deepEqual(
    (await attemptsOf(scene.eventId)).map((row) => ({ ...row })),
    [1, 2, 3].map((attempt) => ({
      attempt,
      statusCode: null,
      error: 'connection failed: ECONNREFUSED',
      isFinished: true,
    })),
  );
});

test('what the organization says at the moment of sending counts: another URL, or off', async (t) => {
  const scene = await setScene(t, [200]);
  const other = await startReceiver();
  t.teardown(other.close);
  await execute(database, 'update organizations set webhook_url = $2 where id = $1', [
    scene.organization.id,
    other.url,
  ]);
  t.is(await scene.send(), 'delivered');
  t.deepEqual([scene.receiver.requests.length, other.requests.length], [0, 1]);

  const off = await setScene(t, [200]);
  await execute(database, 'update organizations set is_webhook_enabled = false where id = $1', [
    off.organization.id,
  ]);
  t.is(await off.send(), 'skipped');
  t.is(await statusOf(off), 'skipped');
  t.is(off.receiver.requests.length, 0);
});

test('an address that turned private is rejected without a connection', async (t) => {
  const scene = await setScene(t, [200]);
  const guarded = createOutboundClient({ allowPrivate: false, extraCaFile: null });
  t.teardown(() => guarded.close());
  const activities = webhookActivities({ database, outbound: guarded, clock: systemClock });
  t.like(await failureOf(t, activities.sendWebhook(scene.eventId, 3)), { type: 'WebhookRejected' });
  t.is(scene.receiver.requests.length, 0);
});

test('an event that does not exist is nothing to send', async (t) => {
  const activities = webhookActivities({ database, outbound, clock: systemClock });
  t.is(await activities.sendWebhook(newId<'webhook_event'>(), 3), 'settled');
});
