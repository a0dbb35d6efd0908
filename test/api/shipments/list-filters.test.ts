import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { makeMerchant, makePickupPoint, makeTeam, makeUser } from '../../harness/make.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, listAt, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

async function list(token: string, query = ''): Promise<unknown> {
  return expectStatus(await send(service, 'GET', `/shipments${query}`, { token }), 200).body;
}

function idsOf(body: unknown): string[] {
  return listAt(body, 'member').map((member) => textAt(member, 'id'));
}

/** Four shipments that differ in all that can be filtered by. */
async function varied() {
  const { organization, token } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const point = await makePickupPoint(service, organization);
  const merchant = `/api/v1/merchants/${merchantId}`;
  const plain = await makeShipment(service, token);
  const urgent = await makeShipment(service, token, {
    fields: { priority: 'urgent', externalReference: 'ORDER-7' },
  });
  const ofMerchant = await makeShipment(service, token, { fields: { merchant, priority: 'urgent' } });
  const ofPoint = await makeShipment(service, token, { pickupPoint: point });
  await execute(service.database, `update shipments set status = 'in_transit' where id = $1`, [ofPoint.id]);
  return { organization, token, merchant, point, plain, urgent, ofMerchant, ofPoint };
}

test('200 each filter alone finds exactly its shipments, counted as shown', async (t) => {
  const { token, merchant, point, plain, urgent, ofMerchant, ofPoint } = await varied();
  const expected: readonly (readonly [string, readonly string[]])[] = [
    ['status=in_transit', [ofPoint.id]],
    ['status=delivered', []],
    ['priority=urgent', [ofMerchant.id, urgent.id]],
    ['priority=normal', [ofPoint.id, plain.id]],
    [`merchant=${merchant}`, [ofMerchant.id]],
    [`merchant=/api/v1/merchants/${randomUUID()}`, []],
    [`pickupPoint=/api/v1/pickup-points/${point}`, [ofPoint.id]],
    [`pickupPoint=/api/v1/pickup_points/${point}`, [ofPoint.id]],
    [`trackingNumber=${plain.trackingNumber}`, [plain.id]],
    ['externalReference=ORDER-7', [urgent.id]],
    ['externalReference=order-7', []],
    ['search=order-7', [urgent.id]],
  ];
  for (const [query, ids] of expected) {
    const body = await list(token, `?${query}`);
    t.deepEqual(idsOf(body), ids, query);
    t.is(at(body, 'totalItems'), ids.length, query);
  }
});

test('200 filters together narrow together', async (t) => {
  const { token, merchant, ofMerchant, urgent } = await varied();
  t.deepEqual(idsOf(await list(token, `?priority=urgent&merchant=${merchant}&status=pending`)), [
    ofMerchant.id,
  ]);
  t.deepEqual(idsOf(await list(token, `?priority=normal&merchant=${merchant}`)), []);
  t.deepEqual(idsOf(await list(token, '?priority=urgent&search=amina&externalReference=ORDER-7')), [
    urgent.id,
  ]);
});

test('400 an empty filter is rejected with its name: it would show everything', async (t) => {
  const { token } = await makeTeam(service);
  const query = '?status=&externalReference=&merchant=&createdAt[after]=&search=';
  const answer = await send(service, 'GET', `/shipments${query}`, { token });
  t.is(answer.status, 400);
  for (const name of ['status', 'externalReference', 'merchant', 'createdAt[after]', 'search']) {
    t.true(textAt(answer.body, 'detail').includes(`${name}: Must not be empty`), name);
  }
  const both = await send(service, 'GET', '/shipments?status=&priority=x&colour=', { token });
  t.regex(textAt(both.body, 'detail'), /status: Must not be empty.*priority: .*colour: Unknown field/);
});

test('200 a filter by time takes ISO 8601 as people write it, with a + that is not escaped', async (t) => {
  const { token } = await makeTeam(service);
  await makeShipment(service, token);
  for (const [moment, total] of [
    ['2020-01-01T09:30Z', 1],
    ['2020-01-01T09:30%2B01:00', 1],
    ['2020-01-01T09:30:00+0100', 1],
    ['2099-01-01T09:30+01:00', 0],
  ] as const) {
    t.is(at(await list(token, `?createdAt[after]=${moment}`), 'totalItems'), total, moment);
  }
  const paged = await list(token, '?createdAt[after]=2020-01-01T09:30+01:00&itemsPerPage=1');
  const first = await send(service, 'GET', textAt(paged, 'view.first'), { token });
  t.is(at(first.body, 'totalItems'), 1);
});

