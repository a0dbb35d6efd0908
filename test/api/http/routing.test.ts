import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makeOrganization, makeUser } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { sendRaw } from '../../harness/raw-request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

let token: string;
test.before(async () => {
  const organization = await makeOrganization(service);
  token = (await makeUser(service, organization, 'ROLE_ORG_ADMIN')).token;
});

function ask(method: string, path: string) {
  return sendRaw(service, method, path, { headers: { authorization: `Bearer ${token}` } });
}

const NOWHERE = [
  '/api',
  '/api/v2/shipments',
  '/api/v1/nothing',
  '/api/v1/shipments/',
  '/api/v1//shipments',
  '//api/v1/shipments',
  '/API/v1/shipments',
  '/api/v1/Shipments',
  '/api/v1/shipments/no-uuid',
  '/api/v1/shipments/1',
  `/api/v1/shipments/${randomUUID()}/`,
  `/api/v1/shipments/${randomUUID()}%2F`,
  `/api/v1/shipments%2F${randomUUID()}`,
  `/api/v1/shipments/${randomUUID()}/nothing`,
  '/api/v1/shipments/%zz',
  '/api/v1/shipments/%',
  '/api/v1/shipments/%00',
  '/api/v1/shipments/%ff%fe',
  '/api/v1/shipments/..%2f..%2fetc',
  '/health',
  '/desk/api',
  '/desk/api/v1',
  '/desks',
  '/health/live/',
];
for (const path of NOWHERE) {
  test(`404 there is nothing at ${path.replaceAll(/[0-9a-f-]{36}/g, '<id>')}`, async (t) => {
    const answer = await ask('GET', path);
    t.is(answer.status, 404);
    t.is(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    t.regex(answer.text, /"status":404/);
  });
}

test('302 a browser that opens the service is led to the console', async (t) => {
  const { status, headers } = await ask('GET', '/');
  t.deepEqual([status, headers.location], [302, '/desk/']);
});

const ALLOWED: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['/api/v1/shipments', ['GET', 'HEAD', 'OPTIONS', 'POST'], ['PUT', 'PATCH', 'DELETE', 'TRACE']],
  [`/api/v1/shipments/${randomUUID()}`, ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH'], ['PUT', 'POST']],
  [`/api/v1/shipments/${randomUUID()}/approve`, ['OPTIONS', 'POST'], ['GET', 'PUT', 'DELETE']],
  ['/api/v1/shipments/bulk-approve', ['OPTIONS', 'POST'], ['GET', 'PATCH', 'DELETE', 'HEAD']],
  [`/api/v1/tasks/${randomUUID()}/transition`, ['OPTIONS', 'POST'], ['GET', 'PATCH']],
  ['/api/v1/login_check', ['OPTIONS', 'POST'], ['GET', 'PUT']],
  ['/api/v1/token/refresh', ['OPTIONS', 'POST'], ['GET']],
  ['/api/v1/logout', ['OPTIONS', 'POST'], ['GET']],
  ['/api/v1/external/shipments', ['OPTIONS', 'POST'], ['GET', 'PUT']],
  [`/api/v1/external/shipments/${randomUUID()}`, ['GET', 'HEAD', 'OPTIONS'], ['POST', 'PATCH', 'DELETE']],
];
for (const [path, allowed, refused] of ALLOWED) {
  const shown = path.replaceAll(/[0-9a-f-]{36}/g, '<id>');
  test(`405 ${refused.join(', ')} of ${shown} are rejected with Allow`, async (t) => {
    for (const method of refused) {
      const answer = await ask(method, path);
      t.is(answer.status, 405, method);
      t.deepEqual((answer.headers.allow ?? '').split(', ').sort(), [...allowed].sort());
      if (method !== 'HEAD') t.regex(answer.text, /"status":405/);
    }
  });
  test(`204 OPTIONS of ${shown} lists the methods without a sign-in`, async (t) => {
    const answer = await sendRaw(service, 'OPTIONS', path);
    t.is(answer.status, 204);
    t.deepEqual((answer.headers.allow ?? '').split(', ').sort(), [...allowed].sort());
    t.is(answer.text, '');
  });
}

test('200 HEAD answers as GET does, without the body', async (t) => {
  const { iri } = await makeShipment(service, token);
  for (const path of ['/api/v1/shipments', iri]) {
    const got = await ask('GET', path);
    const head = await ask('HEAD', path);
    t.is(head.status, 200);
    t.is(head.text, '');
    t.is(head.headers['content-type'], got.headers['content-type']);
    t.is(head.headers['content-length'], String(Buffer.byteLength(got.text)));
    t.is(head.headers.etag, got.headers.etag);
  }
});

test('404 HEAD of an unknown record is 404 without a body', async (t) => {
  const answer = await ask('HEAD', `/api/v1/shipments/${randomUUID()}`);
  t.is(answer.status, 404);
  t.is(answer.text, '');
});

test('200 an id is read in either letter case', async (t) => {
  const { iri, id } = await makeShipment(service, token);
  const answer = await ask('GET', iri.replace(id, id.toUpperCase()));
  t.is(answer.status, 200);
});
