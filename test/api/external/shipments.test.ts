import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { makeDriver, makeOrganization, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { move } from '../../harness/moves.ts';
import { at, fieldsOf, listAt, send, textAt } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import { useService } from '../../harness/use-service.ts';
import { externalApi } from './calls.ts';

const service = useService();
const external = externalApi(service);

test('202 the answer is id, status, message and hint where no webhook is set', async (t) => {
  const organization = await makeOrganization(service);
  const answer = await external.post(organization, shipmentBodyWith());
  t.is(answer.status, 202);
  t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  const body = fieldsOf(answer.body);
  t.deepEqual(Object.keys(body), ['id', 'status', 'message', 'hint']);
  t.regex(String(body['id']), /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  t.is(body['status'], 'processing');
  t.true(String(body['hint']).includes('webhookUrl'));
  t.true(String(body['hint']).includes(`GET /external/shipments/${String(body['id'])}`));
  t.is(answer.headers.get('location'), `/api/v1/external/shipments/${String(body['id'])}`);
});

test('202 a hint comes exactly without a webhookUrl; the message says why else nothing is sent', async (t) => {
  const webhookUrl = 'https://example.com/hook';
  const disabled = / Webhooks are disabled; set isWebhookEnabled/;
  const notInPlan = / The plan of the organization does not include webhooks\.$/;
  const created = /^The shipment is accepted and being created\./;
  const nothingElse = /created\.$/;
  for (const [plan, url, isEnabled, message] of [
    ['pro', webhookUrl, true, nothingElse],
    ['pro', webhookUrl, false, disabled],
    ['pro', null, true, nothingElse],
    ['pro', null, false, disabled],
    ['decouverte', webhookUrl, true, notInPlan],
    ['decouverte', null, false, notInPlan],
  ] as const) {
    const organization = await makeOrganization(service, { plan });
    await execute(
      service.database,
      'update organizations set webhook_url = $2, is_webhook_enabled = $3 where id = $1',
      [organization.id, url, isEnabled],
    );
    const body = fieldsOf((await external.post(organization, shipmentBodyWith())).body);
    const name = `${plan}, ${url ?? 'no URL'}, ${isEnabled ? 'on' : 'off'}`;
    t.is('hint' in body, url === null, name);
    t.regex(String(body['message']), created, name);
    t.regex(String(body['message']), message, name);
  }
});

test('200 the shipment is created with the id and the tracking number that were announced', async (t) => {
  const organization = await makeOrganization(service);
  const { id, body } = await external.created(organization, {
    externalReference: 'ORDER-1',
    codAmount: '10.00',
  });
  const { timeline, deliveryDeadline, trackingNumber, trackingUrl, ...rest } = fieldsOf(body);
  t.deepEqual(rest, {
    id,
    externalReference: 'ORDER-1',
    status: 'pending',
    driver: null,
    codAmount: '10.00',
    totalCodToCollect: '15.00',
  });
  t.regex(String(trackingNumber), /^TST-\d{8}-/);
  t.is(typeof deliveryDeadline, 'string');
  t.deepEqual(fieldsOf(at(timeline, '0'))['status'], 'pending');
  const shown = await external.onDashboard(organization, id);
  t.is(at(shown.body, 'trackingNumber'), trackingNumber);
  t.is(at(shown.body, 'trackingUrl'), trackingUrl);
  t.is(at(shown.body, 'source'), 'external');
});

test('200 until a worker comes the detail says processing, with what is known', async (t) => {
  const idle = await startService({ withWorkers: false });
  t.teardown(idle.stop);
  const organization = await makeOrganization(idle);
  const body = shipmentBodyWith({ externalReference: 'R', codAmount: '7.00' });
  const accepted = await send(idle, 'POST', '/external/shipments', { key: organization.apiKey, body });
  const id = textAt(accepted.body, 'id');
  const detail = await send(idle, 'GET', `/external/shipments/${id}`, { key: organization.apiKey });
  t.is(detail.status, 200);
  const { trackingNumber, trackingUrl, ...rest } = fieldsOf(detail.body);
  t.deepEqual(rest, {
    id,
    externalReference: 'R',
    status: 'processing',
    driver: null,
    timeline: [],
    deliveryDeadline: null,
    codAmount: '7.00',
    totalCodToCollect: null,
  });
  t.regex(String(trackingNumber), /^TST-/);
  t.regex(String(trackingUrl), /\/t\/[\w-]{22}$/);
  const { token } = await makeUser(idle, organization, 'ROLE_DISPATCHER');
  t.is((await send(idle, 'GET', `/shipments/${id}`, { token })).status, 404);
});

test('200 the detail shows the driver and the timeline ascending', async (t) => {
  const organization = await makeOrganization(service);
  const { id } = await external.created(organization);
  const { token, body } = await external.onDashboard(organization, id);
  const driver = await makeDriver(service, organization, { firstName: 'Zoé' });
  const task = textAt(body, 'tasks.0.@id');
  await move(service, token, task, 'assign', { driver });
  await move(service, token, task, 'start_delivery');
  await move(service, token, task, 'fail', { reason: 'recipient_absent' });
  const detail = (await external.read(organization, id)).body;
  t.deepEqual(at(detail, 'driver'), { name: 'Zoé Moreau', phone: '+33612345678' });
  const timeline = listAt(detail, 'timeline').map(fieldsOf);
  t.deepEqual(
    timeline.map(({ transition }) => transition),
    [null, 'assign', 'start_delivery', 'fail'],
  );
  t.is(timeline[3]?.['reason'], 'recipient_absent');
  t.is(timeline[2]?.['taskStatus'], 'delivery_in_progress');
  const moments = timeline.map(({ occurredAt }) => String(occurredAt));
  t.deepEqual(moments, [...moments].sort());
});

/** All that an entry of the timeline has on the external API (interpretation 7). */
const ENTRY_NAMES = ['event', 'occurredAt', 'reason', 'status', 'taskStatus', 'taskType', 'transition'];

test('200 the timeline names each event, in the order in which they were recorded', async (t) => {
  const organization = await makeOrganization(service);
  const { id } = await external.created(organization);
  const { token, body } = await external.onDashboard(organization, id);
  const driver = await makeDriver(service, organization);
  const task = textAt(body, 'tasks.0.@id');
  await move(service, token, task, 'assign', { driver });
  await move(service, token, task, 'start_delivery');
  // The driver's device was offline, and says when it happened: before what is recorded already.
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await move(service, token, task, 'deliver', { occurredAt: hourAgo });
  const timeline = listAt((await external.read(organization, id)).body, 'timeline').map(fieldsOf);
  t.deepEqual(
    timeline.map(({ event, status }) => [event, status]),
    [
      ['created', 'pending'],
      ['transition', 'pending'],
      ['transition', 'in_transit'],
      ['transition', 'delivered'],
    ],
  );
  t.is(Date.parse(String(timeline[3]?.['occurredAt'])), Date.parse(hourAgo));
  const shown = listAt((await external.onDashboard(organization, id)).body, 'timeline');
  t.is(shown.length, timeline.length);
  for (const [index, entry] of timeline.entries()) {
    // On the dashboard an entry has more: names and comments are not for shops' servers.
    t.deepEqual(Object.keys(entry).sort(), ENTRY_NAMES);
    const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
    t.like(fieldsOf(shown[index]), given);
  }
});

test('403 a shipment of another organization, created or not; 404 an unknown or malformed id', async (t) => {
  const organization = await makeOrganization(service);
  const stranger = await makeOrganization(service);
  const { id } = await external.created(organization);
  t.is((await external.read(stranger, id)).status, 403);
  const fresh = textAt((await external.post(organization, shipmentBodyWith())).body, 'id');
  t.is((await external.read(stranger, fresh)).status, 403);
  t.is((await external.read(stranger, randomUUID())).status, 404);
  t.is((await external.read(stranger, 'x')).status, 404);
});

test('415 and 406 the external API accepts and returns only JSON', async (t) => {
  const { apiKey } = await makeOrganization(service);
  const form = { key: apiKey, body: 'a=b', contentType: 'application/x-www-form-urlencoded' };
  t.is((await send(service, 'POST', '/external/shipments', form)).status, 415);
  const accept = { key: apiKey, body: shipmentBodyWith(), headers: { accept: 'text/html' } };
  t.is((await send(service, 'POST', '/external/shipments', accept)).status, 406);
});
