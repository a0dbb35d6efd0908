import test from 'ava';
import { makeDriver, makeTeamWithDriver } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { at, fieldsOf, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** Whole documents that come back after something moved (decision 0027). */

const service = useService();

async function read(token: string, path: string) {
  return fieldsOf(expectStatus(await send(service, 'GET', path, { token }), 200).body);
}

test('200 a whole record is sent back with a change after its tasks or its driver moved', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service, 'ROLE_ORG_ADMIN');
  const { iri, delivery } = await makeShipment(service, token);
  const edits = [
    [iri, 'notes'],
    [delivery, 'notes'],
    [`/drivers/${driver}`, 'lastName'],
  ] as const;
  const before = await Promise.all(edits.map(([path]) => read(token, path)));
  const position = { latitude: 48.85, longitude: 2.35 };
  for (const body of [position, { ...position, latitude: 48.9 }]) {
    expectStatus(await send(service, 'POST', `/drivers/${driver}/location`, { token, body }), 200);
  }
  await move(service, token, delivery, 'assign', { driver });
  await move(service, token, delivery, 'start_delivery');
  for (const [index, [path, field]] of edits.entries()) {
    const body = { ...before[index], [field]: 'Changed' };
    const answer = expectStatus(await send(service, 'PATCH', path, { token, body }), 200);
    t.is(at(answer.body, field), 'Changed');
  }
  t.is((await read(token, delivery))['status'], 'delivery_in_progress');
});

test('422 a read-only value is changed in a fresh record, in a part of one, or in the identity', async (t) => {
  const { token } = await makeTeamWithDriver(service);
  const { iri, delivery } = await makeShipment(service, token);
  const fresh = await read(token, delivery);
  const outdated = { ...fresh, updatedAt: '2020-01-01T00:00:00.000Z' };
  for (const [body, paths] of [
    [{ ...fresh, status: 'delivered' }, ['status']],
    [{ status: 'delivered' }, ['status']],
    [{ updatedAt: '2020-01-01T00:00:00.000Z' }, ['updatedAt']],
    [{ allowedTransitions: [] }, ['allowedTransitions']],
    [{ ...outdated, id: iri }, ['id', 'updatedAt']],
  ] as const) {
    const answer = await send(service, 'PATCH', delivery, { token, body });
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), paths);
  }
});

test('200 a run that is sent back whole leaves its tasks with their drivers', async (t) => {
  const { organization, token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  const body = { name: 'Tour', driver, tasks: [delivery] };
  const made = expectStatus(await send(service, 'POST', '/delivery-runs', { token, body }), 201);
  const path = textAt(made.body, '@id');
  const other = await makeDriver(service, organization);
  await move(service, token, delivery, 'assign', { driver: other });
  const run = await read(token, path);
  const renamed = await send(service, 'PATCH', path, { token, body: { ...run, name: 'Renamed' } });
  t.is(at(expectStatus(renamed, 200).body, 'name'), 'Renamed');
  t.is((await read(token, delivery))['driver'], `/api/v1/drivers/${other}`);
  const given = await send(service, 'PATCH', path, { token, body: { driver } });
  t.is(listAt(expectStatus(given, 200).body, 'assignments').length, 1);
  t.is((await read(token, delivery))['driver'], `/api/v1/drivers/${driver}`);
});

test('412 approving a shipment and locating a driver honour If-None-Match', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { iri } = await makeShipment(service, token);
  for (const [path, action, body] of [
    [iri, `${iri}/approve`, undefined],
    [`/drivers/${driver}`, `/drivers/${driver}/location`, { latitude: 48.85, longitude: 2.35 }],
  ] as const) {
    const { headers } = await send(service, 'GET', path, { token });
    const tag = headers.get('etag') ?? '';
    const answer = await send(service, 'POST', action, { token, body, headers: { 'if-none-match': tag } });
    t.is(answer.status, 412, action);
  }
});
