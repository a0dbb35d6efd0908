import { createHmac } from 'node:crypto';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { execute } from '../../../store/connection.ts';
import { makeDriver, makeOrganization, makeUser } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import type { Receiver, ReceiverAnswer } from '../../harness/receiver.ts';
import { startReceiver } from '../../harness/receiver.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ settings: { WEBHOOK_MAX_ATTEMPTS: '2' } });

test('200 a delivery shows the bytes that the receiver got, and each attempt with its answer', async (t) => {
  const { admin, shipment, receiver } = await moved(t, [503, 204]);
  const [first, second] = await receiver.waitForRequests(2);
  const delivery = await settled(admin, shipment.id, 'delivered');
  t.is(textAt(delivery, 'rawBody'), second?.body.toString('utf8') ?? '');
  t.deepEqual(first?.body, second?.body);
  t.deepEqual(at(delivery, 'body'), JSON.parse(textAt(delivery, 'rawBody')));
  t.is(at(delivery, 'body.externalReference'), null, 'a null is shown as it was sent');
  t.is(at(delivery, 'shipment'), shipment.iri);
  t.is(at(delivery, 'trackingNumber'), shipment.trackingNumber);
  t.deepEqual([at(delivery, 'round'), at(delivery, 'isTest'), at(delivery, 'attemptCount')], [0, false, 2]);
  t.deepEqual(
    [0, 1].map((index) => at(delivery, `attempts.${index}.statusCode`)),
    [503, 204],
  );
  t.is(at(delivery, 'attempts.0.url'), receiver.url);
  t.is(at(delivery, 'attempts.0.error'), 'HTTP 503');
  t.is(typeof at(delivery, 'attempts.1.durationMs'), 'number');
  t.is(at(delivery, 'lastStatusCode'), 204);
});

test('202 a dead delivery is replayed in a new round with the same bytes, freshly signed', async (t) => {
  const { admin, organization, shipment, receiver } = await moved(t, [500]);
  await receiver.waitForRequests(2);
  const dead = await settled(admin, shipment.id, 'dead');
  receiver.respondWith([200]);
  const answer = await send(service, 'POST', `${textAt(dead, '@id')}/replay`, { token: admin });
  t.is(answer.status, 202);
  t.is(answer.headers.get('location'), textAt(dead, '@id'));
  t.deepEqual([at(answer.body, 'status'), at(answer.body, 'round')], ['pending', 1]);
  const requests = await receiver.waitForRequests(3);
  const again = requests[2];
  t.deepEqual(again?.body, requests[0]?.body);
  const signature = createHmac('sha256', organization.webhookSecret)
    .update(again?.body ?? '')
    .digest('hex');
  t.is(again?.headers['x-service-signature'], `sha256=${signature}`);
  const delivered = await settled(admin, shipment.id, 'delivered');
  t.deepEqual(
    [0, 1, 2].map((index) => at(delivered, `attempts.${index}.round`)),
    [0, 0, 1],
  );
});

test('202 a replay that fails is dead again and can be replayed again', async (t) => {
  const { admin, shipment, receiver } = await moved(t, [404]);
  const rejected = await settled(admin, shipment.id, 'rejected');
  receiver.respondWith(['hang_up']);
  const replay = `${textAt(rejected, '@id')}/replay`;
  t.is((await send(service, 'POST', replay, { token: admin })).status, 202);
  await receiver.waitForRequests(3);
  await settled(admin, shipment.id, 'dead');
  receiver.respondWith([200]);
  t.is((await send(service, 'POST', replay, { token: admin })).status, 202);
  await receiver.waitForRequests(4);
  t.is(at(await settled(admin, shipment.id, 'delivered'), 'round'), 2);
});

test('409 a pending delivery is not replayed, and of two concurrent replays one is accepted', async (t) => {
  const { admin, shipment, receiver } = await moved(t, [410]);
  const rejected = await settled(admin, shipment.id, 'rejected');
  receiver.respondWith(['silence']);
  const replay = () => send(service, 'POST', `${textAt(rejected, '@id')}/replay`, { token: admin });
  const answers = await Promise.all([replay(), replay(), replay()]);
  t.deepEqual(answers.map(({ status }) => status).sort(), [202, 409, 409]);
  const refused = await replay();
  t.is(refused.status, 409);
  t.is(at(refused.body, 'currentStatus'), 'pending');
});

test('202 a test event is signed, delivered and listed, with ids that cannot be real', async (t) => {
  const { admin, organization, receiver } = await staff(t, [200]);
  const path = `/organizations/${organization.id}/webhook-test`;
  const answer = await send(service, 'POST', path, { token: admin });
  t.is(answer.status, 202);
  const [request] = await receiver.waitForRequests(1);
  const body: unknown = JSON.parse(request?.body.toString('utf8') ?? '');
  t.is(at(body, 'event'), 'shipment.status_changed');
  t.is(at(body, 'shipmentId'), '00000000-0000-0000-0000-000000000000');
  t.is(at(body, 'trackingNumber'), 'TST-00000000-TEST00');
  t.regex(textAt(body, 'updatedAt'), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/);
  const signature = createHmac('sha256', organization.webhookSecret)
    .update(request?.body ?? '')
    .digest('hex');
  t.is(request?.headers['x-service-signature'], `sha256=${signature}`);
  const location = answer.headers.get('location') ?? '';
  const delivery = await eventually(admin, location, 'delivered');
  t.deepEqual(
    [at(delivery, 'isTest'), at(delivery, 'shipment'), at(delivery, 'trackingNumber')],
    [true, undefined, undefined],
  );
  t.is((await send(service, 'POST', `${location}/replay`, { token: admin })).status, 202);
  await receiver.waitForRequests(2);
});

