import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makeMerchant, makePickupPoint, makeTeam } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { at, fieldsOf, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';
import { shipmentCalls } from './calls.ts';

const service = useService();

const { patch, patched, read } = shipmentCalls(service);

test('200 what is sent is changed, what is not stays as it is', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token, { fields: { notes: 'old', weight: 2 } });
  const before = fieldsOf((await read(token, iri)).body);
  const after = fieldsOf(await patched(token, iri, { notes: 'new' }));
  t.deepEqual({ ...after, updatedAt: '' }, { ...before, notes: 'new', updatedAt: '' });
  t.true(String(after['updatedAt']) > String(before['updatedAt']));
  t.deepEqual((await read(token, iri)).body, after);
});

test('200 nested objects are merged, null removes, arrays are replaced whole', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token, {
    fields: {
      notes: 'x',
      weight: 2,
      priority: 'urgent',
      handlingOptions: ['fragile', 'id_check'],
      items: [{ name: 'A', quantity: 2, unitPrice: '5.00' }, { name: 'B' }],
    },
  });
  const body = await patched(token, iri, {
    recipient: { lastName: null, address: { city: 'Lyon', postalCode: null, landmark: 'Gate' } },
    notes: null,
    weight: null,
    priority: null,
    handlingOptions: ['refrigerated'],
    items: [{ name: 'C' }],
  });
  t.deepEqual(at(body, 'recipient'), {
    type: 'individual',
    firstName: 'Amina',
    phoneNumber: '+33612345678',
    address: { street: '1 rue de Rivoli', city: 'Lyon', landmark: 'Gate' },
  });
  t.false('notes' in fieldsOf(body));
  t.false('weight' in fieldsOf(body));
  t.is(at(body, 'priority'), 'normal');
  t.deepEqual(at(body, 'handlingOptions'), ['refrigerated']);
  t.deepEqual(at(body, 'items'), [{ name: 'C', quantity: 1, unitType: 'unite' }]);
  t.deepEqual(at(await patched(token, iri, { items: null, handlingOptions: null }), 'items'), []);
});

test('200 an empty text removes an optional field as null does, and again changes nothing', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token, {
    fields: {
      notes: 'x',
      externalReference: 'R',
      priority: 'urgent',
      codAmount: '5.00',
      scheduledAfter: '2030-01-01T00:00Z',
    },
  });
  const empty = {
    recipient: { lastName: '', email: '', address: { postalCode: '', landmark: '' } },
    ...{ notes: '', externalReference: '', priority: '', codAmount: '', scheduledAfter: '' },
  };
  const body = await patched(token, iri, empty);
  t.deepEqual(at(body, 'recipient'), {
    type: 'individual',
    firstName: 'Amina',
    phoneNumber: '+33612345678',
    address: { street: '1 rue de Rivoli', city: 'Paris' },
  });
  for (const name of ['notes', 'externalReference', 'scheduledAfter']) t.is(at(body, name), undefined, name);
  t.is(at(body, 'priority'), 'normal');
  t.is(at(body, 'codAmount'), '0.00');
  t.deepEqual(await patched(token, iri, empty), body);
});

test('200 sending back the whole document changes nothing, not even the version', async (t) => {
  const { token, organization } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const pickupPoint = await makePickupPoint(service, organization, { merchantId });
  const { iri } = await makeShipment(service, token, {
    pickupPoint,
    fields: {
      weight: 2.125,
      codAmount: '10.50',
      priority: 'high',
      handlingOptions: ['fragile'],
      notes: '',
      externalReference: 'R',
      items: [{ name: 'A', unitPrice: '5.00', sku: 'S' }],
      scheduledAfter: '2030-01-01T00:00:00.123456Z',
      scheduledBefore: '2030-01-02T00:00:00Z',
    },
  });
  const before = await read(token, iri);
  const answer = await patch(token, iri, before.body);
  t.is(answer.status, 200);
  t.deepEqual(answer.body, before.body);
  t.is(answer.headers.get('etag'), before.headers.get('etag'));
  t.deepEqual((await patch(token, iri, {})).body, before.body);
});

test('200 the whole document with one change is that change', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token);
  const before = fieldsOf((await read(token, iri)).body);
  const after = fieldsOf(await patched(token, iri, { ...before, notes: 'Ring twice', unknown: 7 }));
  t.is(after['notes'], 'Ring twice');
  t.deepEqual(after['recipient'], before['recipient']);
});

