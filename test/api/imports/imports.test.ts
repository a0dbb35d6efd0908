import test from 'ava';
import { createWorkbookReader } from '../../../api/shipments/import/workbook.ts';
import type { WorkbookReader } from '../../../api/shipments/import/workbook.ts';
import { execute, select } from '../../../store/connection.ts';
import { deleteExpired } from '../../../store/expiry.ts';
import { failAbandonedImportsAcrossTenants } from '../../../store/shipments/import-records.ts';
import { makeMerchant, makeTeam, makeUser } from '../../harness/make.ts';
import type { MadeUser } from '../../harness/make.ts';
import { at, listAt, send, textAt } from '../../harness/request.ts';
import { until } from '../../harness/until.ts';
import { useService } from '../../harness/use-service.ts';
import { GOOD, uploadTo, workbook } from '../shipments/import/uploads.ts';

/** Organizations whose files stop after their first 500 rows until they are let go. */
const held = new Map<string, Promise<void>>();
const reader = createWorkbookReader();
const workbooks: WorkbookReader = {
  ...reader,
  read: (file, context, organizationId) => {
    const { parts, end } = reader.read(file, context, organizationId);
    return { parts: stopping(parts, organizationId), end };
  },
};

async function* stopping<Part extends { readonly checkedRows: number }>(
  parts: AsyncIterable<Part>,
  organizationId: string,
) {
  for await (const part of parts) {
    if (part.checkedRows > 500) await held.get(organizationId);
    yield part;
  }
}

const service = useService({ withWorkers: false, overrides: { workbooks } });
const upload = uploadTo(service);
test.after.always(() => reader.close());

/** Holds the files of an organization; the function lets them go. */
function hold(organizationId: string): () => void {
  let release = (): void => undefined;
  held.set(organizationId, new Promise((resolve) => (release = resolve)));
  return release;
}

async function newest({ token }: Pick<MadeUser, 'token'>): Promise<unknown> {
  const { body } = await send(service, 'GET', '/imports', { token });
  return listAt(body, 'member')[0];
}

test('200 an import is a record with its file, its counts and the messages of its failed rows', async (t) => {
  const { user } = await makeTeam(service);
  const file = await workbook([GOOD, ['', ...GOOD.slice(1)], GOOD]);
  const fileName = '../مارس \u202Exslx\u0007 <b>.xlsx';
  const sent = await upload(user, file, {}, {}, { fileName });
  t.is(sent.status, 200);
  const line = await newest(user);
  t.like(line, {
    '@type': 'Import',
    status: 'done',
    fileName: 'مارس xslx <b>.xlsx',
    user: `/api/v1/users/${user.id}`,
    totalRows: 3,
    processedRows: 3,
    created: 2,
    failed: 1,
    failedRows: at(sent.body, 'failedRows'),
  });
  const { body } = await send(service, 'GET', textAt(line, '@id'), { token: user.token });
  const message = at(sent.body, 'results.1.message');
  const violations = at(sent.body, 'results.1.violations');
  t.deepEqual(at(body, 'errors'), [{ row: 3, message, violations }]);
  t.like(violations, {
    0: { column: 'recipient_first_name', messageKey: 'cell_missing' },
    length: 1,
  });
  t.like(body, { warnings: [], warningMessages: [] });
});

test('200 the progress of an import is seen while it works, with nothing of it created', async (t) => {
  const { organization, user } = await makeTeam(service);
  const release = hold(organization.id);
  t.teardown(release);
  const sending = upload(user, await workbook(Array.from({ length: 700 }, () => GOOD)));
  const seen = await until(async () => {
    const line = await newest(user);
    return at(line, 'processedRows') === 500 && line;
  }, 'no progress was seen');
  t.like(seen, { status: 'creating', totalRows: 700, created: 500, failed: 0 });
  const list = await send(service, 'GET', '/shipments', { token: user.token });
  t.is(at(list.body, 'totalItems'), 0);
  release();
  t.is((await sending).status, 200);
  t.like(await newest(user), { status: 'done', processedRows: 700, created: 700 });
});

test('200 an import goes on when its connection is closed, and its result is found', async (t) => {
  const { organization, user } = await makeTeam(service);
  const release = hold(organization.id);
  t.teardown(release);
  const leaving = new AbortController();
  const form = new FormData();
  const file = await workbook([...Array.from({ length: 600 }, () => GOOD), ['', ...GOOD.slice(1)]]);
  form.append('file', new Blob([new Uint8Array(file)]), 'monday.xlsx');
  const sending = fetch(`${service.baseUrl}/api/v1/shipments/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}` },
    body: form,
    signal: leaving.signal,
  });
  await until(async () => at(await newest(user), 'status') === 'creating', 'the import did not begin');
  leaving.abort();
  const left = await sending.then(
    () => 'answered',
    () => 'left',
  );
  t.is(left, 'left');
  release();
  const done = await until(async () => {
    const line = await newest(user);
    return at(line, 'status') === 'done' && line;
  }, 'the import did not end');
  t.like(done, { fileName: 'monday.xlsx', totalRows: 601, created: 600, failed: 1 });
  const list = await send(service, 'GET', '/shipments', { token: user.token });
  t.is(at(list.body, 'totalItems'), 600);
  const failed = await send(service, 'GET', textAt(done, 'failedRows'), { token: user.token });
  t.is(failed.status, 200);
});

