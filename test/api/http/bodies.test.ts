import { gzipSync } from 'node:zlib';
import test from 'ava';
import { makeOrganization, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { sendRaw } from '../../harness/raw-request.ts';
import { at, send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

let token: string;
test.before(async () => {
  const organization = await makeOrganization(service);
  token = (await makeUser(service, organization, 'ROLE_DISPATCHER')).token;
});

const LD_JSON = 'application/ld+json';

/** Posts bytes as they are to `POST /shipments`. */
async function post(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) {
  const answer = await sendRaw(service, 'POST', '/api/v1/shipments', {
    body,
    headers: { authorization: `Bearer ${token}`, 'content-type': LD_JSON, ...headers },
  });
  const problem: unknown = JSON.parse(answer.text);
  return { ...answer, problem };
}

const NO_OBJECTS: readonly (readonly [string, string])[] = [
  ['broken JSON', '{"recipient": '],
  ['a trailing comma', '{"notes": "x",}'],
  ['single quotes', "{'notes': 'x'}"],
  ['nothing', ''],
  ['white space', ' \n '],
  ['a string', '"text"'],
  ['a number', '7'],
  ['null', 'null'],
  ['an array', '[{"notes": "x"}]'],
  ['two documents', '{}{}'],
  ['NaN', '{"weight": NaN}'],
];
for (const [name, body] of NO_OBJECTS) {
  test(`400 a body that is ${name} is refused as no JSON object`, async (t) => {
    const { status, headers, problem } = await post(body);
    t.is(status, 400);
    t.is(headers['content-type'], 'application/problem+json; charset=utf-8');
    t.regex(String(at(problem, 'detail')), /JSON object/);
  });
}

test('400 a body nested deeper than 32 levels is refused, also a hundred thousand levels deep', async (t) => {
  for (const depth of [40, 10_000, 100_000]) {
    const answer = await post(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    t.is(answer.status, 400, `${depth} levels`);
  }
});

test('201 of a key that is sent twice the last counts', async (t) => {
  const doubled = JSON.stringify(shipmentBodyWith()).replace('{', '{"notes":"first","notes":"last",');
  const answer = await post(doubled);
  t.is(answer.status, 201);
  t.is(at(answer.problem, 'notes'), 'last');
});

const WRONG_TYPES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['text/plain', { 'content-type': 'text/plain' }],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['multipart', { 'content-type': 'multipart/form-data; boundary=x' }],
  ['a merge patch', { 'content-type': 'application/merge-patch+json' }],
  ['an unknown JSON type', { 'content-type': 'application/vnd.api+json' }],
  ['latin1', { 'content-type': 'application/ld+json; charset=iso-8859-1' }],
  ['no type at all', { 'content-type': '' }],
  ['an unknown encoding', { 'content-encoding': 'zstd' }],
];
for (const [name, headers] of WRONG_TYPES) {
  test(`415 a create is refused as ${name}, and told what to send`, async (t) => {
    const answer = await post(JSON.stringify(shipmentBodyWith()), headers);
    t.is(answer.status, 415);
    t.regex(String(at(answer.problem, 'detail')), /application\/ld\+json|utf-8|gzip/);
  });
}

test('415 a create without the Content-Type header is refused', async (t) => {
  const answer = await sendRaw(service, 'POST', '/api/v1/shipments', {
    body: JSON.stringify(shipmentBodyWith()),
    headers: { authorization: `Bearer ${token}` },
  });
  t.is(answer.status, 415);
});

test('201 parameters of the content type and application/json are taken', async (t) => {
  const body = JSON.stringify(shipmentBodyWith());
  const types = [
    'application/json',
    'application/ld+json; charset=UTF-8',
    'application/ld+json; charset="utf-8"',
    'Application/LD+JSON; profile="http://www.w3.org/ns/json-ld#compacted"',
  ];
  for (const type of types) {
    const answer = await post(body, { 'content-type': type });
    t.is(answer.status, 201, type);
  }
});

test('413 a body above 1 MB is refused, one below is read', async (t) => {
  const padded = (length: number) => {
    const empty = JSON.stringify(shipmentBodyWith({ ignored: '' })).length;
    return JSON.stringify(shipmentBodyWith({ ignored: 'x'.repeat(length - empty) }));
  };
  const limit = 1024 * 1024;
  t.is((await post(padded(limit))).status, 201);
  const answer = await post(padded(limit + 1));
  t.is(answer.status, 413);
  t.is(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
});

test('413 a small gzip body that unpacks above 1 MB is refused, a modest one is read', async (t) => {
  const encoded = { 'content-encoding': 'gzip' };
  const bomb = gzipSync(`{"a":"${'x'.repeat(50_000_000)}"}`);
  t.true(bomb.length < 100_000);
  t.is((await post(bomb, encoded)).status, 413);
  t.is((await post(gzipSync(JSON.stringify(shipmentBodyWith())), encoded)).status, 201);
  t.is((await post('no gzip at all', encoded)).status, 400);
});

const UNSTORABLE = ['a\u0000b', 'a\ud800b', '\udc00'];
for (const [name, fields] of [
  ['notes', (text: string) => ({ notes: text })],
  ['externalReference', (text: string) => ({ externalReference: text })],
  ['items[0].name', (text: string) => ({ items: [{ name: text }] })],
  ['pickupPoint', (text: string) => ({ pickupPoint: text })],
  ['priority', (text: string) => ({ priority: text })],
  ['scheduledAfter', (text: string) => ({ scheduledAfter: text })],
  ['codAmount', (text: string) => ({ codAmount: text })],
] as const) {
  test(`422 NUL and lone surrogates in ${name} are refused there`, async (t) => {
    for (const text of UNSTORABLE) {
      const answer = await send(service, 'POST', '/shipments', {
        token,
        body: shipmentBodyWith(fields(text)),
      });
      t.is(answer.status, 422);
      t.is(at(answer.body, 'violations.0.propertyPath'), name);
    }
  });
}

test('422 NUL and lone surrogates anywhere in the recipient are refused there', async (t) => {
  const whole = {
    firstName: 'A',
    phoneNumber: '+33612345678',
    email: 'a@example.com',
    address: { street: 'S', city: 'C', landmark: 'L' },
  };
  for (const text of UNSTORABLE) {
    const broken: readonly (readonly [string, unknown])[] = [
      ['recipient.firstName', { ...whole, firstName: text }],
      ['recipient.email', { ...whole, email: `${text}@example.com` }],
      ['recipient.phoneNumber', { ...whole, phoneNumber: `+3361234567${text}` }],
      ['recipient.address.landmark', { ...whole, address: { ...whole.address, landmark: text } }],
    ];
    for (const [path, recipient] of broken) {
      const answer = await send(service, 'POST', '/shipments', { token, body: { recipient } });
      t.is(answer.status, 422, path);
      t.is(at(answer.body, 'violations.0.propertyPath'), path);
    }
  }
});

test('201 a body that is not valid UTF-8 is never a fault of ours', async (t) => {
  const text = JSON.stringify(shipmentBodyWith({ notes: 'XX' }));
  const bytes = Buffer.from(text);
  bytes.set([0xff, 0xfe], text.indexOf('XX'));
  t.true([201, 400].includes((await post(bytes)).status));
});

test('401 an unread body of a refused request does not spoil the next on the same connection', async (t) => {
  const body = `{"a":"${'x'.repeat(500_000)}"}`;
  const refused = await send(service, 'POST', '/shipments', { body });
  t.is(refused.status, 401);
  const next = await send(service, 'GET', '/shipments', { token });
  t.is(next.status, 200);
});
