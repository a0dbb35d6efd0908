import { createHash, randomUUID } from 'node:crypto';
import test from 'ava';
import { execute, selectOne } from '../../../store/connection.ts';
import { makeDriver, makeTeam, makeTeamWithDriver, makeUser } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, send } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import { useService } from '../../harness/use-service.ts';

/**
 * Transitions with an Idempotency-Key whose first answer was lost: the claim is made to look like that of an API process
 * that was killed after the command was decided and before it answered.
 */

const service = useService();

function transition(token: string, task: string, key: string, body: Record<string, unknown>) {
  return send(service, 'POST', `${task}/transition`, { token, body, headers: { 'idempotency-key': key } });
}

/** Forgets the stored answer of a key and lets its claim run out. */
async function loseAnswer(key: string): Promise<void> {
  await execute(
    service.database,
    `update idempotency_keys set response_status = null, response_headers = null, response_body = null,
       claimed_until = clock_timestamp() - interval '1 second' where key = $1`,
    [key],
  );
}

test('200 a repeat gets the stored outcome although the shipment has ended since', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver });
  const startKey = randomUUID();
  const deliverKey = randomUUID();
  const start = await transition(token, delivery, startKey, { transition: 'start_delivery' });
  const deliver = await transition(token, delivery, deliverKey, { transition: 'deliver' });
  await loseAnswer(startKey);
  await loseAnswer(deliverKey);
  for (const [key, name, first] of [
    [startKey, 'start_delivery', start],
    [deliverKey, 'deliver', deliver],
  ] as const) {
    const again = expectStatus(await transition(token, delivery, key, { transition: name }), 200);
    t.is(at(again.body, 'status'), at(first.body, 'status'));
    t.is(at(again.body, 'shipmentStatus'), at(first.body, 'shipmentStatus'));
    t.not(again.headers.get('etag'), first.headers.get('etag'), 'the tag of no task');
    t.is(at(again.body, 'address'), undefined, 'nothing else of the task');
  }
});

test('200 the first response is repeated, byte for byte, for as long as the key lives', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const key = randomUUID();
  const first = expectStatus(await transition(token, delivery, key, { transition: 'assign', driver }), 200);
  await move(service, token, delivery, 'start_delivery');
  await move(service, token, delivery, 'deliver');
  const again = expectStatus(await transition(token, delivery, key, { transition: 'assign', driver }), 200);
  t.deepEqual(again.body, first.body);
  t.is(again.headers.get('idempotency-replayed'), 'true');
  const row = await selectOne<{ days: number }>(
    service.database,
    `select extract(epoch from expires_at - created_at)::float8 / 86400 as days from idempotency_keys where key = $1`,
    [key],
  );
  t.is(Math.round(row?.days ?? 0), 30);
});

test('409 a rejected command is rejected again with the same problem, whatever happened since', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const key = randomUUID();
  const first = expectStatus(await transition(token, delivery, key, { transition: 'deliver' }), 409);
  await move(service, token, delivery, 'assign', { driver });
  await move(service, token, delivery, 'start_delivery');
  await loseAnswer(key);
  const again = expectStatus(await transition(token, delivery, key, { transition: 'deliver' }), 409);
  t.is(at(again.body, 'currentStatus'), 'pending');
  t.is(at(again.body, 'detail'), at(first.body, 'detail'));
});

test('200 a driver gets its outcome again after the task went to another driver', async (t) => {
  const { organization, token } = await makeTeam(service);
  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  const own = await makeDriver(service, organization, { userId: user.id });
  const other = await makeDriver(service, organization);
  const { delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver: own });
  const key = randomUUID();
  const fail = { transition: 'fail', reason: 'recipient_absent' };
  expectStatus(await transition(user.token, delivery, key, fail), 200);
  await move(service, token, delivery, 'reactivate');
  await move(service, token, delivery, 'assign', { driver: other });
  await loseAnswer(key);
  const again = expectStatus(await transition(user.token, delivery, key, fail), 200);
  t.is(at(again.body, 'status'), 'failed');
  t.is(at(again.body, 'contact'), undefined);
  t.is((await transition(user.token, delivery, randomUUID(), fail)).status, 403);
});

