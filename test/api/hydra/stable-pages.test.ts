import { randomUUID } from 'node:crypto';
import test from 'ava';
import { toId } from '../../../domain/ids.ts';
import { execute } from '../../../store/connection.ts';
import type { MadeOrganization } from '../../harness/make.ts';
import { makeDriver, makeTeam } from '../../harness/make.ts';
import { expectStatus, makeShipment } from '../../harness/moves.ts';
import { at, listAt, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

interface Cast {
  readonly organization: MadeOrganization;
  readonly token: string;
}

/** Collections, newest first, with what adds a row to each. */
const COLLECTIONS: readonly {
  readonly path: string;
  readonly add: (cast: Cast) => Promise<unknown>;
}[] = [
  { path: '/shipments', add: ({ token }) => makeShipment(service, token) },
  { path: '/shipments?status=pending', add: ({ token }) => makeShipment(service, token) },
  { path: '/shipments?search=Haddad', add: ({ token }) => makeShipment(service, token) },
  { path: '/tasks', add: ({ token }) => makeShipment(service, token) },
  { path: '/drivers', add: ({ organization }) => makeDriver(service, organization) },
  {
    path: '/merchants',
    add: ({ token }) =>
      send(service, 'POST', '/merchants', { token, body: { name: `Boutique ${randomUUID()}` } }),
  },
  { path: '/webhook-deliveries', add: addWebhookEvent },
];

for (const { path, add } of COLLECTIONS) {
  test(`200 ${path}: pages show each row once while rows are added`, async (t) => {
    const cast = await newCast();
    for (let made = 0; made < 5; made += 1) await add(cast);
    const before = await walk(cast.token, path);
    t.is(before.ids.length, before.totalItems);

    const during = await walk(cast.token, path, () => add(cast));
    t.deepEqual(during.ids, before.ids);
    t.is(during.totalItems, before.totalItems);

    const after = await walk(cast.token, path);
    t.true(after.ids.length > before.ids.length);
    t.is(after.ids.length, after.totalItems);
    t.deepEqual(after.ids.slice(-before.ids.length), before.ids);
  });
}

test('200 a driver’s positions stay on their pages while newer ones come in', async (t) => {
  const cast = await newCast();
  const driver = await makeDriver(service, cast.organization);
  let minute = 10;
  const report = async (): Promise<void> => {
    minute += 1;
    const body = { latitude: 34, longitude: -6.8, recordedAt: `2026-03-01T08:${minute}:00Z` };
    const path = `/drivers/${driver}/location`;
    expectStatus(await send(service, 'POST', path, { token: cast.token, body }), 200);
  };
  for (let made = 0; made < 5; made += 1) await report();
  const path = `/drivers/${driver}/positions`;
  const before = await walk(cast.token, path);
  t.is(before.ids.length, 5);
  t.deepEqual(await walk(cast.token, path, report), before);
  t.is((await walk(cast.token, path)).ids.length, 8);
});

test('200 the links of the other pages contain asOf, `first` and its own link do not', async (t) => {
  const cast = await newCast();
  for (let made = 0; made < 3; made += 1) await makeShipment(service, cast.token);
  const page = await read(cast.token, '/shipments?itemsPerPage=1');
  t.is(at(page, 'view.@id'), '/api/v1/shipments?itemsPerPage=1&page=1');
  t.is(at(page, 'view.first'), '/api/v1/shipments?itemsPerPage=1&page=1');
  const moment = encodeURIComponent(textAt(page, 'member.0.createdAt'));
  t.is(at(page, 'view.next'), `/api/v1/shipments?itemsPerPage=1&asOf=${moment}&page=2`);
  t.is(at(page, 'view.last'), `/api/v1/shipments?itemsPerPage=1&asOf=${moment}&page=3`);
  const second = await read(cast.token, textAt(page, 'view.next'));
  t.is(at(second, 'view.@id'), textAt(page, 'view.next'));
  t.is(at(second, 'view.first'), '/api/v1/shipments?itemsPerPage=1&page=1');
  t.is(at(second, 'view.previous'), `/api/v1/shipments?itemsPerPage=1&asOf=${moment}&page=1`);
});

test('200 asOf leaves out what came later, in the total too, whatever the order', async (t) => {
  const cast = await newCast();
  const old = (await makeShipment(service, cast.token)).id;
  const late = (await makeShipment(service, cast.token)).id;
  await execute(service.database, `update shipments set created_at = '2026-03-01' where id = $1`, [old]);
  for (const query of ['', '&order[createdAt]=asc', '&order[updatedAt]=desc', '&status=pending', '&page=9']) {
    const page = await read(cast.token, `/shipments?asOf=2026-03-02T00:00:00Z${query}`);
    t.is(at(page, 'totalItems'), 1, query);
    t.false(JSON.stringify(page).includes(late), query);
  }
  t.is(at(await read(cast.token, '/shipments?asOf=2026-02-28T00:00:00Z'), 'totalItems'), 0);
});

test('400 an asOf that is not a date and time is rejected by name', async (t) => {
  const { token } = await newCast();
  const answer = await send(service, 'GET', '/shipments?asOf=yesterday', { token });
  t.is(answer.status, 400);
  t.regex(textAt(answer.body, 'detail'), /asOf/);
});

async function newCast(): Promise<Cast> {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  return { organization, token };
}

async function read(token: string, path: string): Promise<unknown> {
  return expectStatus(await send(service, 'GET', path, { token }), 200).body;
}

/** Walks in pages of two along `next`; what is done after each page but the last must not be seen. */
async function walk(
  token: string,
  path: string,
  afterEachPage: () => Promise<unknown> = () => Promise.resolve(),
): Promise<{ readonly ids: readonly string[]; readonly totalItems: number }> {
  const ids: string[] = [];
  let totalItems = Number.NaN;
  let next: unknown = `${path}${path.includes('?') ? '&' : '?'}itemsPerPage=2`;
  while (typeof next === 'string') {
    const page = await read(token, next);
    ids.push(...listAt(page, 'member').map((member) => JSON.stringify(at(member, '@id') ?? member)));
    totalItems = Number(at(page, 'totalItems'));
    next = at(page, 'view.next');
    await afterEachPage();
  }
  return { ids, totalItems };
}

async function addWebhookEvent({ organization }: Cast): Promise<void> {
  await execute(
    service.database,
    `insert into webhook_events (id, organization_id, kind, shipment_id, sequence, body, task_status, event_updated_at, status)
     values ($1, $2, 'shipment.status_changed', null, 1, convert_to('{}', 'UTF8'), 'assigned', '2026-03-01T08:00:00.000000+00:00', 'delivered')`,
    [toId<'webhook_event'>(randomUUID()), organization.id],
  );
}
