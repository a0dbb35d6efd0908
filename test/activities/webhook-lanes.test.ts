import test from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { webhookActivities } from '../../activities/webhooks.ts';
import type { OrganizationId, WebhookEventId } from '../../domain/ids.ts';
import { SLOW_ATTEMPT_MS, WEBHOOK_LANES } from '../../domain/webhook-lanes.ts';
import type { WebhookLane } from '../../domain/webhook-lanes.ts';
import type { OutboundAnswer, OutboundClient } from '../../platform/outbound-client.ts';
import { connectDatabase, execute, select, selectOne } from '../../store/connection.ts';
import type { Database } from '../../store/connection.ts';
import { newId } from '../../store/new-id.ts';
import { storeTestEvent } from '../../store/webhooks/webhook-deliveries.ts';
import { countEndpoints } from '../../store/webhooks/webhook-endpoints.ts';
import { makeTestDatabase } from '../harness/database.ts';
import type { TestDatabase } from '../harness/database.ts';
import { makeOrganization } from '../harness/make.ts';
import { until } from '../harness/until.ts';
import { makeStoredShipment } from '../store/shipments.ts';

/** Which events hold a slot of the live lane, and which are sent to the slow lane (decision 0016). */
let testDatabase: TestDatabase;
let database: Database;
test.before(async () => {
  testDatabase = await makeTestDatabase();
  database = connectDatabase(testDatabase.url, { poolSize: 12, applicationName: 'test' });
});
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

const SLOTS = WEBHOOK_LANES.live.slotsPerEndpoint;
const OK: OutboundAnswer = { kind: 'answered', statusCode: 200 };
const TIMED_OUT: OutboundAnswer = { kind: 'failed', reason: 'no answer in time' };

/** A receiver that answers as it is set to, after the time that it is set to. Its network is all that is not real. */
function makeReceiver() {
  const state = { answer: Promise.resolve(OK), tookMs: 10, posts: 0, nowMs: 0 };
  const outbound: OutboundClient = {
    post: async (_, { beforeSend }) => {
      await beforeSend?.();
      state.posts += 1;
      const answer = await state.answer;
      state.nowMs += state.tookMs;
      return answer;
    },
    close: () => Promise.resolve(),
  };
  const activities = webhookActivities({ database, outbound, clock: () => new Date(state.nowMs) });
  const send = (id: WebhookEventId, lane: WebhookLane = 'live') => activities.sendWebhook(id, 3, lane);
  return { state, send };
}

async function makeEndpoint() {
  const { id } = await makeOrganization({ database }, { webhookUrl: 'https://shop.example/hook' });
  return id;
}

async function makeEvent(organizationId: OrganizationId): Promise<WebhookEventId> {
  return (await storeTestEvent(database, organizationId)).eventId;
}

/** Fills the endpoint's slots with attempts that the receiver does not answer before `end`. */
async function fillSlots(organizationId: OrganizationId) {
  const { state, send } = makeReceiver();
  let end: () => void = () => undefined;
  state.answer = new Promise((resolve) => {
    end = () => resolve(OK);
  });
  const events = await Promise.all(Array.from({ length: SLOTS }, () => makeEvent(organizationId)));
  const sending = Promise.all(events.map((id) => send(id)));
  await until(() => Promise.resolve(state.posts === SLOTS), 'the slots were not filled');
  return {
    end: async () => {
      end();
      await sending;
    },
  };
}

async function failureOf(sending: Promise<string>): Promise<string | null | undefined> {
  try {
    await sending;
    return undefined;
  } catch (error) {
    if (error instanceof ApplicationFailure) return error.type;
    throw error;
  }
}

async function attemptsOf(id: WebhookEventId): Promise<number> {
  return (await select(database, 'select from webhook_attempts where webhook_event_id = $1', [id])).length;
}

test(`an endpoint has ${SLOTS} slots of the live lane; the next event makes no attempt there`, async (t) => {
  const organizationId = await makeEndpoint();
  const slots = await fillSlots(organizationId);
  const event = await makeEvent(organizationId);
  const { send } = makeReceiver();
  t.is(await failureOf(send(event)), 'WebhookEndpointBusy');
  t.is(await attemptsOf(event), 0);
  t.is(await send(event, 'slow'), 'delivered');
  await slots.end();
  t.is(await send(await makeEvent(organizationId)), 'delivered');
});

test('the slots of one endpoint are not those of another', async (t) => {
  const slots = await fillSlots(await makeEndpoint());
  const { send } = makeReceiver();
  t.is(await send(await makeEvent(await makeEndpoint())), 'delivered');
  await slots.end();
});

for (const lane of ['replay', 'test'] as const) {
  test(`the ${lane} lane continues while the slots of the live lane are in use`, async (t) => {
    const organizationId = await makeEndpoint();
    const slots = await fillSlots(organizationId);
    const { send } = makeReceiver();
    t.is(await send(await makeEvent(organizationId), lane), 'delivered');
    await slots.end();
  });
}

test('the slot of an execution that died is free when its lease has ended', async (t) => {
  const organizationId = await makeEndpoint();
  const slots = await fillSlots(organizationId);
  await execute(
    database,
    `update webhook_endpoints set leases = (select jsonb_object_agg(key, 0) from jsonb_each(leases)) where organization_id = $1`,
    [organizationId],
  );
  const { send } = makeReceiver();
  t.is(await send(await makeEvent(organizationId)), 'delivered');
  await slots.end();
});