test('200 an import of a file that is rejected is a failed record with the problem', async (t) => {
  const { user } = await makeTeam(service);
  const sent = await upload(user, Buffer.from('name;phone\nA;B'));
  t.is(sent.status, 422);
  const line = await newest(user);
  t.like(line, { status: 'failed', totalRows: 0, created: 0 });
  t.is(at(line, 'problem.status'), 422);
  t.is(at(line, 'problem.detail'), at(sent.body, 'detail'));
  const failed = await send(service, 'GET', '/imports?status=failed', { token: user.token });
  t.is(at(failed.body, 'totalItems'), 1);
  const done = await send(service, 'GET', '/imports?status=done', { token: user.token });
  t.is(at(done.body, 'totalItems'), 0);
});

test('200 an import whose process ended is failed; the repeat of its request completes it', async (t) => {
  const { organization, user } = await makeTeam(service);
  const file = await workbook([GOOD]);
  const key = { 'idempotency-key': 'killed' };
  await upload(user, file, key);
  const before = await newest(user);
  // As a killed process leaves it: no answer kept, no shipment, the record as it was.
  await execute(
    service.database,
    `update idempotency_keys set response_status = null, response_body = null, claimed_until = now()
     where organization_id = $1`,
    [organization.id],
  );
  const stale = `update imports set status = 'creating', processed_rows = 0, created_rows = 0,
    alive_until = clock_timestamp() - interval '1 second' where organization_id = $1`;
  await execute(service.database, stale, [organization.id]);
  await failAbandonedImportsAcrossTenants(service.database);
  const failed = await newest(user);
  t.like(failed, { '@id': at(before, '@id'), status: 'failed', created: 0 });
  t.regex(textAt(failed, 'problem.detail'), /Nothing was created\. Send the file again\./);
  t.is((await upload(user, file, key)).status, 200);
  const after = await newest(user);
  t.like(after, { '@id': at(before, '@id'), status: 'done', created: 1 });
  t.is(at(after, 'problem'), undefined);
});

test('403 imports are those of the organization, for a merchant those of its users', async (t) => {
  const { organization, user } = await makeTeam(service);
  const merchantId = await makeMerchant(service, organization);
  const shop = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const colleague = await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const other = await makeUser(service, organization, 'ROLE_MERCHANT', {
    merchantId: await makeMerchant(service, organization),
  });
  const foreign = await makeTeam(service);
  await upload(user, await workbook([GOOD]));
  const ofStaff = textAt(await newest(user), '@id');
  await upload(shop, await workbook([['', ...GOOD.slice(1)]]));
  const own = await newest(shop);
  t.is(textAt(own, 'merchant'), `/api/v1/merchants/${merchantId}`);
  const paths = [ofStaff, textAt(own, '@id'), textAt(own, 'failedRows')];
  const expected = [
    { reader: user, statuses: [200, 200, 200], total: 2 },
    { reader: shop, statuses: [403, 200, 200], total: 1 },
    { reader: colleague, statuses: [403, 200, 200], total: 1 },
    { reader: other, statuses: [403, 403, 403], total: 0 },
    { reader: foreign.user, statuses: [403, 403, 403], total: 0 },
  ];
  for (const {
    reader: { token },
    statuses,
    total,
  } of expected) {
    const answers = await Promise.all(paths.map((path) => send(service, 'GET', path, { token })));
    t.deepEqual(
      answers.map(({ status }) => status),
      statuses,
    );
    t.is(at((await send(service, 'GET', '/imports', { token })).body, 'totalItems'), total);
  }
});

test('200 what an earlier release kept of an import is shown as it was', async (t) => {
  const { organization, user } = await makeTeam(service);
  await upload(user, await workbook([GOOD]));
  const kept = `update imports set errors = '[{"row":3,"message":"old"}]', warnings = '["older"]', warning_messages = null where organization_id = $1`;
  await execute(service.database, kept, [organization.id]);
  const { body } = await send(service, 'GET', textAt(await newest(user), '@id'), { token: user.token });
  t.deepEqual(at(body, 'errors'), [{ row: 3, message: 'old' }]);
  t.deepEqual(at(body, 'warnings'), ['older']);
  t.is(at(body, 'warningMessages'), undefined);
});

test('404 an import is gone after a day, and its row soon after', async (t) => {
  const { organization, user } = await makeTeam(service);
  await upload(user, await workbook([GOOD]));
  const path = textAt(await newest(user), '@id');
  const late = `update imports set expires_at = clock_timestamp() where organization_id = $1`;
  await execute(service.database, late, [organization.id]);
  t.is((await send(service, 'GET', path, { token: user.token })).status, 404);
  t.is(await newest(user), undefined);
  await deleteExpired(service.database);
  const left = 'select id from imports where organization_id = $1';
  t.deepEqual(await select(service.database, left, [organization.id]), []);
});
