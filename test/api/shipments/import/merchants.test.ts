import test from 'ava';
import type { MerchantId } from '../../../../domain/ids.ts';
import { execute } from '../../../../store/connection.ts';
import { makeMerchant, makeOrganization, makePickupPoint, makeUser } from '../../../harness/make.ts';
import type { MadeUser } from '../../../harness/make.ts';
import { at, listAt, send, textAt, violationPaths } from '../../../harness/request.ts';
import type { HttpAnswer } from '../../../harness/request.ts';
import { useService } from '../../../harness/use-service.ts';
import { GOOD, HEADERS, uploadTo, workbook } from './uploads.ts';

/** Whose the imported shipments are (decision 0023). */

const service = useService({ withWorkers: false });
const upload = uploadTo(service);

/** What the rows of an import came to: the merchant, point and status of each shipment, or the row's message. */
async function outcomes(user: MadeUser, answer: HttpAnswer): Promise<(readonly unknown[] | string)[]> {
  const rows = [];
  for (const result of listAt(answer.body, 'results')) {
    if (at(result, 'status') === 'error') {
      rows.push(textAt(result, 'message'));
      continue;
    }
    const { token } = user;
    const { body } = await send(service, 'GET', `/shipments/${textAt(result, 'id')}`, { token });
    rows.push(['merchant', 'pickupPoint', 'status'].map((name) => at(body, name)));
  }
  return rows;
}

test('200 a merchant’s rows are its own and await approval; other merchants’ points are unknown', async (t) => {
  const organization = await makeOrganization(service);
  const merchantId: MerchantId = await makeMerchant(service, organization);
  const other = await makeMerchant(service, organization);
  const user = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const own = await makePickupPoint(service, organization, { merchantId });
  const shared = await makePickupPoint(service, organization);
  const foreign = await makePickupPoint(service, organization, { merchantId: other });
  // Of two points of one name a merchant means its own.
  await execute(service.database, `update pickup_points set name = 'Depot' where id = any($1::uuid[])`, [
    [own, shared],
  ]);
  const answer = await upload(
    user,
    await workbook(
      [
        [...GOOD, 'depot', ''],
        [...GOOD, shared, `Merchant ${other}`],
        [...GOOD, '', `/api/v1/merchants/${other}`],
        [...GOOD, foreign, ''],
      ],
      [...HEADERS, 'pickup_point', 'merchant'],
    ),
    {},
    { merchant: other },
  );
  const merchant = `/api/v1/merchants/${merchantId}`;
  t.deepEqual(await outcomes(user, answer), [
    [merchant, `/api/v1/pickup-points/${own}`, 'pending_approval'],
    [merchant, `/api/v1/pickup-points/${shared}`, 'pending_approval'],
    [merchant, undefined, 'pending_approval'],
    'pickup_point: There is no such pickup point in your organization.',
  ]);
});

test('200 a dispatcher imports for merchants: by column, by the form’s field, by the pickup point', async (t) => {
  const organization = await makeOrganization(service);
  const user = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const [named, ofForm, ofPoint] = [
    await makeMerchant(service, organization),
    await makeMerchant(service, organization),
    await makeMerchant(service, organization),
  ];
  const foreign = await makeMerchant(service, await makeOrganization(service));
  const point = await makePickupPoint(service, organization, { merchantId: ofPoint });
  const file = await workbook(
    [
      [...GOOD, `MERCHANT ${named}`, ''],
      [...GOOD, named, point],
      [...GOOD, `/api/v1/merchants/${named}`, ''],
      [...GOOD, '', point],
      [...GOOD, 'Nobody', ''],
      [...GOOD, foreign, ''],
    ],
    [...HEADERS, 'merchant', 'pickup_point'],
  );
  const pickupPoint = `/api/v1/pickup-points/${point}`;
  const [first, second, third] = [named, ofPoint, ofForm].map((id) => `/api/v1/merchants/${id}`);
  const unknown = [
    'merchant: “Nobody” names no merchant, or more than one. Write the name of one of your merchants, or its id.',
    'merchant: There is no such merchant in your organization.',
  ];
  const byColumn = [
    [first, undefined, 'pending'],
    [first, pickupPoint, 'pending'],
    [first, undefined, 'pending'],
  ];
  t.deepEqual(await outcomes(user, await upload(user, file)), [
    ...byColumn,
    [second, pickupPoint, 'pending'],
    ...unknown,
  ]);
  for (const merchant of [ofForm, third ?? '']) {
    t.deepEqual(await outcomes(user, await upload(user, file, {}, { merchant })), [
      ...byColumn,
      [third, pickupPoint, 'pending'],
      ...unknown,
    ]);
  }
});

test('200 an export names the merchant so that its import finds it, whoever has the same name', async (t) => {
  const organization = await makeOrganization(service);
  const user = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const [first, second] = [
    await makeMerchant(service, organization),
    await makeMerchant(service, organization),
  ];
  await execute(service.database, `update merchants set name = 'Épicerie' where id = any($1::uuid[])`, [
    [first, second],
  ]);
  const merchants = [first, second].map((id) => `/api/v1/merchants/${id}`);
  const file = await workbook(
    merchants.map((merchant) => [...GOOD, merchant]),
    [...HEADERS, 'merchant'],
  );
  t.is(at((await upload(user, file)).body, 'created'), 2);
  const exported = await fetch(`${service.baseUrl}/api/v1/shipments/export?order[id]=asc`, {
    headers: { authorization: `Bearer ${user.token}` },
  });
  const again = await upload(user, Buffer.from(await exported.arrayBuffer()));
  const imported = await outcomes(user, again);
  t.deepEqual(imported.map(([merchant]) => String(merchant)).sort(), [...merchants].sort());
});

test('200 a merchant is found by its name in either composition of its accents', async (t) => {
  const organization = await makeOrganization(service);
  const user = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const merchant = await makeMerchant(service, organization);
  await execute(service.database, `update merchants set name = 'Épicerie' where id = $1`, [merchant]);
  const file = await workbook([[...GOOD, 'e\u0301picerie']], [...HEADERS, 'merchant']);
  t.is(at((await upload(user, file)).body, 'created'), 1);
});

test('422 a form names no merchant of another organization; an empty field names none', async (t) => {
  const organization = await makeOrganization(service);
  const user = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const foreign = await makeMerchant(service, await makeOrganization(service));
  const file = await workbook([GOOD]);
  for (const merchant of [foreign, 'x']) {
    const answer = await upload(user, file, {}, { merchant });
    t.deepEqual([answer.status, violationPaths(answer.body)], [422, ['merchant']]);
  }
  const { body } = await send(service, 'GET', '/shipments', { token: user.token });
  t.is(at(body, 'totalItems'), 0);
  t.deepEqual(await outcomes(user, await upload(user, file, {}, { merchant: '', other: 'x' })), [
    [undefined, undefined, 'pending'],
  ]);
});
