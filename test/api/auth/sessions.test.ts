import test from 'ava';
import { hashSecret } from '../../../api/auth/tokens.ts';
import { execute, select } from '../../../store/connection.ts';
import { deleteExpired } from '../../../store/expiry.ts';
import { makeOrganization, makeUser } from '../../harness/make.ts';
import { expectStatus } from '../../harness/moves.ts';
import { at, fieldsOf, send, textAt, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

async function signIn() {
  const user = await makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
  return { user, tokens: await login(user.email, user.password) };
}

async function login(email: string, password: string): Promise<Tokens> {
  const body = { email, password };
  const request = { body, contentType: 'application/json' };
  return tokensOf(expectStatus(await send(service, 'POST', '/login_check', request), 200).body);
}

function tokensOf(body: unknown): Tokens {
  return { token: textAt(body, 'token'), refreshToken: textAt(body, 'refresh_token') };
}

function refresh(refreshToken: unknown) {
  return send(service, 'POST', '/token/refresh', {
    body: { refresh_token: refreshToken },
    contentType: 'application/json',
  });
}

/** What a refresh that succeeds gives. */
async function refreshed(refreshToken: string): Promise<Tokens> {
  return tokensOf(expectStatus(await refresh(refreshToken), 200).body);
}

async function opens(token: string): Promise<boolean> {
  return (await send(service, 'GET', '/shipments', { token })).status === 200;
}

test('200 a refresh gives a new token and the next refresh token, and so on', async (t) => {
  const { tokens } = await signIn();
  const seen = new Set([tokens.refreshToken]);
  let current = tokens;
  for (let round = 0; round < 3; round += 1) {
    const answer = await refresh(current.refreshToken);
    t.is(answer.status, 200);
    t.deepEqual(Object.keys(fieldsOf(answer.body)).sort(), ['refresh_token', 'token']);
    t.is(answer.headers.get('cache-control'), 'no-store');
    current = tokensOf(answer.body);
    t.true(await opens(current.token));
    seen.add(current.refreshToken);
  }
  t.is(seen.size, 4);
  t.true(await opens(tokens.token));
});

test('200 a refresh token used twice gets one further pair; 401 a third use ends the session', async (t) => {
  const { tokens } = await signIn();
  const pairs = [await refreshed(tokens.refreshToken), await refreshed(tokens.refreshToken)];
  for (const pair of pairs) t.true(await opens(pair.token));
  t.is(new Set(pairs.map(({ refreshToken }) => refreshToken)).size, 2);
  const third = await refresh(tokens.refreshToken);
  t.is(third.status, 401);
  t.is(at(third.body, 'message'), 'Invalid JWT Refresh Token');
  for (const { token, refreshToken } of pairs) {
    t.is((await refresh(refreshToken)).status, 401);
    t.false(await opens(token));
  }
  t.false(await opens(tokens.token));
});

test('200 the pairs of two tabs go on side by side, each with a further pair of its own', async (t) => {
  const { tokens } = await signIn();
  const pairs = await Promise.all([refreshed(tokens.refreshToken), refreshed(tokens.refreshToken)]);
  for (const { refreshToken } of pairs) {
    const next = await refreshed(refreshToken);
    const further = await refreshed(refreshToken);
    for (const { token } of [next, further]) t.true(await opens(token));
  }
});

test('401 of three concurrent refreshes two get a pair, and the session ends', async (t) => {
  const { tokens } = await signIn();
  const answers = await Promise.all([1, 2, 3].map(() => refresh(tokens.refreshToken)));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 401]);
  for (const { body } of answers.filter(({ status }) => status === 200)) {
    t.is((await refresh(at(body, 'refresh_token'))).status, 401);
  }
});

test('401 a refresh token used again after 30 seconds ends the whole session', async (t) => {
  const { user, tokens } = await signIn();
  const next = await refreshed(tokens.refreshToken);
  await execute(
    service.database,
    `update refresh_tokens set used_at = used_at - interval '31 seconds'
     where session_id in (select id from sessions where user_id = $1)`,
    [user.id],
  );
  t.is((await refresh(tokens.refreshToken)).status, 401);
  t.is((await refresh(next.refreshToken)).status, 401);
  t.false(await opens(next.token));
});

test('401 a refresh token whose successor was used already ends the session, however soon', async (t) => {
  const { tokens } = await signIn();
  const second = await refreshed(tokens.refreshToken);
  const third = await refreshed(second.refreshToken);
  t.is((await refresh(tokens.refreshToken)).status, 401);
  t.is((await refresh(third.refreshToken)).status, 401);
  t.false(await opens(third.token));
});

