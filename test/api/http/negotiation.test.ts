import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makeOrganization, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { at, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false, settings: { PUBLIC_URL: 'https://api.example.com/' } });

let token: string;
let key: string;
test.before(async () => {
  const organization = await makeOrganization(service);
  key = organization.apiKey;
  token = (await makeUser(service, organization, 'ROLE_DISPATCHER')).token;
});

const LD_JSON = 'application/ld+json; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

const ACCEPTED: readonly (readonly [string, string])[] = [
  ['*/*', LD_JSON],
  ['application/*', LD_JSON],
  ['application/ld+json', LD_JSON],
  ['application/json', JSON_TYPE],
  ['APPLICATION/JSON', JSON_TYPE],
  ['application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', LD_JSON],
  ['application/json, application/ld+json', LD_JSON],
  ['application/json, application/ld+json;q=0.5', JSON_TYPE],
  ['application/ld+json;q=0, */*', JSON_TYPE],
  ['text/html, application/xhtml+xml, */*;q=0.1', LD_JSON],
  ['text/html;q=0.9, application/json;q=0.001', JSON_TYPE],
];
for (const [accept, contentType] of ACCEPTED) {
  test(`200 Accept: ${accept} is answered as ${contentType}`, async (t) => {
    const answer = await send(service, 'GET', '/shipments', { token, headers: { accept } });
    t.is(answer.status, 200);
    t.is(answer.headers.get('content-type'), contentType);
    t.regex(answer.headers.get('vary') ?? '', /Accept/);
  });
}

for (const accept of [
  'text/html',
  'application/pdf',
  'image/*',
  '*/*;q=0',
  'application/ld+json;q=0, application/json;q=0',
]) {
  test(`406 Accept: ${accept} of the list is rejected with the available types`, async (t) => {
    const answer = await send(service, 'GET', '/shipments', { token, headers: { accept } });
    t.is(answer.status, 406);
    t.is(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
    t.is(
      at(answer.body, 'detail'),
      'Not acceptable. Available types: application/ld+json, application/json.',
    );
  });
}

test('406 an unacceptable Accept creates nothing', async (t) => {
  const own = await makeOrganization(service);
  const { token: ownToken } = await makeUser(service, own, 'ROLE_DISPATCHER');
  const before = await send(service, 'GET', '/shipments', { token: ownToken });
  const answer = await send(service, 'POST', '/shipments', {
    token: ownToken,
    body: shipmentBodyWith(),
    headers: { accept: 'text/csv' },
  });
  t.is(answer.status, 406);
  const after = await send(service, 'GET', '/shipments', { token: ownToken });
  t.is(at(after.body, 'totalItems'), at(before.body, 'totalItems'));
});

test('304 If-None-Match with the current tag, weak, among others or * is answered without a body', async (t) => {
  const { iri } = await makeShipment(service, token);
  const got = await send(service, 'GET', iri, { token });
  const etag = got.headers.get('etag') ?? '';
  t.regex(etag, /^"[^"]+"$/);
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await send(service, 'GET', iri, { token, headers: { 'if-none-match': tags } });
    t.is(answer.status, 304, tags);
    t.is(answer.bytes.length, 0);
    t.is(answer.headers.get('etag'), etag);
    t.is(answer.headers.get('content-type'), null);
  }
});

test('200 If-None-Match with another tag gets the full response; a change changes the tag', async (t) => {
  const { iri } = await makeShipment(service, token);
  const etag = (await send(service, 'GET', iri, { token })).headers.get('etag') ?? '';
  const other = await send(service, 'GET', iri, { token, headers: { 'if-none-match': '"0"' } });
  t.is(other.status, 200);
  await send(service, 'PATCH', iri, { token, body: { notes: 'changed' } });
  const answer = await send(service, 'GET', iri, { token, headers: { 'if-none-match': etag } });
  t.is(answer.status, 200);
  t.not(answer.headers.get('etag'), etag);
});

test('200 a request has an id of its own, whatever id its client sends, also on errors', async (t) => {
  const seen = new Set<string>();
  for (const requestId of [randomUUID(), 'x', '../../etc', 'a'.repeat(500)]) {
    const headers = { 'x-request-id': requestId };
    const good = await send(service, 'GET', '/shipments', { token, headers });
    t.is(good.status, 200);
    const bad = await send(service, 'GET', '/shipments', { headers });
    t.is(bad.status, 401);
    t.is(at(bad.body, 'instance'), `urn:uuid:${bad.headers.get('x-request-id')}`);
    for (const id of [good, bad].map((answer) => answer.headers.get('x-request-id') ?? '')) {
      t.regex(id, /^[0-9a-f-]{36}$/);
      t.false(seen.has(id) || id === requestId);
      seen.add(id);
    }
  }
});

