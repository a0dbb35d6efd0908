import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { makeTeam } from '../../harness/make.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, fieldsOf, listAt, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

async function makeMany(token: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await makeShipment(service, token)).id);
  return ids;
}

async function list(token: string, query = ''): Promise<unknown> {
  return expectStatus(await send(service, 'GET', `/shipments${query}`, { token }), 200).body;
}

function idsOf(body: unknown): string[] {
  return listAt(body, 'member').map((member) => textAt(member, 'id'));
}

/** Walks from a page along `next`, as a client does that knows only `view`. */
async function walk(token: string, first: string, atEachPage = () => Promise.resolve()): Promise<string[][]> {
  const pages: string[][] = [];
  for (let path: unknown = first; typeof path === 'string';) {
    const body = expectStatus(await send(service, 'GET', path, { token }), 200).body;
    pages.push(idsOf(body));
    path = at(body, 'view.next');
    await atEachPage();
  }
  return pages;
}

test('200 an empty list is a collection with a view of one page', async (t) => {
  const { token } = await makeTeam(service);
  const { search, ...body } = fieldsOf(await list(token));
  t.is(at(search, '@type'), 'IriTemplate');
  t.deepEqual(body, {
    '@context': '/api/v1/contexts/Shipment',
    '@id': '/api/v1/shipments',
    '@type': 'Collection',
    totalItems: 0,
    member: [],
    view: {
      '@id': '/api/v1/shipments?page=1',
      '@type': 'PartialCollectionView',
      first: '/api/v1/shipments?page=1',
      last: '/api/v1/shipments?page=1',
    },
  });
});

test('200 a member has what the contract names and no more than a line needs', async (t) => {
  const { token } = await makeTeam(service);
  const { id, trackingNumber, iri } = await makeShipment(service, token, {
    fields: { externalReference: 'R-1' },
  });
  const body = await list(token);
  const member = fieldsOf(at(body, 'member.0'));
  t.is(member['@id'], iri);
  t.is(member['@type'], 'Shipment');
  t.is(member['id'], id);
  t.is(member['trackingNumber'], trackingNumber);
  t.is(member['status'], 'pending');
  t.is(member['externalReference'], 'R-1');
  t.deepEqual(member['recipient'], {
    firstName: 'Amina',
    lastName: 'Haddad',
    phoneNumber: '+33612345678',
    address: { street: '1 rue de Rivoli', city: 'Paris' },
  });
  t.is(textAt(member, 'currency'), 'EUR');
  t.regex(textAt(member, 'totalCodToCollect'), /^\d+\.\d{2}$/);
  t.is(member['@context'], undefined);
});

test('200 walking next from the first page finds every member once; the sum is totalItems', async (t) => {
  const { token } = await makeTeam(service);
  const made = await makeMany(token, 7);
  for (const query of ['?itemsPerPage=3', '?itemsPerPage=1', '?itemsPerPage=7', '?itemsPerPage=100', '']) {
    const first = await list(token, query);
    const pages = await walk(token, `/shipments${query}`);
    t.is(at(first, 'totalItems'), 7);
    t.deepEqual(pages.flat(), [...made].reverse());
    t.is(pages.length, Math.ceil(7 / Number(/\d+/.exec(query)?.[0] ?? 30)));
  }
});

test('200 the view of a middle page names first, previous, next and last with all filters kept', async (t) => {
  const { token } = await makeTeam(service);
  await makeMany(token, 5);
  const body = await list(
    token,
    '?page=2&status=pending&itemsPerPage=2&order[createdAt]=asc&search=Amina%20Haddad',
  );
  const link = (page: number) =>
    `/api/v1/shipments?status=pending&itemsPerPage=2&order%5BcreatedAt%5D=asc&search=Amina%20Haddad&page=${page}`;
  t.deepEqual(at(body, 'view'), {
    '@id': link(2),
    '@type': 'PartialCollectionView',
    first: link(1),
    last: link(3),
    previous: link(1),
    next: link(3),
  });
  t.is(at(body, '@id'), '/api/v1/shipments');
});