test('200 a reuse in one session leaves the user’s other sessions alone', async (t) => {
  const { user, tokens } = await signIn();
  const other = await login(user.email, user.password);
  for (const status of [200, 200, 401]) t.is((await refresh(tokens.refreshToken)).status, status);
  t.true(await opens(other.token));
  t.is((await refresh(other.refreshToken)).status, 200);
});

test('401 a refresh token past its 30 days, and one that was never given', async (t) => {
  const { user, tokens } = await signIn();
  await execute(
    service.database,
    `update refresh_tokens set expires_at = now() - interval '1 second'
     where session_id in (select id from sessions where user_id = $1)`,
    [user.id],
  );
  const expired = await refresh(tokens.refreshToken);
  t.is(expired.status, 401);
  t.is(at(expired.body, 'message'), 'Invalid JWT Refresh Token');
  const unknown = await refresh('0'.repeat(128));
  t.is(unknown.status, 401);
  t.is(at(unknown.body, 'message'), 'JWT Refresh Token Not Found');
});

test('401 a refresh of a disabled user', async (t) => {
  const { user, tokens } = await signIn();
  await execute(service.database, 'update users set is_active = false where id = $1', [user.id]);
  t.is((await refresh(tokens.refreshToken)).status, 401);
});

test('200 a refresh returns the current roles', async (t) => {
  const { user, tokens } = await signIn();
  await execute(service.database, `update users set role = 'ROLE_ORG_ADMIN' where id = $1`, [user.id]);
  const { token } = tokensOf(expectStatus(await refresh(tokens.refreshToken), 200).body);
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  t.deepEqual(at(claims, 'roles'), ['ROLE_ORG_ADMIN']);
});

test('422 a refresh without its token, or with one of another type', async (t) => {
  for (const value of [undefined, null, 7, '', ' ', 'x'.repeat(300)]) {
    const answer = await refresh(value);
    t.is(answer.status, 422);
    t.deepEqual(violationPaths(answer.body), ['refresh_token']);
  }
});

test('204 logout ends the session: its token and its refresh token are rejected', async (t) => {
  const { user, tokens } = await signIn();
  const other = await login(user.email, user.password);
  const answer = await send(service, 'POST', '/logout', { token: tokens.token });
  t.is(answer.status, 204);
  t.is(answer.bytes.length, 0);
  t.false(await opens(tokens.token));
  t.is((await refresh(tokens.refreshToken)).status, 401);
  t.is((await send(service, 'POST', '/logout', { token: tokens.token })).status, 401);
  t.true(await opens(other.token));
});

test('204 logout accepts any content type and any body', async (t) => {
  for (const request of [{ body: {} }, { body: 'x', contentType: 'text/plain' }]) {
    const { tokens } = await signIn();
    t.is((await send(service, 'POST', '/logout', { token: tokens.token, ...request })).status, 204);
  }
});

test('401 logout without a token', async (t) => {
  t.is((await send(service, 'POST', '/logout')).status, 401);
});

test('neither refresh tokens nor passwords nor keys are stored as they are', async (t) => {
  const { user, tokens } = await signIn();
  const rows = await service.database.sequelize.query(
    `select encode(token_hash, 'hex') as kept from refresh_tokens
     union all select password_hash from users where id = :id
     union all select encode(api_key_hash, 'hex') from organizations`,
    { replacements: { id: user.id } },
  );
  const kept = JSON.stringify(rows[0]);
  t.false(kept.includes(tokens.refreshToken));
  t.false(kept.includes(user.password));
  t.true(kept.includes('$argon2id$'));
});

test('200 a session stays while it has a refresh token, and is deleted a day after the last', async (t) => {
  const { user, tokens: over } = await signIn();
  const going = await login(user.email, user.password);
  await refreshed(going.refreshToken);
  const past = await login(user.email, user.password);
  const expire = (tokens: Tokens, ago: string) =>
    execute(
      service.database,
      `update refresh_tokens set expires_at = clock_timestamp() - $2::text::interval where token_hash = $1`,
      [hashSecret(tokens.refreshToken), ago],
    );
  await expire(over, '25 hours');
  await expire(going, '25 hours');
  await expire(past, '23 hours');
  await deleteExpired(service.database);
  t.false(await opens(over.token));
  t.true(await opens(going.token));
  t.true(await opens(past.token));
  const left = await select(service.database, 'select id from sessions where user_id = $1', [user.id]);
  t.is(left.length, 3, 'the two, and the one that the user was made with');
});
