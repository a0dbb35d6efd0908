import test from 'ava';
import { execute, selectOne } from '../../../store/connection.ts';
import { makeTeam } from '../../harness/make.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

async function admin() {
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  return { organization, token, path: `/organizations/${organization.id}/api-key` };
}

/** 404 says that the key was taken, 401 that it was not. */
async function statusWith(key: string): Promise<number> {
  const path = '/external/shipments/3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11';
  return (await send(service, 'GET', path, { key })).status;
}

test('200 a rolled key is shown once and replaces the one before at once', async (t) => {
  const { organization, token, path } = await admin();
  const rolled = await send(service, 'POST', path, { token, body: {} });
  t.is(rolled.status, 200);
  t.is(rolled.headers.get('content-type'), 'application/json; charset=utf-8');
  const key = textAt(rolled.body, 'apiKey');
  t.like(rolled.body, {
    organization: `/api/v1/organizations/${organization.id}`,
    apiKeyPrefix: key.slice(0, 10),
    previousKeyExpiresAt: null,
  });
  t.is(await statusWith(key), 404);
  t.is(await statusWith(organization.apiKey), 401);
  const read = await send(service, 'GET', `/organizations/${organization.id}`, { token });
  t.is(at(read.body, 'apiKeyPrefix'), key.slice(0, 10));
  t.false(read.bytes.toString().includes(key));
});

test('200 the database keeps no key, only its hash', async (t) => {
  const { organization, token, path } = await admin();
  const key = textAt((await send(service, 'POST', path, { token, body: {} })).body, 'apiKey');
  const row = await selectOne<{ text: string }>(
    service.database,
    'select o::text as text from organizations o where id = $1',
    [organization.id],
  );
  t.false(row?.text.includes(key) ?? true);
});

test('200 with graceHours the key before is taken until then, and no longer', async (t) => {
  const { organization, token, path } = await admin();
  const rolled = await send(service, 'POST', path, { token, body: { graceHours: 24 } });
  const until = Date.parse(textAt(rolled.body, 'previousKeyExpiresAt'));
  t.true(Math.abs(until - Date.now() - 86_400_000) < 60_000);
  t.is(await statusWith(organization.apiKey), 404);
  t.is(await statusWith(textAt(rolled.body, 'apiKey')), 404);
  await execute(
    service.database,
    `update organizations set previous_api_key_expires_at = clock_timestamp() where id = $1`,
    [organization.id],
  );
  t.is(await statusWith(organization.apiKey), 401);
});

test('200 a second roll ends the grace of the first key', async (t) => {
  const { organization, token, path } = await admin();
  const first = await send(service, 'POST', path, { token, body: { graceHours: 24 } });
  const second = await send(service, 'POST', path, { token, body: { graceHours: 1 } });
  t.is(await statusWith(organization.apiKey), 401);
  t.is(await statusWith(textAt(first.body, 'apiKey')), 404);
  t.is(await statusWith(textAt(second.body, 'apiKey')), 404);
});

test('422 the grace has 0 to 24 whole hours', async (t) => {
  const { organization, token, path } = await admin();
  for (const graceHours of [-1, 24.5, 25, '1']) {
    const answer = await send(service, 'POST', path, { token, body: { graceHours } });
    t.is(answer.status, 422);
    t.is(at(answer.body, 'violations.0.propertyPath'), 'graceHours');
  }
  t.is(await statusWith(organization.apiKey), 404);
});
