import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makeOrganization, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { sendRaw } from '../../harness/raw-request.ts';
import { send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

let token: string;
let key: string;
test.before(async () => {
  const organization = await makeOrganization(service);
  key = organization.apiKey;
  token = (await makeUser(service, organization, 'ROLE_DISPATCHER')).token;
});

const MERGE_PATCH = 'application/merge-patch+json';
const DASHBOARD = 'application/ld+json, application/json';
const EITHER = 'application/json, application/ld+json';

test('200 a record lists the types of PATCH, a collection those of POST', async (t) => {
  const { iri } = await makeShipment(service, token);
  const record = await send(service, 'GET', iri, { token });
  t.is(record.headers.get('accept-patch'), MERGE_PATCH);
  t.is(record.headers.get('accept-post'), null);
  const collection = await send(service, 'GET', '/shipments', { token });
  t.is(collection.headers.get('accept-post'), DASHBOARD);
  t.is(collection.headers.get('accept-patch'), null);
});

test('204 OPTIONS lists methods and types, also for files, the external API and empty bodies', async (t) => {
  const paths: readonly (readonly [string, string | null, string | null])[] = [
    [`/shipments/${randomUUID()}`, null, MERGE_PATCH],
    ['/shipments', DASHBOARD, null],
    ['/external/shipments', EITHER, null],
    ['/login_check', EITHER, null],
    ['/shipments/import', 'multipart/form-data', null],
    [`/shipments/${randomUUID()}/approve`, null, null],
    ['/users/me', null, null],
  ];
  for (const [path, post, patch] of paths) {
    const answer = await send(service, 'OPTIONS', path);
    t.is(answer.status, 204, path);
    t.truthy(answer.headers.get('allow'), path);
    t.is(answer.headers.get('accept-post'), post, path);
    t.is(answer.headers.get('accept-patch'), patch, path);
  }
});

test('415 a body of another type lists the accepted types', async (t) => {
  const { iri } = await makeShipment(service, token);
  const patched = await send(service, 'PATCH', iri, { token, body: '{}', contentType: 'application/json' });
  t.is(patched.status, 415);
  t.is(patched.headers.get('accept-patch'), MERGE_PATCH);
  const posted = await send(service, 'POST', '/shipments', { token, body: 'a=b', contentType: 'text/plain' });
  t.is(posted.status, 415);
  t.is(posted.headers.get('accept-post'), DASHBOARD);
  const external = await send(service, 'POST', '/external/shipments', {
    key,
    body: '{}',
    contentType: 'text/plain',
  });
  t.is(external.status, 415);
  t.is(external.headers.get('accept-post'), EITHER);
});

test('415 a body of another coding lists the accepted codings', async (t) => {
  const answer = await sendRaw(service, 'POST', '/api/v1/shipments', {
    body: JSON.stringify(shipmentBodyWith()),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/ld+json',
      'content-encoding': 'zstd',
    },
  });
  t.is(answer.status, 415);
  t.is(answer.headers['accept-encoding'], 'gzip, deflate, br');
});

const ERROR_LINK = '<http://www.w3.org/ns/hydra/error>; rel="http://www.w3.org/ns/json-ld#error"';

test('404 only errors have the Link header of an error', async (t) => {
  const missing = await send(service, 'GET', `/shipments/${randomUUID()}`, { token });
  t.is(missing.status, 404);
  t.true(missing.headers.get('link')?.includes(ERROR_LINK));
  t.true(missing.headers.get('link')?.includes('#apiDocumentation'));
  const nowhere = await send(service, 'GET', '/nowhere');
  t.true(nowhere.headers.get('link')?.includes(ERROR_LINK));
  const found = await send(service, 'GET', '/shipments', { token });
  t.false(found.headers.get('link')?.includes('hydra/error'));
});

test('401 the challenge names what opens the surface: a bearer token, or the key in its header', async (t) => {
  for (const request of [{}, { token }, { key: 'sds_wrong' }]) {
    const answer = await send(service, 'GET', `/external/shipments/${randomUUID()}`, request);
    t.is(answer.status, 401);
    t.is(answer.headers.get('www-authenticate'), 'ApiKey header="X-API-KEY"');
  }
  for (const request of [{}, { key }, { token: 'wrong' }]) {
    const answer = await send(service, 'GET', '/shipments', request);
    t.is(answer.status, 401);
    t.is(answer.headers.get('www-authenticate'), 'Bearer');
  }
});
