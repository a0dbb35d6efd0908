import test from 'ava';
import { makeMerchant, makeOrganization, makePickupPoint, makeTeam, makeUser } from '../../harness/make.ts';
import { at, listAt, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

const POINT = {
  name: 'Dépôt Oberkampf',
  code: 'OBK',
  address: { street: '12 rue Oberkampf', city: 'Paris' },
  contact: { name: 'Salma' },
  openingHours: 'Mo-Sa 08:00-19:00',
};

test('201 creates a pickup point, under both spellings of its path', async (t) => {
  const { token } = await makeTeam(service);
  const created = await send(service, 'POST', '/pickup_points', { token, body: POINT });
  t.is(created.status, 201);
  t.like(created.body, { '@type': 'PickupPoint', ...POINT });
  const iri = textAt(created.body, '@id');
  t.true(iri.startsWith('/api/v1/pickup-points/'));
  const underscored = await send(service, 'GET', iri.replace('pickup-points', 'pickup_points'), { token });
  t.deepEqual([underscored.status, underscored.body], [200, created.body]);
});

test('422 a code is unique in its organization, and free again after a deletion', async (t) => {
  const { token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const other = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const created = await send(service, 'POST', '/pickup-points', { token, body: POINT });
  const again = await send(service, 'POST', '/pickup-points', { token, body: POINT });
  t.is(again.status, 422);
  t.is(at(again.body, 'violations.0.propertyPath'), 'code');
  const second = await send(service, 'POST', '/pickup-points', { token, body: { ...POINT, code: 'OB2' } });
  const renamed = await send(service, 'PATCH', textAt(second.body, '@id'), { token, body: { code: 'OBK' } });
  t.is(renamed.status, 422);
  t.is((await send(service, 'POST', '/pickup-points', { token: other.token, body: POINT })).status, 201);
  await send(service, 'DELETE', textAt(created.body, '@id'), { token });
  t.is((await send(service, 'POST', '/pickup-points', { token, body: POINT })).status, 201);
});

test('422 a merchant of another organization is unknown', async (t) => {
  const { token } = await makeTeam(service);
  const foreign = await makeMerchant(service, await makeOrganization(service));
  const body = { ...POINT, merchant: `/api/v1/merchants/${foreign}` };
  const answer = await send(service, 'POST', '/pickup-points', { token, body });
  t.is(answer.status, 422);
  t.is(at(answer.body, 'violations.0.propertyPath'), 'merchant');
});

test('200 lists the pickup points of a merchant', async (t) => {
  const { organization, token } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const own = await makePickupPoint(service, organization, { merchantId });
  await makePickupPoint(service, organization);
  const all = await send(service, 'GET', '/pickup-points', { token });
  t.is(at(all.body, 'totalItems'), 2);
  const path = `/pickup_points?merchant=/api/v1/merchants/${merchantId}`;
  const narrowed = await send(service, 'GET', path, { token });
  t.is(at(narrowed.body, 'totalItems'), 1);
  t.is(at(narrowed.body, 'member.0.id'), own);
  t.is(at(narrowed.body, '@id'), '/api/v1/pickup-points');
});

test('200 a pickup point keeps a merchant that was deleted since', async (t) => {
  const { organization, token } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const path = `/pickup-points/${await makePickupPoint(service, organization, { merchantId })}`;
  await send(service, 'DELETE', `/merchants/${merchantId}`, { token });
  const edited = await send(service, 'PATCH', path, { token, body: { name: 'New name' } });
  t.is(edited.status, 200);
  t.is(at(edited.body, 'merchant'), `/api/v1/merchants/${merchantId}`);
});

test('201 a merchant’s user makes points of its own, and changes them', async (t) => {
  const { organization } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const { token } = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const created = await send(service, 'POST', '/pickup-points', { token, body: POINT });
  t.is(created.status, 201);
  t.is(at(created.body, 'merchant'), `/api/v1/merchants/${merchantId}`);
  const path = textAt(created.body, '@id');
  t.is((await send(service, 'PATCH', path, { token, body: { name: 'Mine' } })).status, 200);
  const list = await send(service, 'GET', '/pickup-points', { token });
  t.is(at(list.body, 'totalItems'), 1);
  t.is((await send(service, 'DELETE', path, { token })).status, 403);
});

test('200 and 403 a merchant’s user reads the organization’s points and changes none of them', async (t) => {
  const { organization } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const merchantId = await makeMerchant(service, organization);
  const other = await makeMerchant(service, organization);
  const { token } = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const own = await makePickupPoint(service, organization, { merchantId });
  const others = await makePickupPoint(service, organization, { merchantId: other });
  const shared = await makePickupPoint(service, organization);
  for (const [point, readStatus] of [
    [others, 403],
    [shared, 200],
  ] as const) {
    const path = `/pickup-points/${point}`;
    t.is((await send(service, 'GET', path, { token })).status, readStatus);
    t.is((await send(service, 'PATCH', path, { token, body: { name: 'X' } })).status, 403);
    t.is((await send(service, 'DELETE', path, { token })).status, 403);
  }
  for (const [query, points] of [
    ['', [shared, own]],
    [`?merchant=${merchantId}`, [own]],
    [`?merchant=${other}`, []],
  ] as const) {
    const { body } = await send(service, 'GET', `/pickup-points${query}`, { token });
    t.is(at(body, 'totalItems'), points.length);
    t.deepEqual(
      listAt(body, 'member').map((point) => at(point, 'id')),
      [...points],
    );
  }
});

test('422 a merchant’s user gives a point to no other merchant', async (t) => {
  const { organization } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const other = await makeMerchant(service, organization);
  const { token } = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const merchant = `/api/v1/merchants/${other}`;
  const created = await send(service, 'POST', '/pickup-points', { token, body: { ...POINT, merchant } });
  t.is(created.status, 422);
  const path = `/pickup-points/${await makePickupPoint(service, organization, { merchantId })}`;
  const moved = await send(service, 'PATCH', path, { token, body: { merchant } });
  t.is(moved.status, 422);
  t.is(at(moved.body, 'violations.0.propertyPath'), 'merchant');
  const freed = await send(service, 'PATCH', path, { token, body: { merchant: null } });
  t.is(at(freed.body, 'merchant'), `/api/v1/merchants/${merchantId}`);
});

test('403 another organization’s pickup point can neither be read, changed nor deleted', async (t) => {
  const { token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const path = `/pickup-points/${await makePickupPoint(service, await makeOrganization(service))}`;
  t.is((await send(service, 'GET', path, { token })).status, 403);
  t.is((await send(service, 'PATCH', path, { token, body: { name: 'X' } })).status, 403);
  t.is((await send(service, 'DELETE', path, { token })).status, 403);
});

test('422 a shipment can no longer name a deleted pickup point', async (t) => {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const path = `/pickup-points/${await makePickupPoint(service, organization)}`;
  t.is((await send(service, 'DELETE', path, { token })).status, 204);
  t.is((await send(service, 'GET', path, { token })).status, 404);
  const recipient = {
    firstName: 'Amina',
    phoneNumber: '+33612345678',
    address: { street: '1 rue de Rivoli', city: 'Paris' },
  };
  const body = { recipient, pickupPoint: `/api/v1${path}` };
  const shipment = await send(service, 'POST', '/shipments', { token, body });
  t.is(shipment.status, 422);
  t.is(at(shipment.body, 'violations.0.propertyPath'), 'pickupPoint');
});