test('200 createdAt[after] and [before] include the shown moment itself', async (t) => {
  const { token, plain, urgent, ofMerchant, ofPoint } = await varied();
  const shown = textAt((await send(service, 'GET', urgent.iri, { token })).body, 'createdAt');
  const from = encodeURIComponent(shown);
  t.deepEqual(idsOf(await list(token, `?createdAt[after]=${from}`)), [ofPoint.id, ofMerchant.id, urgent.id]);
  t.deepEqual(idsOf(await list(token, `?createdAt[before]=${from}`)), [urgent.id, plain.id]);
  t.deepEqual(idsOf(await list(token, `?createdAt[after]=${from}&createdAt[before]=${from}`)), [urgent.id]);
});

async function named(token: string, firstName: string, lastName: string, phoneNumber = '+33612345678') {
  const address = { street: 'S', city: 'C' };
  return makeShipment(service, token, {
    fields: { recipient: { firstName, lastName, phoneNumber, address } },
  });
}

test('200 search finds names in any case, accent and script, phones, numbers and references', async (t) => {
  const { token } = await makeTeam(service);
  const accents = await named(token, 'Élodie', 'Çelik-Ångström', '+33700000001');
  const arabic = await named(token, 'أمينة', 'حداد', '+212600000002');
  const found = async (text: string) => idsOf(await list(token, `?search=${encodeURIComponent(text)}`));
  for (const text of [
    'élodie',
    'ÉLODIE',
    'celik'.replace('c', 'ç'),
    'ÅNGSTRÖM',
    'Élodie Çelik',
    ' élodie ',
    '0000001',
  ]) {
    t.deepEqual(await found(text), [accents.id], text);
  }
  t.deepEqual(await found('أمينة'), [arabic.id]);
  t.deepEqual(await found('+212600'), [arabic.id]);
  t.deepEqual(await found(arabic.trackingNumber.toLowerCase()), [arabic.id]);
  t.deepEqual(await found(arabic.trackingNumber.slice(-6)), [arabic.id]);
  t.deepEqual(await found('nobody'), []);
});

test('200 search takes %, _ and \\ literally', async (t) => {
  const { token } = await makeTeam(service);
  await named(token, 'Plain', 'Name');
  const percent = await named(token, '100%', 'Cotton');
  const underscore = await named(token, 'snake_case', 'X');
  const backslash = await named(token, 'back\\slash', 'X');
  const found = async (text: string) => idsOf(await list(token, `?search=${encodeURIComponent(text)}`));
  t.deepEqual(await found('%'), [percent.id]);
  t.deepEqual(await found('0% c'), [percent.id]);
  t.deepEqual(await found('_'), [underscore.id]);
  t.deepEqual(await found('\\'), [backslash.id]);
  t.deepEqual(await found("' or 1=1 --"), []);
});

test('200 a list never shows or counts records of another organization', async (t) => {
  const { merchant, point, plain } = await varied();
  const stranger = await makeTeam(service);
  for (const query of [
    '',
    '?search=amina',
    `?merchant=${merchant}`,
    `?pickupPoint=/api/v1/pickup-points/${point}`,
    `?trackingNumber=${plain.trackingNumber}`,
    '?externalReference=ORDER-7',
  ]) {
    const body = await list(stranger.token, query);
    t.is(at(body, 'totalItems'), 0, query);
    t.deepEqual(at(body, 'member'), []);
  }
});

test('200 a merchant sees and counts its own alone', async (t) => {
  const { organization, token, merchant, ofMerchant } = await varied();
  const ownId = await makeMerchant(service, organization);
  const own = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId: ownId });
  const mine = await makeShipment(service, token, { fields: { merchant: `/api/v1/merchants/${ownId}` } });
  t.deepEqual(idsOf(await list(own.token)), [mine.id]);
  for (const query of [`?merchant=${merchant}`, `?trackingNumber=${ofMerchant.trackingNumber}`]) {
    const body = await list(own.token, query);
    t.deepEqual(at(body, 'member'), []);
    t.is(at(body, 'totalItems'), 0);
  }
});
