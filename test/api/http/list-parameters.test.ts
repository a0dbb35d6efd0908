import test from 'ava';
import { matches, searchWords } from '../../../domain/text-search.ts';
import { execute } from '../../../store/connection.ts';
import { newId } from '../../../store/new-id.ts';
import {
  makeDriver,
  makeMerchant,
  makePickupPoint,
  makeTeam,
  makeTeamWithDriver,
  makeUser,
} from '../../harness/make.ts';
import type { Team } from '../../harness/make.ts';
import type { MadeShipment } from '../../harness/moves.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, fieldsOf, listAt, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

async function idsOf(token: string, path: string): Promise<readonly string[]> {
  const { body } = expectStatus(await send(service, 'GET', path, { token }), 200);
  requireTrueTotal(body, path);
  return listAt(body, 'member').map((member) => textAt(member, 'id'));
}

/** The total counts what is shown: every list here fits on one page. */
function requireTrueTotal(body: unknown, path: string): void {
  if (at(body, 'totalItems') !== listAt(body, 'member').length) throw new Error(`a wrong total: ${path}`);
}

/** Two records of each collection. */
async function fill({ organization, user, token }: Team): Promise<void> {
  for (const name of ['A', 'B']) {
    await makeMerchant(service, organization);
    await makePickupPoint(service, organization);
    await makeDriver(service, organization);
    await makeUser(service, organization, 'ROLE_DISPATCHER');
    await makeShipment(service, token);
    await send(service, 'POST', '/delivery-runs', { token, body: { name } });
    const polygon = {
      type: 'Polygon',
      coordinates: [
        [
          [2, 48],
          [3, 48],
          [3, 49],
          [2, 48],
        ],
      ],
    };
    await send(service, 'POST', '/zones', { token, body: { name, polygon, baseFee: '7.00' } });
    await execute(
      service.database,
      'insert into imports (id, organization_id, user_id) values ($1, $2, $3)',
      [newId<'import'>(), organization.id, user.id],
    );
  }
}

/** What is typed, and whether it finds Zoé Benkhaléd, in any order and without accents; no character is a wildcard. */
const TYPED: readonly (readonly [string, boolean])[] = [
  ['zoe', true],
  ['BENKHALED zoé', true],
  ['oé', true],
  ['zoe qq', false],
  ['z%e', false],
  ['z_e', false],
];

test('200 drivers, users, merchants and pickup points are searched by their names, also on further pages', async (t) => {
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { token } = team;
  await fill(team);
  const address = { street: '1 rue', city: 'Béjaïa' };
  const person = { firstName: 'Zoé', lastName: 'Benkhaléd' };
  const password = 'a long enough 7 secret';
  const named = { name: 'Zoé Benkhaléd' };
  const bodies = {
    '/drivers': { ...person, phoneNumber: '+33612345678' },
    '/users': { ...person, email: `${newId<'user'>()}@example.com`, role: 'ROLE_DISPATCHER', password },
    '/merchants': named,
    '/pickup-points': { ...named, address },
  };
  for (const [typed, isFound] of TYPED) {
    t.is(matches(searchWords(typed), named.name), isFound, 'the console finds the same');
  }
  for (const [path, body] of Object.entries(bodies)) {
    const id = textAt(expectStatus(await send(service, 'POST', path, { token, body }), 201).body, 'id');
    for (const [typed, isFound] of TYPED) {
      const found = await idsOf(token, `${path}?search=${encodeURIComponent(typed)}`);
      t.deepEqual(found, isFound ? [id] : [], `${path} ${typed}`);
    }
  }
  t.is((await idsOf(token, '/pickup-points?search=bejaia')).length, 1);
  const arabic = { name: 'مكتبة الهُدى' };
  const id = textAt((await send(service, 'POST', '/merchants', { token, body: arabic })).body, 'id');
  t.deepEqual(await idsOf(token, `/merchants?search=${encodeURIComponent('الهدي مكتبه')}`), [id]);
});

test('200 every collection is sorted by id, in the direction that is asked for in any case', async (t) => {
  const team = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const { token } = team;
  await fill(team);
  const {
    '@context': _context,
    '@id': _id,
    '@type': _type,
    ...links
  } = fieldsOf((await send(service, 'GET', '/api/v1')).body);
  t.true(Object.keys(links).length >= 9);
  for (const path of Object.values(links).map(String)) {
    const ascending = await idsOf(token, `${path}?order[id]=ASC`);
    t.deepEqual(ascending, [...ascending].sort(), path);
    t.true(ascending.length >= 2 || /\/(?:webhook-deliveries|audit-events|sessions)$/.test(path), path);
    for (const word of ['desc', 'DESC', 'Desc']) {
      t.deepEqual(await idsOf(token, `${path}?order[id]=${word}`), [...ascending].reverse(), path);
    }
    t.is((await idsOf(token, `${path}?order[createdAt]=ASC&order[updatedAt]=Desc`)).length, ascending.length);
  }
  const answer = await send(service, 'GET', '/shipments?order[id]=upwards', { token });
  t.is(answer.status, 400);
  t.is(
    at(answer.body, 'detail'),
    "Query parameters: order[id]: 'upwards' is not allowed; use one of: asc, desc.",
  );
});

