import test from 'ava';
import { makeMerchant, makeOrganization, makeTeam, makeUser } from '../../harness/make.ts';
import { at, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

const MERCHANT = {
  name: 'Épicerie du Marché',
  contact: { name: 'Salma Idrissi', phoneNumber: '+33145000000', email: 'salma@example.com' },
  address: {
    street: '12 rue Oberkampf',
    city: 'Paris',
    postalCode: '75011',
    latitude: 48.86,
    longitude: 2.37,
  },
  feePayer: 'merchant',
};

test('201 creates a merchant that the answer shows in full', async (t) => {
  const { token } = await makeTeam(service);
  const created = await send(service, 'POST', '/merchants', { token, body: MERCHANT });
  t.is(created.status, 201);
  t.like(created.body, { '@type': 'Merchant', ...MERCHANT });
  const read = await send(service, 'GET', created.headers.get('location') ?? '', { token });
  t.deepEqual([read.status, read.body], [200, created.body]);
});

test('201 a name is enough, and the recipient pays', async (t) => {
  const { token } = await makeTeam(service);
  const created = await send(service, 'POST', '/merchants', { token, body: { name: 'Librairie' } });
  t.is(created.status, 201);
  t.is(at(created.body, 'feePayer'), 'recipient');
  t.is(at(created.body, 'contact'), undefined);
});

test('422 lists every violation of a merchant at once', async (t) => {
  const { token } = await makeTeam(service);
  const body = { contact: { email: 'x' }, address: { city: 'Paris', latitude: 1 }, feePayer: 'nobody' };
  const answer = await send(service, 'POST', '/merchants', { token, body });
  t.is(answer.status, 422);
  const paths = violationPaths(answer.body);
  const expected = [
    'address.longitude',
    'address.street',
    'contact.email',
    'contact.name',
    'feePayer',
    'name',
  ];
  t.deepEqual(paths.sort(), expected);
});

test('200 a patch merges into contact and address, and null removes', async (t) => {
  const { token } = await makeTeam(service);
  const path = textAt((await send(service, 'POST', '/merchants', { token, body: MERCHANT })).body, '@id');
  const edited = await send(service, 'PATCH', path, {
    token,
    body: { contact: { email: null }, address: { street: '1 rue de Rivoli' } },
  });
  t.is(edited.status, 200);
  t.deepEqual(at(edited.body, 'contact'), { name: 'Salma Idrissi', phoneNumber: '+33145000000' });
  t.deepEqual(at(edited.body, 'address'), { ...MERCHANT.address, street: '1 rue de Rivoli' });
  const removed = await send(service, 'PATCH', path, { token, body: { address: null } });
  t.is(at(removed.body, 'address'), undefined);
});

test('200 an edit that changes nothing keeps version and updatedAt', async (t) => {
  const { token } = await makeTeam(service);
  const created = await send(service, 'POST', '/merchants', { token, body: MERCHANT });
  const path = textAt(created.body, '@id');
  const same = await send(service, 'PATCH', path, { token, body: created.body });
  t.deepEqual([same.status, same.body], [200, created.body]);
  t.is(same.headers.get('etag'), created.headers.get('etag'));
});

test('200 pages of merchants add up to the total, newest first unless told', async (t) => {
  const { token } = await makeTeam(service);
  for (const name of ['A', 'B', 'C']) await send(service, 'POST', '/merchants', { token, body: { name } });
  const first = await send(service, 'GET', '/merchants?itemsPerPage=2', { token });
  t.is(at(first.body, 'totalItems'), 3);
  t.deepEqual([at(first.body, 'member.0.name'), at(first.body, 'member.1.name')], ['C', 'B']);
  const next = await send(service, 'GET', textAt(first.body, 'view.next'), { token });
  t.is(at(next.body, 'member.0.name'), 'A');
  t.is(at(next.body, 'view.next'), undefined);
  const oldest = await send(service, 'GET', '/merchants?order[createdAt]=asc', { token });
  t.is(at(oldest.body, 'member.0.name'), 'A');
});

test('200 a merchant’s user reads and lists its own; 403 it reads no other and writes none', async (t) => {
  const { organization } = await makeTeam(service);
  const own = await makeMerchant(service, organization);
  const other = await makeMerchant(service, organization);
  const { token } = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId: own });
  const list = await send(service, 'GET', '/merchants', { token });
  t.is(at(list.body, 'totalItems'), 1);
  t.is(at(list.body, 'member.0.id'), own);
  t.is((await send(service, 'GET', `/merchants/${own}`, { token })).status, 200);
  t.is((await send(service, 'GET', `/merchants/${other}`, { token })).status, 403);
  t.is((await send(service, 'PATCH', `/merchants/${own}`, { token, body: {} })).status, 403);
  t.is((await send(service, 'POST', '/merchants', { token, body: MERCHANT })).status, 403);
});

test('403 another organization’s merchant can neither be read, changed nor deleted', async (t) => {
  const { token } = await makeTeam(service);
  const path = `/merchants/${await makeMerchant(service, await makeOrganization(service))}`;
  t.is((await send(service, 'GET', path, { token })).status, 403);
  t.is((await send(service, 'PATCH', path, { token, body: { name: 'X' } })).status, 403);
  t.is((await send(service, 'DELETE', path, { token })).status, 403);
});

test('204 a deleted merchant leaves the lists, and its users are signed out', async (t) => {
  const { organization, token } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const user = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const path = `/merchants/${merchantId}`;
  t.is((await send(service, 'GET', path, { token: user.token })).status, 200);
  t.is((await send(service, 'DELETE', path, { token })).status, 204);
  t.is((await send(service, 'GET', path, { token })).status, 404);
  t.is(at((await send(service, 'GET', '/merchants', { token })).body, 'totalItems'), 0);
  t.is((await send(service, 'GET', '/merchants', { token: user.token })).status, 401);
  const { email, password } = user;
  const login = await send(service, 'POST', '/login_check', {
    body: { email, password },
    contentType: 'application/json',
  });
  t.is(login.status, 401);
});
