import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makeOrganization, makeUser } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** A request that is wrong in every way gets the first of 401, 403, 404, 415, 400, 422. */

const service = useService({ withWorkers: false, settings: { COMMAND_WAIT_MS: '10' } });

async function cast() {
  const organization = await makeOrganization(service);
  const admin = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const driver = await makeUser(service, organization, 'ROLE_DRIVER');
  const stranger = await makeUser(service, await makeOrganization(service), 'ROLE_ORG_ADMIN');
  const shipment = await makeShipment(service, admin.token);
  return { admin: admin.token, driver: driver.token, stranger: stranger.token, shipment };
}

const BROKEN = { body: '{', contentType: 'text/csv' };

test('401 comes first: an unknown caller learns nothing of roles, records, types and bodies', async (t) => {
  const { shipment } = await cast();
  const { status } = await send(service, 'PATCH', shipment.iri, BROKEN);
  t.is(status, 401);
});

test('403 of the role comes before 404, 415 and 400', async (t) => {
  const { driver } = await cast();
  const { status } = await send(service, 'PATCH', `/shipments/${randomUUID()}`, { token: driver, ...BROKEN });
  t.is(status, 403);
});

test('403 of another organization’s record comes before 415 and 400', async (t) => {
  const { stranger, shipment } = await cast();
  for (const path of [shipment.iri, shipment.delivery]) {
    const { status } = await send(service, 'PATCH', path, { token: stranger, ...BROKEN });
    t.is(status, 403);
  }
});

test('404 of an unknown record comes before 415 and 400', async (t) => {
  const { admin } = await cast();
  const transition = `/tasks/${randomUUID()}/transition`;
  t.is((await send(service, 'POST', transition, { token: admin, ...BROKEN })).status, 404);
  const { status } = await send(service, 'PATCH', `/shipments/${randomUUID()}`, { token: admin, ...BROKEN });
  t.is(status, 404);
});

test('415 comes before 400', async (t) => {
  const { admin, shipment } = await cast();
  t.is((await send(service, 'PATCH', shipment.iri, { token: admin, ...BROKEN })).status, 415);
});

test('400 of the body comes before 412 and 422', async (t) => {
  const { admin, shipment } = await cast();
  const headers = { 'if-match': '"0"' };
  t.is((await send(service, 'PATCH', shipment.iri, { token: admin, body: '{', headers })).status, 400);
});

test('412 comes before 422: what is stale is read again before it is mended', async (t) => {
  const { admin, shipment } = await cast();
  const { status } = await send(service, 'PATCH', shipment.iri, {
    token: admin,
    body: { priority: 'asap' },
    headers: { 'if-match': '"0"' },
  });
  t.is(status, 412);
});
