import test from 'ava';
import ExcelJS from 'exceljs';
import { select } from '../../../../store/connection.ts';
import { makeMerchant, makeOrganization, makeUser } from '../../../harness/make.ts';
import type { MadeOrganization, MadeUser } from '../../../harness/make.ts';
import { at, listAt, send, textAt, violationPaths } from '../../../harness/request.ts';
import { useService } from '../../../harness/use-service.ts';
import { GOOD, HEADERS, uploadTo, workbook } from './uploads.ts';

const service = useService({ withWorkers: false });
const upload = uploadTo(service);

async function dispatcher(): Promise<{ organization: MadeOrganization; user: MadeUser }> {
  const organization = await makeOrganization(service);
  return { organization, user: await makeUser(service, organization, 'ROLE_DISPATCHER') };
}

async function countShipments(organization: MadeOrganization): Promise<number> {
  const rows = await select<{ id: string }>(
    service.database,
    'select id from shipments where organization_id = $1',
    [organization.id],
  );
  return rows.length;
}

test('200 the answer warns of sheets that were not read, hidden rows and unknown columns', async (t) => {
  const { user } = await dispatcher();
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Today');
  sheet.addRow([...HEADERS, 'mood']);
  sheet.addRow(GOOD).hidden = true;
  book.addWorksheet('Tomorrow').addRow(HEADERS);
  const answer = await upload(user, Buffer.from(await book.xlsx.writeBuffer()));
  t.is(answer.status, 200);
  t.deepEqual(at(answer.body, 'warnings'), [
    'Only the sheet “Today” was read; “Tomorrow” was ignored.',
    'Hidden rows were read like the others: 2.',
    'Unknown columns, ignored: “mood”.',
  ]);
});

test('200 valid rows are created; invalid ones list all their errors by column', async (t) => {
  const { organization, user } = await dispatcher();
  const file = await workbook([
    GOOD,
    ['', '12', '1 rue', '', 'abc', ''],
    ['Léa', '+33612345679', '2 rue', 'Lyon', '', ''],
  ]);
  const answer = await upload(user, file);
  t.is(answer.status, 200);
  t.is(at(answer.body, 'total'), 3);
  t.is(at(answer.body, 'created'), 2);
  t.is(at(answer.body, 'failed'), 1);
  t.is(at(answer.body, 'results.0.row'), 2);
  t.is(at(answer.body, 'results.0.status'), 'created');
  t.is(at(answer.body, 'results.1.row'), 3);
  t.is(at(answer.body, 'results.1.status'), 'error');
  const message = textAt(answer.body, 'results.1.message');
  for (const column of ['recipient_first_name', 'recipient_phone', 'address_city', 'cod_amount']) {
    t.true(message.includes(column), `${column} in ${message}`);
  }
  t.is(await countShipments(organization), 2);
});

test('200 times are read as people write them, and a cell of blanks is an empty one', async (t) => {
  const { user } = await dispatcher();
  const headers = [...HEADERS, 'scheduled_after', 'recipient_last_name', 'recipient_email'];
  const times = ['2030-03-12T14:00Z', '2030-03-12T15:00+01:00', '2030-03-12T15:00:00+0100'];
  const rows = times.map((time) => [...GOOD, time, '  ', ' ']);
  const answer = await upload(user, await workbook(rows, headers));
  t.is(at(answer.body, 'created'), 3, JSON.stringify(answer.body));
  for (const result of listAt(answer.body, 'results')) {
    const path = `/shipments/${textAt(result, 'id')}`;
    const { body } = await send(service, 'GET', path, { token: user.token });
    t.is(at(body, 'scheduledAfter'), '2030-03-12T14:00:00.000Z');
    t.is(at(body, 'recipient.lastName'), undefined);
  }
});

test('200 a header without a row below it imports nothing, with a warning', async (t) => {
  const { organization, user } = await dispatcher();
  const answer = await upload(user, await workbook([]));
  t.is(answer.status, 200);
  const message = 'The sheet “Shipments” has a header but no shipments below it.';
  t.deepEqual(answer.body, {
    '@context': '/api/v1/contexts/ImportResult',
    '@type': 'ImportResult',
    total: 0,
    created: 0,
    failed: 0,
    results: [],
    warnings: [message],
    warningMessages: [{ message, messageKey: 'sheet_without_rows', parameters: { sheet: 'Shipments' } }],
  });
  t.is(await countShipments(organization), 0);
});

test('422 rows without a header row are rejected as a file, and none is created', async (t) => {
  const { organization, user } = await dispatcher();
  const answer = await upload(user, await workbook([GOOD], GOOD));
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body), ['file']);
  t.is(await countShipments(organization), 0);
});

test('200 a missing required column is an error on every row that names it', async (t) => {
  const { organization, user } = await dispatcher();
  const headers = HEADERS.filter((header) => header !== 'recipient_phone');
  const file = await workbook([['Amina', '1 rue', 'Paris', '', '']], headers);
  const answer = await upload(user, file);
  t.is(answer.status, 200);
  t.is(at(answer.body, 'failed'), 1);
  t.true(textAt(answer.body, 'results.0.message').includes('recipient_phone'));
  t.is(await countShipments(organization), 0);
});

