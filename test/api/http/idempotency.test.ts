import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute, select, selectOne } from '../../../store/connection.ts';
import { makeDriver, makeTeam, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

function create(token: string, key: string, fields: Readonly<Record<string, unknown>> = {}) {
  const headers = { 'idempotency-key': key };
  return send(service, 'POST', '/shipments', { token, body: shipmentBodyWith(fields), headers });
}

async function countOf(token: string): Promise<unknown> {
  return at((await send(service, 'GET', '/shipments', { token })).body, 'totalItems');
}

test('201 a repeated create gets the first answer, headers too, and creates nothing new', async (t) => {
  const { token } = await makeTeam(service);
  const key = randomUUID();
  const first = await create(token, key);
  const again = await create(token, key);
  t.is(first.status, 201);
  t.is(again.status, 201);
  t.deepEqual(again.body, first.body);
  for (const name of ['location', 'etag', 'content-type']) {
    t.is(again.headers.get(name), first.headers.get(name), name);
  }
  t.is(first.headers.get('idempotency-replayed'), null);
  t.is(again.headers.get('idempotency-replayed'), 'true');
  t.is(await countOf(token), 1);
});

test('201 concurrent callers with one key get one shipment and one response', async (t) => {
  const { token } = await makeTeam(service);
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 6 }, () => create(token, key)));
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  t.is(new Set(answers.map(({ body }) => textAt(body, 'id'))).size, 1);
  t.is(await countOf(token), 1);
});

test('201 the answer of a repetition is the first one, although the shipment has changed', async (t) => {
  const { token } = await makeTeam(service);
  const key = randomUUID();
  const first = await create(token, key);
  expectStatus(await send(service, 'PATCH', textAt(first.body, '@id'), { token, body: { notes: 'x' } }), 200);
  t.deepEqual((await create(token, key)).body, first.body);
});

test('422 the key with another body is rejected, and the first response is kept', async (t) => {
  const { token } = await makeTeam(service);
  const key = randomUUID();
  const first = await create(token, key);
  const other = await create(token, key, { notes: 'other' });
  t.is(other.status, 422);
  t.deepEqual(violationPaths(other.body), ['Idempotency-Key']);
  t.deepEqual((await create(token, key)).body, first.body);
  t.is(await countOf(token), 1);
});

test('201 a rejected input frees the key for the corrected request', async (t) => {
  const { token } = await makeTeam(service);
  const key = randomUUID();
  t.is((await create(token, key, { weight: -1 })).status, 422);
  t.is((await create(token, key, { merchant: `/api/v1/merchants/${randomUUID()}` })).status, 422);
  t.is((await create(token, key)).status, 201);
});

test('201 the key is its actor’s, path’s and organization’s alone', async (t) => {
  const { token, organization } = await makeTeam(service);
  const colleague = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const stranger = await makeTeam(service);
  const key = randomUUID();
  const ids = new Set<string>();
  for (const caller of [token, colleague.token, stranger.token]) {
    ids.add(textAt(expectStatus(await create(caller, key), 201).body, 'id'));
  }
  const external = await send(service, 'POST', '/external/shipments', {
    key: organization.apiKey,
    body: shipmentBodyWith(),
    headers: { 'idempotency-key': key },
  });
  ids.add(textAt(expectStatus(external, 202).body, 'id'));
  t.is(ids.size, 4);
});

test('202 a repeated external create gets the same id and makes one shipment', async (t) => {
  const { organization } = await makeTeam(service);
  const headers = { 'idempotency-key': randomUUID() };
  const post = () =>
    send(service, 'POST', '/external/shipments', {
      key: organization.apiKey,
      body: shipmentBodyWith(),
      headers,
    });
  const answers = await Promise.all([post(), post(), post()]);
  t.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202],
  );
  t.is(new Set(answers.map(({ body }) => textAt(body, 'id'))).size, 1);
  const intakes = await select(
    service.database,
    'select id from external_intakes where organization_id = $1',
    [organization.id],
  );
  t.is(intakes.length, 1);
});

test('200 a repeated transition, also a concurrent one, is made once', async (t) => {
  const { token, organization } = await makeTeam(service);
  const driver = await makeDriver(service, organization);
  const { delivery, id } = await makeShipment(service, token);
  const headers = { 'idempotency-key': randomUUID() };
  const assign = () =>
    send(service, 'POST', `${delivery}/transition`, {
      token,
      body: { transition: 'assign', driver },
      headers,
    });
  const [first, second] = await Promise.all([assign(), assign()]);
  t.is(first.status, 200);
  t.deepEqual(second.body, first.body);
  t.deepEqual((await assign()).body, first.body);
  const commands = await select(service.database, 'select id from commands where shipment_id = $1', [id]);
  t.is(commands.length, 1);
});