test('200 a repeat of an applied transition although the shipment was deleted since', async (t) => {
  const { organization, token, driver } = await makeTeamWithDriver(service);
  const admin = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const { delivery, iri } = await makeShipment(service, token);
  const key = randomUUID();
  expectStatus(await transition(token, delivery, key, { transition: 'assign', driver }), 200);
  expectStatus(await send(service, 'DELETE', iri, { token: admin.token }), 204);
  await loseAnswer(key);
  const again = expectStatus(await transition(token, delivery, key, { transition: 'assign', driver }), 200);
  t.is(at(again.body, 'status'), 'assigned');
});

test('200 a key counts for the task, however its id is written in the path', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const key = randomUUID();
  expectStatus(await transition(token, delivery, key, { transition: 'assign', driver }), 200);
  const upper = delivery.replace(/[^/]+$/, (id) => id.toUpperCase());
  const again = expectStatus(await transition(token, upper, key, { transition: 'assign', driver }), 200);
  t.is(again.headers.get('idempotency-replayed'), 'true');
});

test('422 the same key with another body is rejected, also when the answer was lost', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const key = randomUUID();
  expectStatus(await transition(token, delivery, key, { transition: 'assign', driver }), 200);
  await loseAnswer(key);
  t.is((await transition(token, delivery, key, { transition: 'start_delivery' })).status, 422);
});

test('200 a key that an earlier build kept, with the digest of the bytes, is known', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const key = randomUUID();
  const body = { transition: 'assign', driver };
  expectStatus(await transition(token, delivery, key, body), 200);
  const digest = createHash('sha256')
    .update(`\n${JSON.stringify(body)}`)
    .digest();
  await execute(service.database, 'update idempotency_keys set fingerprint = $2 where key = $1', [
    key,
    digest,
  ]);
  const again = expectStatus(await transition(token, delivery, key, body), 200);
  t.is(again.headers.get('idempotency-replayed'), 'true');
});

test.serial('202 then 200: a repeat of an undecided command gets its outcome', async (t) => {
  const slow = await startService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '200' } });
  t.teardown(slow.stop);
  const { token, driver } = await makeTeamWithDriver(slow);
  const { delivery } = await makeShipment(slow, token);
  const headers = { 'idempotency-key': randomUUID() };
  const body = { transition: 'assign', driver };
  const assign = () => send(slow, 'POST', `${delivery}/transition`, { token, body, headers });
  expectStatus(await assign(), 202);
  expectStatus(await assign(), 202);
  await slow.startWorkers();
  let answer = await assign();
  for (let tries = 0; tries < 100 && answer.status === 202; tries += 1) answer = await assign();
  t.is(at(expectStatus(answer, 200).body, 'status'), 'assigned');
  const row = await selectOne<{ count: number }>(
    slow.database,
    'select count(*)::int as count from commands',
    [],
  );
  t.is(row?.count, 1);
});

test.serial('429 with Retry-After and nothing stored beyond the limit of undecided commands', async (t) => {
  const slow = await startService({
    withWorkers: false,
    settings: { COMMAND_WAIT_MS: '0', MAX_UNDECIDED_COMMANDS: '3' },
  });
  t.teardown(slow.stop);
  const { token, driver } = await makeTeamWithDriver(slow);
  const { delivery } = await makeShipment(slow, token);
  const assign = () =>
    send(slow, 'POST', `${delivery}/transition`, { token, body: { transition: 'assign', driver } });
  for (let accepted = 0; accepted < 3; accepted += 1) expectStatus(await assign(), 202);
  const limited = expectStatus(await assign(), 429);
  t.regex(limited.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  const row = await selectOne<{ count: number }>(
    slow.database,
    'select count(*)::int as count from commands',
    [],
  );
  t.is(row?.count, 3);
  const { delivery: elsewhere } = await makeShipment(slow, token);
  const other = await send(slow, 'POST', `${elsewhere}/transition`, {
    token,
    body: { transition: 'assign', driver },
  });
  t.is(other.status, 202, 'another shipment has a backlog of its own');
});
