import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import test from 'ava';
import { execute, select } from '../../../store/connection.ts';
import { makeDriver, makeMerchant, makeTeam, makeTeamWithDriver } from '../../harness/make.ts';
import { makeShipment, move } from '../../harness/moves.ts';
import { at, listAt, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();
const board = (token: string, query = '') => send(service, 'GET', `/board${query}`, { token });
const tasksOf = (body: unknown) => listAt(body, 'tasks').map((task) => textAt(task, '@id'));

test('200 a board has the task with what its card shows, and the transitions of the caller', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const shipment = await makeShipment(service, token, { fields: { codAmount: '49.90' } });
  await move(service, token, shipment.delivery, 'assign', { driver: `/api/v1/drivers/${driver}` });
  const { body } = await board(token);
  const task = (await send(service, 'GET', shipment.delivery, { token })).body;
  const shown = listAt(body, 'tasks').find((row) => textAt(row, '@id') === shipment.delivery);
  for (const name of [
    'type',
    'status',
    'shipment',
    'shipmentStatus',
    'trackingNumber',
    'driver',
    'attempts',
    'allowedTransitions',
  ]) {
    t.deepEqual(at(shown, name), at(task, name), name);
  }
  t.is(textAt(shown, 'recipientName'), 'Amina Haddad');
  t.is(textAt(shown, 'street'), '1 rue de Rivoli');
  t.is(textAt(shown, 'cashToCollect'), textAt(task, 'totalCodToCollect'));
  t.deepEqual(
    listAt(body, 'drivers').map((row) => textAt(row, '@id')),
    [`/api/v1/drivers/${driver}`],
  );
  t.is(at(body, 'isPartial'), false);
  t.is(textAt(body, 'timezone'), 'UTC');
});

test('200 filters by driver, merchant and zone; an unknown one has no tasks', async (t) => {
  const { organization, token } = await makeTeam(service);
  const [merchant, driver] = [
    await makeMerchant(service, organization),
    await makeDriver(service, organization),
  ];
  const inZone = await makeShipment(service, token, {
    fields: {
      recipient: {
        firstName: 'A',
        phoneNumber: '+33612345678',
        address: { street: 'x', city: 'y', latitude: 48.85, longitude: 2.35 },
      },
    },
  });
  const ofMerchant = await makeShipment(service, token, {
    fields: { merchant: `/api/v1/merchants/${merchant}` },
  });
  const ofDriver = await makeShipment(service, token);
  await move(service, token, ofDriver.delivery, 'assign', { driver: `/api/v1/drivers/${driver}` });
  const zone = await send(service, 'POST', '/zones', {
    token,
    body: {
      name: 'Paris',
      baseFee: '1.00',
      polygon: {
        type: 'Polygon',
        coordinates: [
          [
            [2, 48],
            [3, 48],
            [3, 49],
            [2, 49],
            [2, 48],
          ],
        ],
      },
    },
  });
  t.deepEqual(tasksOf((await board(token, `?driver=${driver}`)).body), [ofDriver.delivery]);
  t.deepEqual(tasksOf((await board(token, `?merchant=${merchant}`)).body), [ofMerchant.delivery]);
  t.deepEqual(tasksOf((await board(token, `?zone=${textAt(zone.body, 'id')}`)).body), [inZone.delivery]);
  t.deepEqual(tasksOf((await board(token, `?zone=${driver}`)).body), []);
  t.is((await board(token, '?date=yesterday')).status, 400);
});

test('304 while nothing that the board shows has changed; 200 after a change', async (t) => {
  const { token } = await makeTeam(service);
  const shipment = await makeShipment(service, token);
  const first = await board(token);
  const etag = first.headers.get('etag') ?? '';
  t.true(etag.startsWith('W/"'));
  const again = await send(service, 'GET', '/board', { token, headers: { 'if-none-match': etag } });
  t.is(again.status, 304);
  await send(service, 'PATCH', shipment.delivery, { token, body: { notes: 'changed' } });
  t.is((await send(service, 'GET', '/board', { token, headers: { 'if-none-match': etag } })).status, 200);
});

test('200 the answer is compressed as Accept-Encoding says', async (t) => {
  const { token } = await makeTeam(service);
  await makeShipment(service, token);
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const encoding of ['br', 'gzip'] as const) {
    const answer = await fetchRaw(token, encoding);
    t.is(answer.headers.get('content-encoding'), encoding);
    t.regex(answer.headers.get('vary') ?? '', /Accept-Encoding/);
    const body: unknown = JSON.parse(unpack[encoding](answer.bytes).toString());
    t.is(tasksOf(body).length, 1);
  }
});

/** `fetch` unpacks, so that the bytes have to be read otherwise. */
async function fetchRaw(token: string, encoding: string) {
  const { request } = await import('undici');
  const { body, headers } = await request(`${service.baseUrl}/api/v1/board`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': encoding },
  });
  const values = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { headers: new Headers(values), bytes: Buffer.from(await body.arrayBuffer()) };
}

/** Tasks by what is written over them, and on which boards they are: yesterday's, today's, tomorrow's. */
const DAYS = [
  { set: '', days: 'today' },
  { set: `after = d, before = d + interval '2 hours'`, days: 'today' },
  { set: `after = d + interval '1 day', before = d + interval '26 hours'`, days: 'tomorrow' },
  { set: `after = d - interval '1 day', before = d - interval '23 hours'`, days: 'yesterday today' },
  { set: `before = d + interval '26 hours'`, days: 'today tomorrow' },
  { set: `status = 'delivered', completed_at = d + interval '1 minute'`, days: 'today' },
  { set: `status = 'cancelled', completed_at = d - interval '1 minute'`, days: 'yesterday' },
  { set: `status = 'delivered', completed_at = d - interval '3 days', after = d, before = d`, days: '' },
  {
    set: `status = 'failed', after = d - interval '1 day', before = d - interval '1 day'`,
    days: 'yesterday today',
  },
  {
    set: `status = 'delivered', completed_at = d - interval '3 days', delivery_run_id = (select id from delivery_runs r
      where r.organization_id = tasks.organization_id and run_date = $2::text::date + 1)`,
    days: 'tomorrow',
  },
];

