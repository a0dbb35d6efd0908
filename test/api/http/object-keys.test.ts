import test from 'ava';
import { makeOrganization, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { sendRaw } from '../../harness/raw-request.ts';
import { at, send, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** Keys that every JavaScript object has: taken for what they are, they would change or hide others. */

const service = useService({ withWorkers: false });

let token: string;
let key: string;
test.before(async () => {
  const organization = await makeOrganization(service);
  key = organization.apiKey;
  token = (await makeUser(service, organization, 'ROLE_DISPATCHER')).token;
});

test('400 a key __proto__ is refused by its name, at any depth and however it is escaped', async (t) => {
  const sound = JSON.stringify(shipmentBodyWith());
  for (const polluting of [
    sound.replace('{', '{"__proto__":{"polluted":true},'),
    sound.replace('"recipient":{', '"recipient":{"__proto__":{"polluted":true},'),
    sound.replace('{', '{"items":[{"name":"x","__proto__":{"polluted":true}}],'),
    sound.replace('{', String.raw`{"\u005f_proto__":{"polluted":true},`),
  ]) {
    const answer = await sendRaw(service, 'POST', '/api/v1/shipments', {
      body: polluting,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/ld+json' },
    });
    t.is(answer.status, 400, polluting);
    t.regex(answer.text, /__proto__/);
  }
  t.false('polluted' in {});
});

test('201 a key constructor is without effect on the dashboard', async (t) => {
  const body = shipmentBodyWith({ constructor: { prototype: { polluted: true } }, toString: 'x' });
  t.is((await send(service, 'POST', '/shipments', { token, body })).status, 201);
  t.false('polluted' in {});
});

test('422 keys that every object inherits are unknown fields of the external body, nested too', async (t) => {
  const recipient = { ...recipientOf(shipmentBodyWith()), constructor: 'x' };
  const body = shipmentBodyWith({ recipient, toString: 'x', hasOwnProperty: 'x' });
  const answer = await send(service, 'POST', '/external/shipments', { key, body });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body), ['recipient.constructor', 'toString', 'hasOwnProperty']);
});

function recipientOf(body: Readonly<Record<string, unknown>>): object {
  const { recipient } = body;
  return typeof recipient === 'object' && recipient !== null ? recipient : {};
}

for (const name of ['__proto__', 'constructor', 'toString', '__proto__[page]', 'page[__proto__]']) {
  test(`400 a query parameter ${name} is refused as unknown`, async (t) => {
    for (const path of ['/shipments', '/users/me', '/zones?page=1']) {
      const separator = path.includes('?') ? '&' : '?';
      const answer = await send(service, 'GET', `${path}${separator}${name}=1`, { token });
      t.is(answer.status, 400, path);
      t.true(String(at(answer.body, 'detail')).includes(name), path);
    }
  });
}