test('200 a filter takes one value or several, as name[] and as name[0]', async (t) => {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const shops = [await makeMerchant(service, organization), await makeMerchant(service, organization)];
  const iris = shops.map((id) => `/api/v1/merchants/${id}`);
  const made: MadeShipment[] = [];
  for (const [index, priority] of ['low', 'high', 'urgent'].entries()) {
    const fields = { priority, externalReference: `R${index}`, merchant: iris[index] ?? null };
    made.push(await makeShipment(service, token, { fields }));
  }
  const [first = '', second = '', third = ''] = made.map(({ id }) => id);
  const several = (name: string, values: readonly unknown[]) => [
    values.map((value) => `${name}[]=${String(value)}`).join('&'),
    values.map((value, index) => `${name}%5B${index}%5D=${String(value)}`).join('&'),
    `${name}=${String(values[0])}&${values.map((value) => `${name}[]=${String(value)}`).join('&')}`,
  ];
  const tasks = async (query: string) => idsOf(token, `/tasks?${query}`);
  for (const [name, values, expected] of [
    ['priority', ['low', 'high'], [second, first]],
    ['priority', ['low'], [first]],
    ['status', ['pending', 'delivered', 'pending'], [third, second, first]],
    ['status', ['delivered', 'returned'], []],
    ['merchant', iris, [second, first]],
    ['externalReference', ['R0', 'R2'], [third, first]],
    ['trackingNumber', made.slice(1).map(({ trackingNumber }) => trackingNumber), [third, second]],
  ] as const) {
    for (const query of several(name, values)) {
      t.deepEqual(await idsOf(token, `/shipments?${query}`), expected, query);
      t.deepEqual(await idsOf(token, `/shipments?${query}&search=amina`), expected, query);
    }
  }
  t.is((await tasks(`shipment[]=${first}&shipment[]=/api/v1/shipments/${second}`)).length, 2);
  t.is((await tasks('status[]=pending&status[]=failed&type[]=delivery')).length, 3);
  t.is((await idsOf(token, '/users?role[]=ROLE_ORG_ADMIN&role[]=ROLE_DRIVER')).length, 1);
  t.is((await idsOf(token, `/pickup-points?merchant[]=${shops.join('&merchant[]=')}`)).length, 0);
  t.is((await idsOf(token, '/delivery-runs?status[]=draft&status[]=planned&date[0]=2026-03-01')).length, 0);
  t.is((await idsOf(token, '/webhook-deliveries?status[]=dead&status[]=pending')).length, 0);
});

test('200 a caller that sees its own records alone gets no others by naming several', async (t) => {
  const { organization, token } = await makeTeam(service);
  const [own, other] = [await makeMerchant(service, organization), await makeMerchant(service, organization)];
  const user = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId: own });
  const iris = [own, other].map((id) => `/api/v1/merchants/${id}`);
  const made: string[] = [];
  for (const merchant of iris) made.push((await makeShipment(service, token, { fields: { merchant } })).id);
  const query = iris.map((iri) => `merchant[]=${iri}`).join('&');
  t.deepEqual(await idsOf(token, `/shipments?${query}`), [...made].reverse());
  t.deepEqual(await idsOf(user.token, `/shipments?${query}`), made.slice(0, 1));
  for (const id of [own, other]) await makePickupPoint(service, organization, { merchantId: id });
  t.is((await idsOf(user.token, `/pickup-points?${query}`)).length, 1);
  t.is((await idsOf(user.token, `/pickup-points?merchant[]=${other}`)).length, 0);
});

test('200 a filter that takes one value takes it with brackets as well', async (t) => {
  const { token } = await makeTeamWithDriver(service);
  for (const query of ['isAvailable[]=true', 'isAvailable[0]=true', 'isAvailable=true']) {
    t.is((await idsOf(token, `/drivers?${query}`)).length, 1, query);
  }
});

test('400 several values are checked one by one, and counted like all parameters', async (t) => {
  const { token } = await makeTeam(service);
  for (const [query, part] of [
    ['status[]=pending&status[]=lost', "status[1]: 'lost' is not allowed"],
    ['status[0]=lost', "status: 'lost' is not allowed"],
    ['status=pending&status=picked_up', 'status: Must be given once'],
    ['page[]=1&page[]=2', 'page: Must be a string.'],
    ['status[x]=pending', 'status[x]: Unknown field'],
    ['stauts[]=pending', 'stauts[]: Unknown field'],
    [Array.from({ length: 51 }, () => 'status[]=pending').join('&'), 'more than 50 parameters'],
  ] as const) {
    const answer = await send(service, 'GET', `/shipments?${query}`, { token });
    t.is(answer.status, 400, query);
    t.true(textAt(answer.body, 'detail').includes(part), textAt(answer.body, 'detail'));
  }
});
