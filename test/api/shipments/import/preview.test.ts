import test from 'ava';
import { select } from '../../../../store/connection.ts';
import { makeMerchant, makeOrganization, makePickupPoint, makeUser } from '../../../harness/make.ts';
import type { MadeOrganization } from '../../../harness/make.ts';
import { at, fieldsOf, listAt, send } from '../../../harness/request.ts';
import { useService } from '../../../harness/use-service.ts';
import { GOOD, HEADERS, uploadTo, workbook } from './uploads.ts';

const service = useService({ withWorkers: false });
const upload = uploadTo(service);
const PREVIEW = { query: '?preview=1' };

async function countMade(organization: MadeOrganization): Promise<number> {
  const rows = await select<{ id: string }>(
    service.database,
    `select id from shipments where organization_id = $1 union all select id from imports where organization_id = $1
     union all select id from failed_imports where organization_id = $1`,
    [organization.id],
  );
  return rows.length;
}

async function dispatcher() {
  const organization = await makeOrganization(service);
  return { organization, user: await makeUser(service, organization, 'ROLE_DISPATCHER') };
}

test('200 a preview shows each row as it is understood, and makes nothing', async (t) => {
  const { organization, user } = await dispatcher();
  const merchantId = await makeMerchant(service, organization);
  await makePickupPoint(service, organization, { merchantId });
  const headers = ['Prénom', 'Téléphone', 'Rue', 'Ville', 'Montant', 'priorité', 'humeur', 'n° de commande'];
  const file = await workbook(
    [
      ['Amina', '00213 661 23 45 67', '12 rue Didouche', 'Alger', '1 500,5', 'high', 'gaie', 'A-1'],
      ['', '12', '1 rue', 'Oran', 'abc', 'asap', '', 'A-1'],
    ],
    headers,
  );
  const answer = await upload(user, file, {}, {}, PREVIEW);
  t.is(answer.status, 200);
  t.like(answer.body, { total: 2, created: 0, failed: 1, valid: 1, invalid: 1 });
  t.deepEqual(at(answer.body, 'rows.0'), {
    row: 2,
    values: {
      recipient_first_name: 'Amina',
      recipient_phone: '+213661234567',
      address_street: '12 rue Didouche',
      address_city: 'Alger',
      priority: 'high',
      cod_amount: '1500.50',
      external_reference: 'A-1',
    },
    errors: {},
    warnings: {},
    violations: [],
    warningMessages: [],
  });
  t.like(at(answer.body, 'rows.1'), {
    row: 3,
    // What cannot be understood is shown as it was sent.
    values: { recipient_phone: '12', cod_amount: 'abc', priority: 'asap', address_city: 'Oran' },
    warnings: { external_reference: 'Row 2 has the same reference. Both rows will be created.' },
  });
  t.deepEqual(Object.keys(fieldsOf(at(answer.body, 'rows.1.errors'))).sort(), [
    'cod_amount',
    'priority',
    'recipient_first_name',
    'recipient_phone',
  ]);
  const violations = listAt(answer.body, 'rows.1.violations');
  t.deepEqual(
    violations.map((violation) => [at(violation, 'column'), at(violation, 'messageKey')]),
    [
      ['recipient_first_name', 'cell_missing'],
      ['recipient_phone', 'cell_phone_without_country'],
      ['cod_amount', 'cell_no_amount'],
      ['priority', 'other_choice'],
    ],
  );
  t.deepEqual(at(answer.body, 'results.0.violations'), violations);
  t.like(at(violations[2], 'parameters'), { value: 'abc' });
  t.like(at(answer.body, 'rows.1.warningMessages'), {
    0: { column: 'external_reference', messageKey: 'same_reference', parameters: { row: 2 } },
  });
  t.like(at(answer.body, 'warningMessages'), {
    0: { messageKey: 'unknown_columns', parameters: { columns: '“humeur”' } },
  });
  t.deepEqual(at(answer.body, 'columns.6'), { header: 'humeur' });
  t.deepEqual(at(answer.body, 'columns.0'), { header: 'Prénom', column: 'recipient_first_name' });
  t.deepEqual(at(answer.body, 'warnings'), ['Unknown columns, ignored: “humeur”.']);
  t.is(await countMade(organization), 0);
});

test('200 a preview shows the first 50 rows, counts all and names every row that would fail', async (t) => {
  const { organization, user } = await dispatcher();
  const rows = Array.from({ length: 130 }, (_, index) => (index === 120 ? ['', ...GOOD.slice(1)] : GOOD));
  const { body } = await upload(user, await workbook(rows), {}, {}, PREVIEW);
  t.like(body, { total: 130, valid: 129, invalid: 1 });
  t.is(listAt(body, 'rows').length, 50);
  t.like(at(body, 'results'), { 0: { row: 122, status: 'error' }, length: 1 });
  t.is(await countMade(organization), 0);
});

test('200 a preview names pickup points and merchants as people do; a merchant’s own rows name none', async (t) => {
  const { organization, user } = await dispatcher();
  const merchantId = await makeMerchant(service, organization);
  const named = await send(service, 'GET', `/merchants/${merchantId}`, { token: user.token });
  const headers = [...HEADERS, 'merchant'];
  const file = await workbook([[...GOOD, `/api/v1/merchants/${merchantId}`]], headers);
  const staff = await upload(user, file, {}, {}, PREVIEW);
  t.is(at(staff.body, 'rows.0.values.merchant'), at(named.body, 'name'));
  const shop = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const own = await upload(shop, await workbook([GOOD]), {}, {}, PREVIEW);
  t.like(own.body, { valid: 1, invalid: 0 });
});

test('422, 413 and 400 of a preview are those of the import', async (t) => {
  const { organization, user } = await dispatcher();
  const files = [
    {
      file: Buffer.from('name;phone\nA;B'),
      status: 422,
      said: { messageKey: 'workbook_other_format', parameters: { format: 'CSV / TXT' } },
    },
    {
      file: await workbook([GOOD], GOOD),
      status: 422,
      said: { messageKey: 'workbook_no_header', parameters: { column: 'recipient_phone' } },
    },
    {
      file: Buffer.alloc(5 * 1024 * 1024 + 1, 0x50),
      status: 413,
      said: { messageKey: 'file_too_large', parameters: { megabytes: 5 } },
    },
  ];
  for (const { file, status, said } of files) {
    const [shown, imported] = [await upload(user, file, {}, {}, PREVIEW), await upload(user, file)];
    t.is(shown.status, status);
    t.is(imported.status, status);
    t.is(at(shown.body, 'detail'), at(imported.body, 'detail'));
    t.like(status === 422 ? at(shown.body, 'violations.0') : shown.body, said);
  }
  const unknown = await upload(user, await workbook([GOOD]), {}, {}, { query: '?preview=maybe' });
  t.is(unknown.status, 400);
  t.is(await countMade(organization), 2, 'the two rejected imports have records');
});
