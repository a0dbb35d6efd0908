import test from 'ava';
import { select } from '../../../store/connection.ts';
import { codeOf } from '../../harness/factor.ts';
import { makeTeam, PASSWORD } from '../../harness/make.ts';
import { at, listAt, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const NOW = new Date();
const PATH = '/users/me/second-factor';
const KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const service = useService({
  withWorkers: false,
  overrides: { clock: () => NOW },
  settings: { ENCRYPTION_KEYS: KEY, LOGIN_ATTEMPTS_PER_MINUTE: '100' },
});

/** A user, with what it sends to the routes of its factor. */
async function scene() {
  const { user, token, organization } = await makeTeam(service);
  const post = (path: string, body: object) => send(service, 'POST', `${PATH}${path}`, { token, body });
  const state = async () => {
    const { body } = await send(service, 'GET', PATH, { token });
    return [at(body, 'state'), at(body, 'recoveryCodesLeft')];
  };
  const login = (totp?: string) =>
    send(service, 'POST', '/login_check', {
      body: { email: user.email, password: PASSWORD, ...(totp === undefined ? {} : { totp }) },
      contentType: 'application/json',
    });
  return { user, token, organization, post, state, login };
}

async function setUp() {
  const made = await scene();
  const offered = await made.post('', { currentPassword: PASSWORD });
  const secret = textAt(offered.body, 'secret');
  const confirmed = await made.post('/confirmation', { totp: codeOf(secret, -1, NOW) });
  const codes = listAt(confirmed.body, 'recoveryCodes').map(String);
  return { ...made, offered, confirmed, secret, codes };
}

test('200 a factor is asked for once a code of its secret is confirmed, which is shown once', async (t) => {
  const { user, post, state, login } = await scene();
  t.deepEqual(await state(), ['off', 0]);
  const first = await post('', { currentPassword: PASSWORD });
  const offered = await post('', { currentPassword: PASSWORD });
  t.is(offered.status, 200);
  const secret = textAt(offered.body, 'secret');
  t.not(textAt(first.body, 'secret'), secret);
  t.is(
    textAt(offered.body, 'uri'),
    `otpauth://totp/Desk:${encodeURIComponent(user.email)}?secret=${secret}&issuer=Desk`,
  );
  t.is((await login()).status, 200, 'it is not asked for yet');
  const wrong = await post('/confirmation', { totp: codeOf(textAt(first.body, 'secret'), 0, NOW) });
  t.deepEqual([wrong.status, violationPaths(wrong.body)], [422, ['totp']]);
  const confirmed = await post('/confirmation', { totp: codeOf(secret, 0, NOW) });
  t.is(confirmed.status, 200);
  t.is(listAt(confirmed.body, 'recoveryCodes').length, 10);
  t.is(confirmed.headers.get('cache-control'), 'no-store');
  t.deepEqual(await state(), ['on', 10]);
  t.is((await login(codeOf(secret, 0, NOW))).status, 401, 'the code of the confirmation is spent');
  t.is((await login(codeOf(secret, 1, NOW))).status, 200);
  const [row] = await select<{ secret: string }>(
    service.database,
    'select secret from second_factors where user_id = $1',
    [user.id],
  );
  t.regex(row?.secret ?? '', /^sealed:k1:/);
});

test('409 a factor that is in use is not replaced, and nothing is confirmed twice', async (t) => {
  const { post, secret } = await setUp();
  t.is((await post('', { currentPassword: PASSWORD })).status, 409);
  t.is((await post('/confirmation', { totp: codeOf(secret, 0, NOW) })).status, 409);
  const other = await scene();
  t.is((await other.post('/confirmation', { totp: '123456' })).status, 409);
  for (const path of ['/removal', '/recovery-codes']) {
    t.is((await other.post(path, { currentPassword: PASSWORD, totp: '123456' })).status, 409, path);
  }
});

test('204 the factor is removed with the password and a code, 422 without either', async (t) => {
  const { post, state, login, secret, codes } = await setUp();
  const wrongPassword = await post('/removal', { currentPassword: 'wrong', totp: codeOf(secret, 0, NOW) });
  t.deepEqual([wrongPassword.status, violationPaths(wrongPassword.body)], [422, ['currentPassword']]);
  const wrongCode = await post('/removal', { currentPassword: PASSWORD, totp: codeOf(secret, -1, NOW) });
  t.deepEqual([wrongCode.status, violationPaths(wrongCode.body)], [422, ['totp']]);
  t.deepEqual(await state(), ['on', 10]);
  t.is((await post('/removal', { currentPassword: PASSWORD, totp: codes[0] })).status, 204);
  t.deepEqual(await state(), ['off', 0]);
  t.is((await login()).status, 200);
});

test('200 new recovery codes end the ones before', async (t) => {
  const { post, login, secret, codes, state } = await setUp();
  const replaced = await post('/recovery-codes', { currentPassword: PASSWORD, totp: codeOf(secret, 0, NOW) });
  t.is(replaced.status, 200);
  t.is((await login(codes[0])).status, 401);
  t.is((await login(String(listAt(replaced.body, 'recoveryCodes')[0]))).status, 200);
  t.deepEqual(await state(), ['on', 9]);
});

test('each act is in the audit log, without a secret or a code', async (t) => {
  const { post, secret, codes, organization } = await setUp();
  await post('/recovery-codes', { currentPassword: PASSWORD, totp: '000000' });
  await post('/recovery-codes', { currentPassword: PASSWORD, totp: codeOf(secret, 0, NOW) });
  await post('/removal', { currentPassword: 'wrong', totp: codeOf(secret, 1, NOW) });
  await post('/removal', { currentPassword: PASSWORD, totp: codeOf(secret, 1, NOW) });
  const rows = await select<{ kind: string; row: string }>(
    service.database,
    'select kind, a::text as row from audit_events a where organization_id = $1 order by created_at, id',
    [organization.id],
  );
  t.deepEqual(
    rows.map(({ kind }) => kind),
    [
      'second_factor.confirmed',
      'second_factor.rejected',
      'recovery_codes.replaced',
      'password.rejected',
      'second_factor.removed',
    ],
  );
  t.false(rows.some(({ row }) => row.includes(secret) || codes.some((code) => row.includes(code))));
});