test('422 every changed read-only value is listed with the endpoint to use; nothing is written', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token);
  const before = await read(token, iri);
  const changed = {
    '@id': '/api/v1/shipments/other',
    '@type': 'Parcel',
    id: randomUUID(),
    trackingNumber: 'X',
    status: 'delivered',
    currency: 'USD',
    deliveryFee: '0.00',
    totalCodToCollect: null,
    feeBreakdown: {},
    feePayer: 'merchant',
    pickupAddress: { street: 'S', city: 'C' },
    source: 'import',
    deliveryDeadline: null,
    deadlineMissedAt: '2030-01-01T00:00:00Z',
    tasks: [],
    timeline: [],
    createdAt: '2020-01-01T00:00:00Z',
    updatedAt: '2020-01-01T00:00:00Z',
  };
  const answer = await patch(token, iri, { ...changed, notes: 'x', weight: -1 });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body).sort(), [...Object.keys(changed), 'weight'].sort());
  t.regex(textAt(answer.body, 'detail'), /status: .*POST \/tasks\/\{id\}\/transition/);
  t.deepEqual((await read(token, iri)).body, before.body);
});

for (const [name, body, paths] of [
  ['the recipient away', { recipient: null }, ['recipient']],
  ['the address away', { recipient: { address: null } }, ['recipient.address']],
  [
    'street and phone away',
    { recipient: { phoneNumber: null, address: { street: null } } },
    ['recipient.phoneNumber', 'recipient.address.street'],
  ],
  ['an empty first name', { recipient: { firstName: '' } }, ['recipient.firstName']],
  ['one coordinate in', { recipient: { address: { latitude: 48 } } }, ['recipient.address.longitude']],
  ['the recipient to a list', { recipient: [] }, ['recipient']],
  ['items to an object', { items: { name: 'x' } }, ['items']],
  ['an item of no name in', { items: [{ name: 'x' }, {}] }, ['items[1].name']],
  [
    'the window backwards',
    { scheduledAfter: '2030-01-02T00:00:00Z', scheduledBefore: '2030-01-01T00:00:00Z' },
    ['scheduledBefore'],
  ],
  ['an unknown merchant in', { merchant: `/api/v1/merchants/${randomUUID()}` }, ['merchant']],
] as const) {
  test(`422 a patch with ${name} is rejected at the wrong field`, async (t) => {
    const { token } = await makeTeam(service);
    const { iri } = await makeShipment(service, token);
    const answer = await patch(token, iri, body);
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), [...paths]);
  });
}

for (const body of ['[]', 'null', '"x"', '7', '']) {
  test(`400 a patch that is ${body === '' ? 'nothing' : body} is not a merge patch of an object`, async (t) => {
    const { token } = await makeTeam(service);
    const { iri } = await makeShipment(service, token);
    t.is((await patch(token, iri, body)).status, 400);
  });
}

test('415 a patch of another type: JSON Patch, ld+json, plain JSON', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token);
  for (const contentType of ['application/json-patch+json', 'application/ld+json', 'application/json']) {
    const answer = await send(service, 'PATCH', iri, { token, body: {}, contentType });
    t.is(answer.status, 415, contentType);
    t.regex(textAt(answer.body, 'detail'), /application\/merge-patch\+json/);
  }
});

test('412 a stale or weak If-Match writes nothing; 200 with the current tag and with *', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token);
  const stale = (await read(token, iri)).headers.get('etag') ?? '';
  t.is((await patch(token, iri, { notes: 'first' }, { 'if-match': stale })).status, 200);
  for (const tag of [stale, `W/${stale}`, '"0"', 'x', '']) {
    t.is((await patch(token, iri, { notes: 'second' }, { 'if-match': tag })).status, 412, tag);
  }
  const current = await read(token, iri);
  t.is(at(current.body, 'notes'), 'first');
  const etag = current.headers.get('etag') ?? '';
  t.is((await patch(token, iri, { notes: 'third' }, { 'if-match': `"0", ${etag}` })).status, 200);
  t.is((await patch(token, iri, { notes: 'fourth' }, { 'if-match': '*' })).status, 200);
});

test('200 and 412 of two edits with the same tag one is accepted', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token);
  const etag = (await read(token, iri)).headers.get('etag') ?? '';
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((notes) => patch(token, iri, { notes }, { 'if-match': etag })),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412]);
});

test('200 concurrent edits of different fields are both kept', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token);
  await Promise.all([
    patched(token, iri, { notes: 'kept' }),
    patched(token, iri, { externalReference: 'kept too' }),
  ]);
  const { body } = await read(token, iri);
  t.is(at(body, 'notes'), 'kept');
  t.is(at(body, 'externalReference'), 'kept too');
});

test('200 an edit writes no timeline entry', async (t) => {
  const { token } = await makeTeam(service);
  const { iri } = await makeShipment(service, token);
  const body = await patched(token, iri, { priority: 'low', notes: 'x' });
  t.is(listAt(body, 'timeline').length, 1);
});