test('409 a conflict is stored: a repeat gets it again although it would be allowed now', async (t) => {
  const { token, organization } = await makeTeam(service);
  const driver = await makeDriver(service, organization);
  const { delivery } = await makeShipment(service, token);
  const headers = { 'idempotency-key': randomUUID() };
  const start = () =>
    send(service, 'POST', `${delivery}/transition`, {
      token,
      body: { transition: 'start_delivery' },
      headers,
    });
  const first = await start();
  t.is(first.status, 409);
  const assign = { token, body: { transition: 'assign', driver } };
  expectStatus(await send(service, 'POST', `${delivery}/transition`, assign), 200);
  const again = await start();
  t.is(again.status, 409);
  // What the task is now is read again (test/api/tasks/transition-conflicts.test.ts).
  for (const name of ['instance', 'detail', 'currentStatus', 'allowedTransitions']) {
    t.deepEqual(at(again.body, name), at(first.body, name));
  }
  t.is(again.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  t.is(again.headers.get('idempotency-replayed'), 'true');
});

test('201 after a crash a repeat takes over the claim and returns the same shipment', async (t) => {
  const { token, organization } = await makeTeam(service);
  const key = randomUUID();
  const first = await create(token, key);
  // As a process leaves it that died between its commit and its answer.
  await execute(
    service.database,
    `update idempotency_keys set response_status = null, response_headers = null, response_body = null,
       claimed_until = clock_timestamp() - interval '1 second' where organization_id = $1`,
    [organization.id],
  );
  const again = await create(token, key);
  t.is(again.status, 201);
  t.is(at(again.body, 'id'), at(first.body, 'id'));
  t.is(await countOf(token), 1);
});

test('201 a second caller waits while the first is at work', async (t) => {
  const { token, organization } = await makeTeam(service);
  const key = randomUUID();
  const first = await create(token, key);
  // As if the first were still at work, for two seconds more.
  await execute(
    service.database,
    `update idempotency_keys set response_status = null, claimed_until = clock_timestamp() + interval '2 seconds'
     where organization_id = $1`,
    [organization.id],
  );
  const startedAt = performance.now();
  const second = await create(token, key);
  t.true(performance.now() - startedAt >= 1_500);
  t.is(at(second.body, 'id'), at(first.body, 'id'));
});

test('201 after its 24 hours a key is new again', async (t) => {
  const { token, organization } = await makeTeam(service);
  const key = randomUUID();
  const first = await create(token, key);
  const row = await selectOne<{ hours: number }>(
    service.database,
    `select extract(epoch from expires_at - created_at)::float8 / 3600 as hours from idempotency_keys
     where organization_id = $1`,
    [organization.id],
  );
  t.is(Math.round(row?.hours ?? 0), 24);
  await execute(
    service.database,
    `update idempotency_keys set expires_at = clock_timestamp() - interval '1 second' where organization_id = $1`,
    [organization.id],
  );
  const later = await create(token, key, { notes: 'another body' });
  t.is(later.status, 201);
  t.not(at(later.body, 'id'), at(first.body, 'id'));
});

test('201 a key in quotes, as the draft writes it, is the same key', async (t) => {
  const { token } = await makeTeam(service);
  const key = randomUUID();
  const bare = await create(token, key);
  t.is(at((await create(token, `"${key}"`)).body, 'id'), at(bare.body, 'id'));
});

for (const [name, key] of [
  ['blank', ' '],
  ['too long', 'x'.repeat(256)],
  ['with a space in it', 'a b'],
  ['empty quotes', '""'],
] as const) {
  test(`400 a key that is ${name} is rejected`, async (t) => {
    const { token } = await makeTeam(service);
    t.is((await create(token, key)).status, 400);
    t.is(await countOf(token), 0);
  });
}

test('401 and 403 come before the key: guessing it reveals no response', async (t) => {
  const { token } = await makeTeam(service);
  const key = randomUUID();
  await create(token, key);
  const headers = { 'idempotency-key': key };
  t.is((await send(service, 'POST', '/shipments', { body: shipmentBodyWith(), headers })).status, 401);
});