test('200 a page past the end is empty, with the true total and a link back', async (t) => {
  const { token } = await makeTeam(service);
  await makeMany(token, 2);
  const body = await list(token, '?page=9&itemsPerPage=1');
  t.deepEqual(at(body, 'member'), []);
  t.is(at(body, 'totalItems'), 2);
  t.is(at(body, 'view.previous'), '/api/v1/shipments?itemsPerPage=1&page=2');
  t.is(at(body, 'view.next'), undefined);
});

test('200 a walk in the order of creation is not disturbed by rows that are added meanwhile', async (t) => {
  const { token } = await makeTeam(service);
  const made = await makeMany(token, 4);
  let added = 0;
  const pages = await walk(token, '/shipments?itemsPerPage=2&order[createdAt]=asc', async () => {
    if (added < 2) made.push((await makeShipment(service, token)).id);
    added += 1;
  });
  t.deepEqual(pages.flat(), made);
});

test('200 rows of one moment are in a fixed order, so that no page repeats or leaves out one', async (t) => {
  const { token, organization } = await makeTeam(service);
  const made = await makeMany(token, 6);
  await execute(
    service.database,
    `update shipments set created_at = '2026-03-01' where organization_id = $1`,
    [organization.id],
  );
  for (const direction of ['asc', 'desc']) {
    const pages = await walk(token, `/shipments?itemsPerPage=1&order[createdAt]=${direction}`);
    t.deepEqual(pages.flat().sort(), [...made].sort());
  }
});

test('200 order[updatedAt] puts the one that was changed last at the end that was asked for', async (t) => {
  const { token } = await makeTeam(service);
  const [first = ''] = await makeMany(token, 3);
  expectStatus(await send(service, 'PATCH', `/shipments/${first}`, { token, body: { notes: 'x' } }), 200);
  t.is(idsOf(await list(token, '?order[updatedAt]=desc'))[0], first);
  t.is(idsOf(await list(token, '?order[updatedAt]=asc'))[2], first);
});

const BAD_QUERIES = [
  'page=0',
  'page=-1',
  'page=1.5',
  'page=abc',
  'page=',
  'page=1000001',
  'page=99999999999999999999',
  'page=1&page=2',
  'itemsPerPage=0',
  'itemsPerPage=101',
  'itemsPerPage=-5',
  'itemsPerPage=1e1',
  'status=lost',
  'status=',
  'status[x]=pending',
  'status=pending&status=picked_up',
  'priority=asap',
  'merchant=7',
  `merchant=${randomUUID()}`,
  `merchant=/api/v1/pickup-points/${randomUUID()}`,
  `pickupPoint=/api/v1/merchants/${randomUUID()}`,
  'trackingNumber=x',
  'createdAt[after]=yesterday',
  'createdAt[before]=2026-02-30T00:00:00Z',
  'createdAt[after]=2026-03-01',
  'createdAt=2026-03-01T00:00:00Z',
  'order[createdAt]=up',
  'order[status]=asc',
  'order=asc',
  'search=',
  `search=${'x'.repeat(101)}`,
  'search=%00',
  'stauts=pending',
  'Status=pending',
  'toString=x',
  'constructor=x',
];
for (const query of BAD_QUERIES) {
  test(`400 ?${query.replaceAll(/[0-9a-f-]{36}/g, '<id>').slice(0, 60)} is rejected by name`, async (t) => {
    const { token } = await makeTeam(service);
    const answer = await send(service, 'GET', `/shipments?${query}`, { token });
    t.is(answer.status, 400);
    const name = decodeURIComponent(query.split('=')[0] ?? '');
    t.true(textAt(answer.body, 'detail').includes(`${name}: `), textAt(answer.body, 'detail'));
  });
}

test('400 lists all invalid parameters, with the allowed words', async (t) => {
  const { token } = await makeTeam(service);
  const answer = await send(service, 'GET', '/shipments?page=0&status=lost&foo=1', { token });
  t.is(answer.status, 400);
  for (const part of ['page:', 'status:', 'in_transit', 'foo:']) {
    t.true(textAt(answer.body, 'detail').includes(part), part);
  }
});

test('200 itemsPerPage accepts 1 to 100, and 30 is the default', async (t) => {
  const { token } = await makeTeam(service);
  await makeMany(token, 31);
  t.is(idsOf(await list(token, '?itemsPerPage=1')).length, 1);
  t.is(idsOf(await list(token, '?itemsPerPage=100')).length, 31);
  t.is(idsOf(await list(token)).length, 30);
});