test('409 neither test nor replay while a delivery condition is not met, and it is named', async (t) => {
  const { admin, organization, shipment } = await moved(t, [400]);
  const rejected = await settled(admin, shipment.id, 'rejected');
  const test = () =>
    send(service, 'POST', `/organizations/${organization.id}/webhook-test`, { token: admin });
  const replay = () => send(service, 'POST', `${textAt(rejected, '@id')}/replay`, { token: admin });
  const change = (sql: string) =>
    execute(service.database, `update organizations set ${sql} where id = $1`, [organization.id]);
  for (const [sql, word] of [
    ['is_webhook_enabled = false', /isWebhookEnabled/],
    ['webhook_url = null', /webhookUrl/],
    ["plan = 'decouverte'", /plan/],
  ] as const) {
    await change(sql);
    for (const answer of [await test(), await replay()]) {
      t.is(answer.status, 409);
      t.regex(textAt(answer.body, 'detail'), word);
    }
  }
});

test('200 the list filters by status, shipment and when it was made', async (t) => {
  const { admin, token, driver, shipment, receiver } = await moved(t, [200]);
  await settled(admin, shipment.id, 'delivered');
  receiver.respondWith([422]);
  const other = await makeShipment(service, token);
  await move(service, token, other.delivery, 'assign', { driver });
  await settled(admin, other.id, 'rejected');
  const totals = async (query: string) =>
    at((await get(admin, `/webhook-deliveries${query}`)).body, 'totalItems');
  t.is(await totals(''), 2);
  t.is(await totals('?status=rejected'), 1);
  t.is(await totals('?status=dead'), 0);
  t.is(await totals(`?shipment=${shipment.iri}`), 1);
  t.is(await totals(`?shipment=${other.id}&status=delivered`), 0);
  t.is((await get(admin, '/webhook-deliveries?status=lost')).status, 400);
  const noon = '2026-01-05T12:00:00Z';
  await execute(service.database, 'update webhook_events set created_at = $2 where shipment_id = $1', [
    shipment.id,
    noon,
  ]);
  t.is(await totals(`?createdAt[before]=${noon}`), 1, 'inclusive');
  t.is(await totals(`?createdAt[after]=${noon}&createdAt[before]=${noon}`), 1, 'inclusive');
  t.is(await totals('?createdAt[before]=2026-01-05T11:59:59Z'), 0);
  t.is(await totals('?createdAt[after]=2026-01-05T12:00:01Z'), 1);
  t.is((await get(admin, '/webhook-deliveries?createdAt[after]=noon')).status, 400);
});

test('403 only the organization’s own admin sees, replays and tests', async (t) => {
  const { admin, token, organization, shipment } = await moved(t, [400]);
  const delivery = textAt(await settled(admin, shipment.id, 'rejected'), '@id');
  const foreign = await staff(t, [200]);
  const testPath = `/organizations/${organization.id}/webhook-test`;
  for (const user of [token, foreign.admin]) {
    t.is((await get(user, delivery)).status, 403);
    t.is((await send(service, 'POST', `${delivery}/replay`, { token: user })).status, 403);
    t.is((await send(service, 'POST', testPath, { token: user })).status, 403);
  }
  t.is((await get(token, '/webhook-deliveries')).status, 403);
  t.is(at((await get(foreign.admin, '/webhook-deliveries')).body, 'totalItems'), 0);
  t.is((await get(admin, '/webhook-deliveries/3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11')).status, 404);
});

async function staff(t: ExecutionContext, answers: readonly [ReceiverAnswer, ...ReceiverAnswer[]]) {
  const receiver: Receiver = await startReceiver({ answers });
  t.teardown(receiver.close);
  const organization = await makeOrganization(service, { webhookUrl: receiver.url });
  const admin = (await makeUser(service, organization, 'ROLE_ORG_ADMIN')).token;
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  return { receiver, organization, admin, token, driver: await makeDriver(service, organization) };
}

/** A shipment whose first transition has caused one notification. */
async function moved(t: ExecutionContext, answers: readonly [ReceiverAnswer, ...ReceiverAnswer[]]) {
  const made = await staff(t, answers);
  const shipment = await makeShipment(service, made.token);
  await move(service, made.token, shipment.delivery, 'assign', { driver: made.driver });
  return { ...made, shipment };
}

function get(token: string, path: string) {
  return send(service, 'GET', path, { token });
}

/** The shipment's one delivery, once it has the status. */
async function settled(token: string, shipment: string, status: string): Promise<unknown> {
  const list = expectStatus(await get(token, `/webhook-deliveries?shipment=${shipment}`), 200);
  return eventually(token, textAt(list.body, 'member.0.@id'), status);
}

/** Asks until the delivery has the status, as a client would. */
async function eventually(token: string, iri: string, status: string): Promise<unknown> {
  const until = Date.now() + 30_000;
  for (;;) {
    const { body } = expectStatus(await get(token, iri), 200);
    if (at(body, 'status') === status) return body;
    if (Date.now() > until) throw new Error(`still ${String(at(body, 'status'))}: ${JSON.stringify(body)}`);
  }
}