test('every response links to the public documentation and has the security headers', async (t) => {
  const answers = [
    await send(service, 'GET', '/shipments', { token }),
    await send(service, 'GET', '/shipments'),
    await send(service, 'GET', '/nothing'),
    await send(service, 'PUT', '/shipments', { token }),
    await send(service, 'POST', '/external/shipments', { key, body: {} }),
    await send(service, 'POST', '/shipments', { token, body: '{' }),
  ];
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 401, 404, 405, 422, 400],
  );
  for (const { headers } of answers) {
    const link = headers.get('link') ?? '';
    t.true(link.includes('<https://api.example.com/api/v1/docs.jsonld>'));
    t.true(link.includes('rel="http://www.w3.org/ns/hydra/core#apiDocumentation"'));
    t.is(headers.get('x-content-type-options'), 'nosniff');
    t.is(headers.get('x-frame-options'), 'DENY');
    t.is(headers.get('cache-control'), 'no-store');
    t.is(headers.get('access-control-allow-origin'), null);
  }
});

test('every error is a problem document without internals', async (t) => {
  const { iri } = await makeShipment(service, token);
  const answers = [
    await send(service, 'POST', '/shipments', { token, body: '{' }),
    await send(service, 'GET', '/shipments'),
    await send(service, 'DELETE', iri, { token }),
    await send(service, 'GET', `/shipments/${randomUUID()}`, { token }),
    await send(service, 'PUT', '/shipments', { token }),
    await send(service, 'GET', '/shipments', { token, headers: { accept: 'text/csv' } }),
    await send(service, 'PATCH', iri, { token, body: {}, headers: { 'if-match': '"0"' } }),
    await send(service, 'POST', '/shipments', { token, body: 'x'.repeat(1_100_000) }),
    await send(service, 'POST', '/shipments', { token, body: '{}', contentType: 'text/csv' }),
    await send(service, 'POST', '/shipments', { token, body: {} }),
  ];
  t.deepEqual(
    answers.map(({ status }) => status),
    [400, 401, 403, 404, 405, 406, 412, 413, 415, 422],
  );
  for (const { status, headers, body, bytes } of answers) {
    t.is(headers.get('content-type'), 'application/problem+json; charset=utf-8');
    t.is(at(body, 'status'), status);
    t.is(at(body, 'type'), `/api/v1/errors/${status}`);
    t.true(textAt(body, 'title').length > 0);
    t.true(textAt(body, 'detail').length > 10);
    t.regex(textAt(body, 'instance'), /^urn:uuid:[0-9a-f-]{36}$/);
    t.notRegex(
      bytes.toString('utf8'),
      /node_modules|\.ts:|at [A-Za-z]+ \(|select |insert |sequelize|postgres/i,
    );
  }
});

test('422 lists every violation of a body, each with path, message and code', async (t) => {
  const answer = await send(service, 'POST', '/shipments', {
    token,
    body: {
      recipient: { type: 'robot', phoneNumber: '0612', email: 'x', address: { city: '', latitude: 91 } },
      pickupPoint: '/api/v1/merchants/7',
      priority: 'asap',
      weight: '2',
      codAmount: 10.5,
      items: [{ quantity: 0 }, 'no item'],
      handlingOptions: ['fragile', 'fragile', 'loud'],
      scheduledAfter: '2026-02-30T10:00:00Z',
    },
  });
  t.is(answer.status, 422);
  const paths = violationPaths(answer.body);
  for (const path of [
    'recipient.type',
    'recipient.firstName',
    'recipient.phoneNumber',
    'recipient.email',
    'recipient.address.street',
    'recipient.address.city',
    'recipient.address.latitude',
    'recipient.address.longitude',
    'pickupPoint',
    'priority',
    'weight',
    'codAmount',
    'items[0].name',
    'items[0].quantity',
    'items[1]',
    'handlingOptions[1]',
    'handlingOptions[2]',
    'scheduledAfter',
  ]) {
    t.true(paths.includes(path), path);
  }
  t.is(new Set(paths).size, paths.length);
  t.is(at(answer.body, '@type'), 'ConstraintViolation');
  for (const line of textAt(answer.body, 'detail').split('\n')) t.regex(line, /^[^ ]+: \S/);
});
