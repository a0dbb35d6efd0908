import { randomUUID } from 'node:crypto';
import test from 'ava';
import { select } from '../../../store/connection.ts';
import { makeAllDue } from '../../worker/stale-rows.ts';
import { reconcileOnce } from '../../../worker/reconciler.ts';
import { makeDriver, makeMerchant, makeTeam, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, listAt, send, textAt } from '../../harness/request.ts';
import type { HttpAnswer } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import type { TestService } from '../../harness/service.ts';

/** Commands while nobody is there to decide them: no worker, or no Temporal. Each test has a service of its own. */

async function cast(service: TestService) {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  return { organization, token, driver: await makeDriver(service, organization) };
}

/** Waits until a command is decided, without a bound of time of its own: AVA has one. */
async function decided(service: TestService, location: string, token: string): Promise<unknown> {
  const id = location.split('/').at(-1) ?? '';
  const heard = service.dependencies.outcomes.waitForOutcome(id, 60_000);
  const first = expectStatus(await send(service, 'GET', location, { token }), 200).body;
  if (at(first, 'status') !== 'received') return first;
  await heard;
  return expectStatus(await send(service, 'GET', location, { token }), 200).body;
}

function accepted(answer: HttpAnswer): string {
  expectStatus(answer, 202);
  return answer.headers.get('location') ?? '';
}

test.serial(
  '202 without a worker a transition is accepted, shown as pending, and later applied once',
  async (t) => {
    const service = await startService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '300' } });
    t.teardown(service.stop);
    const { token, driver } = await cast(service);
    const { iri, delivery } = await makeShipment(service, token);
    const startedAt = performance.now();
    const answer = await send(service, 'POST', `${delivery}/transition`, {
      token,
      body: { transition: 'assign', driver },
    });
    t.true(performance.now() - startedAt >= 300);
    const location = accepted(answer);
    t.regex(location, /^\/api\/v1\/commands\/[0-9a-f-]{36}$/);
    t.is(at(answer.body, 'status'), 'received');
    t.is(at(answer.body, '@id'), location);

    const before = await send(service, 'GET', location, { token });
    t.is(at(before.body, 'status'), 'received');
    t.is(at(before.body, 'kind'), 'transition');
    t.is(at(before.body, 'task'), delivery);
    t.is(at(before.body, 'shipment'), iri);

    await service.startWorkers();
    const after = await decided(service, location, token);
    t.is(at(after, 'status'), 'applied');
    t.is(typeof at(after, 'decidedAt'), 'string');
    t.is(at((await send(service, 'GET', delivery, { token })).body, 'status'), 'assigned');
    const timeline = listAt((await send(service, 'GET', iri, { token })).body, 'timeline');
    t.is(timeline.filter((entry) => at(entry, 'transition') === 'assign').length, 1);
  },
);

test.serial('202 a command that is rejected later has its problem', async (t) => {
  const service = await startService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '10' } });
  t.teardown(service.stop);
  const { token } = await cast(service);
  const { delivery } = await makeShipment(service, token);
  const deliver = { token, body: { transition: 'deliver' } };
  const location = accepted(await send(service, 'POST', `${delivery}/transition`, deliver));
  await service.startWorkers();
  const command = await decided(service, location, token);
  t.is(at(command, 'status'), 'rejected');
  t.is(at(command, 'problem.status'), 409);
  t.is(at(command, 'problem.currentStatus'), 'pending');
  t.true(listAt(command, 'problem.allowedTransitions').includes('assign'));
});

test.serial(
  '202 approval, deletion and each of a bulk are accepted alike, and done when a worker comes',
  async (t) => {
    const service = await startService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '200' } });
    t.teardown(service.stop);
    const { token, organization } = await cast(service);
    const merchantId = await makeMerchant(service, organization);
    const merchant = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
    const ids: string[] = [];
    for (let made = 0; made < 40; made += 1) {
      const created = await send(service, 'POST', '/shipments', {
        token: merchant.token,
        body: shipmentBodyWith(),
      });
      ids.push(textAt(expectStatus(created, 201).body, 'id'));
    }
    const [single = '', ...many] = ids;
    const { iri } = await makeShipment(service, token);
    const approval = accepted(await send(service, 'POST', `/shipments/${single}/approve`, { token }));
    const deletion = accepted(await send(service, 'DELETE', iri, { token }));
    t.is((await send(service, 'GET', iri, { token })).status, 200);

    const startedAt = performance.now();
    const bulk = await send(service, 'POST', '/shipments/bulk-approve', {
      token,
      body: { shipmentIds: many },
    });
    t.is(bulk.status, 200);
    t.like(bulk.body, { total: 39, approved: 0, failed: 0 });
    t.true(listAt(bulk.body, 'results').every((result) => at(result, 'status') === 'processing'));
    // The bound is waited for once, not once for every sixteen.
    t.true(performance.now() - startedAt < 5_000);
    const told = textAt(bulk.body, 'results.38.message');
    const last = /\/api\/v1\/commands\/[0-9a-f-]{36}/.exec(told)?.[0] ?? '';

    await service.startWorkers();
    for (const location of [approval, deletion, last]) {
      t.is(at(await decided(service, location, token), 'status'), 'applied');
    }
    t.is((await send(service, 'GET', iri, { token })).status, 404);
  },
);