test('200 each day has the tasks of its rule, in the time zone of the organization', async (t) => {
  const { organization, token } = await makeTeam(service);
  await execute(service.database, `update organizations set timezone = 'Asia/Tokyo' where id = $1`, [
    organization.id,
  ]);
  const today = textAt((await board(token)).body, 'date');
  const dateAt = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  const names = { yesterday: dateAt(-1), today, tomorrow: dateAt(1) };
  await send(service, 'POST', '/delivery-runs', { token, body: { date: names.tomorrow } });
  const tasks = [];
  for (const { set } of DAYS) {
    const { delivery } = await makeShipment(service, token);
    tasks.push(delivery);
    if (set === '') continue;
    await execute(
      service.database,
      `update tasks set ${set.replace(/\bd\b/g, `($2::text::timestamp at time zone 'Asia/Tokyo')`)} where id = $1`,
      [delivery.slice(-36), today],
    );
  }
  for (const [name, date] of Object.entries(names)) {
    const expected = tasks.filter((_task, index) => DAYS[index]?.days.split(' ').includes(name));
    t.deepEqual(tasksOf((await board(token, `?date=${date}`)).body).sort(), [...expected].sort(), name);
  }
});

/** Ended and open tasks, with and without windows, those of one half of the shipments in a run; more than are read at a time. */
const MANY_SQL = `with reserved as (insert into tracking_numbers (tracking_number)
   select 'M' || upper(left(md5($1::text), 8)) || '-20260101-' || lpad(n::text, 6, '0') from generate_series(1, 700) n returning tracking_number as number),
 made as (insert into shipments (id, organization_id, tracking_number, source, status, priority, package_size,
   currency, cod_amount_cents, delivery_fee_cents, total_cod_to_collect_cents, fee_breakdown, fee_payer, recipient,
   workflow_started_at)
   select gen_random_uuid(), $1::uuid, number, 'import', 'pending', 'normal', 'medium', 'EUR', 0, 0, 0, '[]', 'recipient', '{}',
     clock_timestamp() from reserved returning id, organization_id, right(tracking_number, 4)::int as n)
 insert into tasks (id, organization_id, shipment_id, ordinal, type, status, address, before, completed_at, delivery_run_id, position)
 select gen_random_uuid(), organization_id, id, ordinal, case ordinal when 0 then 'pickup' else 'delivery' end,
   case when n % 7 = 0 then 'cancelled' else 'pending' end, '{}', case when n % 3 > 0 then now() + make_interval(secs => n * 37 % 600) end,
   case when n % 7 = 0 then now() end,
   case when n % 2 = 0 then (select id from delivery_runs r where r.organization_id = $1::uuid) end,
   case when n % 2 = 0 then (n * 7919 + ordinal * 31) % 2003 end
 from made cross join generate_series(0, 1) ordinal`;

test('200 a large day has each task once, in the order of the lanes, and one tag while nothing changes', async (t) => {
  const { organization, token } = await makeTeam(service);
  await send(service, 'POST', '/delivery-runs', {
    token,
    body: { date: textAt((await board(token)).body, 'date') },
  });
  await execute(service.database, MANY_SQL, [organization.id]);
  const expected = await select<{ id: string }>(
    service.database,
    `select '/api/v1/tasks/' || t.id as id from tasks t where t.organization_id = $1 order by t.delivery_run_id nulls last, t.position,
       min(t.before) over (partition by t.shipment_id), t.shipment_id, t.ordinal`,
    [organization.id],
  );
  t.is(expected.length, 1_400);
  const first = await board(token);
  t.deepEqual(
    tasksOf(first.body),
    expected.map(({ id }) => id),
  );
  const etag = first.headers.get('etag') ?? '';
  const again = () => send(service, 'GET', '/board', { token, headers: { 'if-none-match': etag } });
  t.is((await again()).status, 304);
  await execute(service.database, 'update tasks set attempts = 2 where id = $1', [
    expected.at(-1)?.id.slice(-36),
  ]);
  t.is((await again()).status, 200);
});

test('200 a failed task whose shipment has an open return on another day cannot be reactivated', async (t) => {
  const { token, driver } = await makeTeamWithDriver(service);
  const { delivery } = await makeShipment(service, token);
  await move(service, token, delivery, 'assign', { driver: `/api/v1/drivers/${driver}` });
  await move(service, token, delivery, 'start_delivery');
  await move(service, token, delivery, 'fail', { reason: 'recipient_absent' });
  const allowed = async () => {
    const shown = listAt((await board(token)).body, 'tasks').find((row) => textAt(row, '@id') === delivery);
    return listAt(shown, 'allowedTransitions');
  };
  t.true((await allowed()).includes('reactivate'));
  await execute(
    service.database,
    `insert into tasks (id, organization_id, shipment_id, ordinal, type, status, address, after)
     select gen_random_uuid(), organization_id, shipment_id, 9, 'return', 'pending', address, now() + interval '9 days'
     from tasks where id = $1`,
    [delivery.slice(-36)],
  );
  t.is(tasksOf((await board(token)).body).length, 1);
  t.false((await allowed()).includes('reactivate'));
});
