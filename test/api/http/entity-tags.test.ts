import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute, inTransaction, selectOne } from '../../../store/connection.ts';
import {
  makeDriver,
  makePickupPoint,
  makeTeam,
  makeTeamWithDriver,
  makeUser,
  shipmentBodyWith,
} from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

async function tagOf(token: string, path: string): Promise<string> {
  const answer = expectStatus(await send(service, 'GET', path, { token }), 200);
  return answer.headers.get('etag') ?? '';
}

function patch(token: string, path: string, body: unknown, tag: string) {
  return send(service, 'PATCH', path, { token, body, headers: { 'if-match': tag } });
}

test('200 an edit with a tag of before a transition; 412 with one of before an edit', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { iri, delivery } = await makeShipment(service, token);
  const tags = [await tagOf(token, iri), await tagOf(token, delivery)] as const;
  await move(service, token, delivery, 'assign', { driver });
  await move(service, token, delivery, 'start_delivery');
  for (const [path, tag] of [
    [iri, tags[0]],
    [delivery, tags[1]],
  ] as const) {
    const changed = await send(service, 'GET', path, { token, headers: { 'if-none-match': tag } });
    t.is(changed.status, 200, 'a read sees the transition');
    t.is((await patch(token, path, { notes: 'first' }, tag)).status, 200);
    t.is((await patch(token, path, { notes: 'second' }, tag)).status, 412);
    t.is(at((await send(service, 'GET', path, { token })).body, 'notes'), 'first');
  }
});

test('412 a transition with a tag of before another transition or edit of the task', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const start = (tag: string, transition: string) =>
    send(service, 'POST', `${delivery}/transition`, {
      token,
      body: { transition, driver },
      headers: { 'if-match': tag },
    });
  const seen = await tagOf(token, delivery);
  await send(service, 'PATCH', delivery, { token, body: { notes: 'changed' } });
  t.is((await start(seen, 'assign')).status, 412);
  const current = await tagOf(token, delivery);
  t.is((await start(current, 'assign')).status, 200);
  t.is((await start(current, 'cancel')).status, 412);
});

test('200 a tag changes with all that an answer shows: role, sibling tasks, a driver’s row', async (t) => {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const dispatcher = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const path = `/organizations/${organization.id}`;
  t.not(await tagOf(token, path), await tagOf(dispatcher.token, path), 'the secret is for admins');

  const driver = await makeDriver(service, organization);
  const pickupPoint = await makePickupPoint(service, organization);
  const { pickup = '', delivery } = await makeShipment(service, token, { pickupPoint });
  const waiting = await tagOf(token, delivery);
  for (const transition of ['assign', 'start_approach', 'pick_up']) {
    await move(service, token, pickup, transition, transition === 'assign' ? { driver } : {});
  }
  t.not(await tagOf(token, delivery), waiting, 'the pickup releases the delivery');

  const user = await makeUser(service, organization, 'ROLE_DRIVER');
  const unlinked = await tagOf(token, `/users/${user.id}`);
  await send(service, 'PATCH', `/drivers/${driver}`, { token, body: { user: `/api/v1/users/${user.id}` } });
  t.not(await tagOf(token, `/users/${user.id}`), unlinked);
  t.is((await patch(token, `/users/${user.id}`, { firstName: 'Ada' }, unlinked)).status, 200);
});

test('200 an edit is made again where a transition was faster, with and without If-Match', async (t) => {
  const { token } = await makeTeam(service);
  for (const headers of [{}, { 'if-match': 'current' }]) {
    const { delivery } = await makeShipment(service, token);
    const id = delivery.split('/').at(-1);
    const tag = await tagOf(token, delivery);
    const sent = 'if-match' in headers ? { 'if-match': tag } : headers;
    const { edit } = await inTransaction(service.database, async (transaction) => {
      await execute(transaction, 'update tasks set version = version + 1, attempts = 2 where id = $1', [id]);
      const edit = send(service, 'PATCH', delivery, { token, body: { notes: 'kept' }, headers: sent });
      await untilAnEditWaits();
      return { edit };
    });
    const answer = expectStatus(await edit, 200);
    t.deepEqual([at(answer.body, 'notes'), at(answer.body, 'attempts')], ['kept', 2]);
  }
});

/** Resolves when the edit of a task waits for its row. */
async function untilAnEditWaits(): Promise<void> {
  for (;;) {
    const waiting = await selectOne(
      service.database,
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query like '%update tasks%'`,
    );
    if (waiting !== undefined) return;
  }
}

test('412 a write with If-None-Match that names the current state, or any, changes nothing', async (t) => {
  const { token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { iri, delivery } = await makeShipment(service, token);
  const before = await send(service, 'GET', iri, { token });
  const writes = [
    ['PATCH', iri, { notes: 'x' }],
    ['PATCH', delivery, { notes: 'x' }],
    ['POST', `${delivery}/transition`, { transition: 'cancel' }],
    ['DELETE', iri, undefined],
  ] as const;
  for (const [method, path, body] of writes) {
    const current = await tagOf(token, path.replace('/transition', ''));
    for (const tag of [current, `W/${current}`, `"0", ${current}`, '*']) {
      const headers = { 'if-none-match': tag };
      t.is((await send(service, method, path, { token, body, headers })).status, 412, `${method} ${tag}`);
    }
  }
  const creation = { token, body: shipmentBodyWith(), headers: { 'if-none-match': '*' } };
  t.is((await send(service, 'POST', '/shipments', creation)).status, 412);
  t.is(at((await send(service, 'GET', '/shipments', { token })).body, 'totalItems'), 1);
  t.deepEqual((await send(service, 'GET', iri, { token })).body, before.body);
});

test('200 a write with If-None-Match of another state; 404 and 422 come before it', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token);
  const patched = (path: string, notes: unknown, tag: string) =>
    send(service, 'PATCH', path, { token, body: { notes }, headers: { 'if-none-match': tag } });
  t.is((await patched(iri, 'x', '"0"')).status, 200);
  t.is((await patched(`/shipments/${randomUUID()}`, 'x', '*')).status, 404);
  const creation = { token, body: {}, headers: { 'if-none-match': '*' } };
  t.is((await send(service, 'POST', '/shipments', creation)).status, 422);
});