test('200 the failed rows can be downloaded, corrected and sent again', async (t) => {
  const { organization, user } = await dispatcher();
  const answer = await upload(user, await workbook([['Amina', '', '1 rue', 'Paris', '', 'note']]));
  const failed = await send(service, 'GET', textAt(answer.body, 'failedRows'), { token: user.token });
  t.is(failed.status, 200);
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(failed.bytes).buffer);
  const sheet = book.worksheets[0];
  t.true(
    sheet
      ?.getRow(2)
      .getCell(HEADERS.length + 1)
      .text.includes('recipient_phone'),
  );
  const phone = sheet?.getRow(2).getCell(2);
  if (phone !== undefined) phone.value = '+33612345678';
  const mended = await upload(user, Buffer.from(await book.xlsx.writeBuffer()));
  t.is(at(mended.body, 'created'), 1);
  t.is(await countShipments(organization), 1);
});

test('403 failed rows are for their own organization alone', async (t) => {
  const { user } = await dispatcher();
  const answer = await upload(user, await workbook([['Amina', '', '1 rue', 'Paris', '', 'note']]));
  const other = await dispatcher();
  const failed = await send(service, 'GET', textAt(answer.body, 'failedRows'), { token: other.user.token });
  t.is(failed.status, 403);
});

test('200 the same Idempotency-Key gives the first answer and creates nothing new', async (t) => {
  const { organization, user } = await dispatcher();
  const file = await workbook([GOOD, GOOD]);
  const first = await upload(user, file, { 'idempotency-key': 'monday' });
  const second = await upload(user, file, { 'idempotency-key': 'monday' });
  t.deepEqual(second.body, first.body);
  t.is(await countShipments(organization), 2);
  const other = await upload(user, await workbook([GOOD]), { 'idempotency-key': 'monday' });
  t.is(other.status, 422);
  const merchant = await makeMerchant(service, organization);
  const forMerchant = await upload(user, file, { 'idempotency-key': 'monday' }, { merchant });
  t.is(forMerchant.status, 422);
});

test('422 a file that is not a workbook says what to send', async (t) => {
  const { user } = await dispatcher();
  const answer = await upload(user, Buffer.from('name;phone\nA;B'));
  t.is(answer.status, 422);
  t.is(at(answer.body, 'violations.0.propertyPath'), 'file');
});

test('413 a file above 5 MB is rejected', async (t) => {
  const { user } = await dispatcher();
  const answer = await upload(user, Buffer.alloc(5 * 1024 * 1024 + 1, 0x50));
  t.is(answer.status, 413);
});

test('413 a form whose other fields are larger than the file limit', async (t) => {
  const { user } = await dispatcher();
  const form = new FormData();
  for (let field = 0; field < 6; field += 1) form.append(`other${field}`, 'x'.repeat(1_048_576));
  form.append('file', new Blob([Buffer.alloc(10)]), 'a.xlsx');
  const answer = await send(service, 'POST', '/shipments/import', { token: user.token, body: form });
  t.is(answer.status, 413);
});

test('422 a form without the file names the field', async (t) => {
  const { user } = await dispatcher();
  const form = new FormData();
  form.append('other', 'x');
  const answer = await send(service, 'POST', '/shipments/import', { token: user.token, body: form });
  t.is(answer.status, 422);
  t.is(at(answer.body, 'violations.0.propertyPath'), 'file');
});

test('415 the import must not be sent as ld+json', async (t) => {
  const { user } = await dispatcher();
  const answer = await send(service, 'POST', '/shipments/import', { token: user.token, body: { file: 'x' } });
  t.is(answer.status, 415);
});

test('200 the template can be sent as it is', async (t) => {
  const { user } = await dispatcher();
  const template = await send(service, 'GET', '/shipments/import/template', { token: user.token });
  t.is(template.status, 200);
  const answer = await upload(user, template.bytes);
  t.is(at(answer.body, 'created'), 1);
});

test('200 what is exported can be imported: XLSX, narrowed by the list’s filters', async (t) => {
  const { organization, user } = await dispatcher();
  await upload(user, await workbook([GOOD, ['=SUM(1)', '+33612345679', '2 rue', 'Lyon', '', '-1']]));
  const exported = await send(service, 'GET', '/shipments/export?status=pending', { token: user.token });
  t.is(exported.status, 200);
  const again = await upload(user, exported.bytes);
  t.is(at(again.body, 'created'), 2);
  t.is(await countShipments(organization), 4);
  const none = await send(service, 'GET', '/shipments/export?status=delivered', {
    token: user.token,
    headers: { accept: 'text/csv' },
  });
  t.is(none.status, 200);
  t.is(none.bytes.toString('utf8').trim().split('\r\n').length, 1);
});

test('200 in CSV text cannot become a formula', async (t) => {
  const { user } = await dispatcher();
  await upload(user, await workbook([['=SUM(1)', '+33612345679', '2 rue', 'Lyon', '', '']]));
  const csv = await send(service, 'GET', '/shipments/export', {
    token: user.token,
    headers: { accept: 'text/csv' },
  });
  t.true(csv.bytes.toString('utf8').includes("'=SUM(1)"));
});

test('400 the export knows no pages', async (t) => {
  const { user } = await dispatcher();
  const answer = await send(service, 'GET', '/shipments/export?page=2', { token: user.token });
  t.is(answer.status, 400);
});

test('200 an export walks all rows once, in the list’s order', async (t) => {
  const { user } = await dispatcher();
  const rows = Array.from({ length: 1_201 }, (_, index) => [
    `N${index}`,
    '+33612345678',
    '1 rue',
    'Paris',
    '',
    '',
  ]);
  const imported = await upload(user, await workbook(rows));
  t.is(at(imported.body, 'created'), 1_201);
  const csv = await send(service, 'GET', '/shipments/export?order[createdAt]=asc', {
    token: user.token,
    headers: { accept: 'text/csv' },
  });
  const names = csv.bytes
    .toString('utf8')
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0]);
  t.is(new Set(names).size, 1_201);
  t.is(names.length, 1_201);
});