test('after an attempt that took long the endpoint is slow, until one takes less', async (t) => {
  const organizationId = await makeEndpoint();
  const { state, send } = makeReceiver();
  const [first, second] = [await makeEvent(organizationId), await makeEvent(organizationId)];
  state.tookMs = SLOW_ATTEMPT_MS;
  state.answer = Promise.resolve(TIMED_OUT);
  t.is(await failureOf(send(first)), 'WebhookUnavailable');
  t.is(await failureOf(send(first)), 'WebhookEndpointBusy');
  t.is(await failureOf(send(second)), 'WebhookEndpointBusy');
  state.tookMs = SLOW_ATTEMPT_MS - 1;
  state.answer = Promise.resolve(OK);
  t.is(await send(first, 'slow'), 'delivered');
  t.is(await send(second), 'delivered');
  t.is(await attemptsOf(first), 2);
});

test('after an attempt without an answer the endpoint is slow, until one is answered soon', async (t) => {
  const organizationId = await makeEndpoint();
  const { state, send } = makeReceiver();
  const [first, second] = [await makeEvent(organizationId), await makeEvent(organizationId)];
  state.answer = Promise.resolve({ kind: 'failed', reason: 'the host cannot be resolved' });
  t.is(await failureOf(send(first)), 'WebhookUnavailable');
  t.is(await failureOf(send(second)), 'WebhookEndpointBusy');
  t.is(await failureOf(send(first, 'slow')), 'WebhookUnavailable');
  t.is(await failureOf(send(second)), 'WebhookEndpointBusy');
  state.answer = Promise.resolve({ kind: 'answered', statusCode: 503 });
  t.is(await failureOf(send(second, 'slow')), 'WebhookUnavailable');
  state.answer = Promise.resolve(OK);
  t.is(await send(second), 'delivered');
});

test('an endpoint with another URL begins without a past', async (t) => {
  const organizationId = await makeEndpoint();
  const { state, send } = makeReceiver();
  state.tookMs = SLOW_ATTEMPT_MS;
  t.is(await send(await makeEvent(organizationId)), 'delivered');
  const event = await makeEvent(organizationId);
  t.is(await failureOf(send(event)), 'WebhookEndpointBusy');
  await execute(database, `update organizations set webhook_url = 'https://new.example/' where id = $1`, [
    organizationId,
  ]);
  t.is(await send(event), 'delivered');
});

test('an endpoint fails since its first attempt that was not delivered, until one is', async (t) => {
  const organizationId = await makeEndpoint();
  const { state, send } = makeReceiver();
  const failingSince = async () =>
    (
      await selectOne<{ since: Date | null }>(
        database,
        'select failing_since as since from webhook_endpoints where organization_id = $1',
        [organizationId],
      )
    )?.since;
  t.is(await send(await makeEvent(organizationId)), 'delivered');
  t.is(await failingSince(), null);
  state.answer = Promise.resolve(TIMED_OUT);
  const event = await makeEvent(organizationId);
  await failureOf(send(event));
  const since = await failingSince();
  t.true(since instanceof Date);
  await failureOf(send(event, 'slow'));
  t.deepEqual(await failingSince(), since);
  state.answer = Promise.resolve(OK);
  t.is(await send(event, 'slow'), 'delivered');
  t.is(await failingSince(), null);
});

/** A pending event of a shipment, of this round; a replay was asked for so long ago. */
async function makeShipmentEvent(
  organizationId: OrganizationId,
  replay: { readonly round: number; readonly secondsAgo: number } | null,
): Promise<WebhookEventId> {
  const shipmentId = await makeStoredShipment(database, organizationId);
  const id = newId<'webhook_event'>();
  await execute(
    database,
    `insert into webhook_events (id, organization_id, kind, shipment_id, sequence, body, event_updated_at, status, round, replayed_at)
     values ($1, $2, 'shipment.status_changed', $3, 1, '', '', 'pending', $4, clock_timestamp() - make_interval(secs => $5))`,
    [id, organizationId, shipmentId, replay?.round ?? 0, replay?.secondsAgo ?? null],
  );
  return id;
}

test('a replay makes no attempt while live events of its organization are pending', async (t) => {
  const organizationId = await makeEndpoint();
  const { send } = makeReceiver();
  const replay = await makeShipmentEvent(organizationId, { round: 1, secondsAgo: 1 });
  await makeShipmentEvent(await makeEndpoint(), null);
  const live = await makeShipmentEvent(organizationId, null);
  t.is(await failureOf(send(replay, 'replay')), 'WebhookLiveEventsFirst');
  t.is(await attemptsOf(replay), 0);
  t.is(await send(live), 'delivered');
  t.is(await send(replay, 'replay'), 'delivered');
});

test('a replay waits a minute at most, so that a steady flow of events does not stop it', async (t) => {
  const organizationId = await makeEndpoint();
  await makeShipmentEvent(organizationId, null);
  const replay = await makeShipmentEvent(organizationId, { round: 1, secondsAgo: 61 });
  t.is(await makeReceiver().send(replay, 'replay'), 'delivered');
});

test('an endpoint counts as failing when nothing was delivered to it for an hour', async (t) => {
  const organizationId = await makeEndpoint();
  const { state, send } = makeReceiver();
  state.answer = Promise.resolve(TIMED_OUT);
  await failureOf(send(await makeEvent(organizationId)));
  const { failing } = await countEndpoints(database);
  await execute(
    database,
    `update webhook_endpoints set failing_since = failing_since - interval '1 hour' where organization_id = $1`,
    [organizationId],
  );
  t.is((await countEndpoints(database)).failing, failing + 1);
});