test.serial('202 immediately while Temporal is unreachable; all is done once it is back', async (t) => {
  const service = await startService();
  t.teardown(service.stop);
  const away = await startService({
    besides: service,
    withWorkers: false,
    settings: { TEMPORAL_ADDRESS: '127.0.0.1:9', COMMAND_WAIT_MS: '60000' },
  });
  t.teardown(away.stop);
  const { token, driver, organization } = await cast(service);

  const created = await send(away, 'POST', '/shipments', { token, body: shipmentBodyWith() });
  t.is(created.status, 201);
  const external = await send(away, 'POST', '/external/shipments', {
    key: organization.apiKey,
    body: shipmentBodyWith(),
  });
  t.is(external.status, 202);
  const delivery = textAt(created.body, 'tasks.0.@id');
  const startedAt = performance.now();
  const answer = await send(away, 'POST', `${delivery}/transition`, {
    token,
    body: { transition: 'assign', driver },
  });
  const location = accepted(answer);
  t.true(performance.now() - startedAt < 20_000);

  await makeAllDue(service.database);
  await reconcileOnce({ database: service.database, workflows: service.dependencies.workflows });
  t.is(at(await decided(service, location, token), 'status'), 'applied');
  const id = textAt(external.body, 'id');
  for (let status: unknown = 'processing'; status === 'processing';) {
    const read = await send(service, 'GET', `/external/shipments/${id}`, { key: organization.apiKey });
    status = at(expectStatus(read, 200).body, 'status');
  }
  t.is((await send(service, 'GET', `/shipments/${id}`, { token })).status, 200);
});

test.serial(
  '200, 403 and 404 staff see every command of the organization, others only their own',
  async (t) => {
    const service = await startService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '10' } });
    t.teardown(service.stop);
    const { token, organization } = await cast(service);
    const user = await makeUser(service, organization, 'ROLE_DRIVER');
    const driver = await makeDriver(service, organization, { userId: user.id });
    const other = await makeUser(service, organization, 'ROLE_DRIVER');
    const { delivery } = await makeShipment(service, token);
    const assign = { transition: 'assign', driver };
    const staff = accepted(await send(service, 'POST', `${delivery}/transition`, { token, body: assign }));
    await service.dependencies.database.sequelize.query('update tasks set driver_id = :driver', {
      replacements: { driver },
    });
    const start = { token: user.token, body: { transition: 'start_delivery' } };
    const own = accepted(await send(service, 'POST', `${delivery}/transition`, start));
    t.is((await send(service, 'GET', own, { token: user.token })).status, 200);
    t.is((await send(service, 'GET', own, { token })).status, 200);
    t.is((await send(service, 'GET', own, { token: other.token })).status, 403);
    t.is((await send(service, 'GET', staff, { token: user.token })).status, 403);
    const stranger = await cast(service);
    t.is((await send(service, 'GET', own, { token: stranger.token })).status, 403);
    t.is((await send(service, 'GET', `/commands/${randomUUID()}`, { token })).status, 404);
    t.is((await send(service, 'GET', '/commands/x', { token })).status, 404);
  },
);

test.serial(
  'personal data of a command stays in the database: its run gets only ids and words',
  async (t) => {
    const service = await startService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '10' } });
    t.teardown(service.stop);
    const { token } = await cast(service);
    const { id, delivery } = await makeShipment(service, token);
    const secret = `secret-${randomUUID()}`;
    const body = { transition: 'fail', reason: 'other', comment: secret, proof: { note: secret } };
    accepted(await send(service, 'POST', `${delivery}/transition`, { token, body }));
    const stored = await select<{ request: unknown }>(
      service.database,
      'select request from commands where shipment_id = $1',
      [id],
    );
    t.true(JSON.stringify(stored).includes(secret));
    const history = await service.client.workflow.getHandle(`shipment-${id}`).fetchHistory();
    const payloads = JSON.stringify(history, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
    );
    t.true(payloads.includes(id));
    for (const word of [secret, 'Amina', '+33612345678', 'Rivoli']) t.false(payloads.includes(word), word);
  },
);
