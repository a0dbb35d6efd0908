import test from 'ava';
import { WRONG_CODES } from '../../../domain/second-factor.ts';
import { execute, select } from '../../../store/connection.ts';
import { deleteExpired } from '../../../store/expiry.ts';
import { OWN_PAGE, sendToDesk } from '../../harness/desk.ts';
import { follow } from '../../harness/events.ts';
import { makeFactor, requireFactors } from '../../harness/factor.ts';
import type { MadeUser } from '../../harness/make.ts';
import { makeTeam } from '../../harness/make.ts';
import { at, fieldsOf, send, textAt } from '../../harness/request.ts';
import { until } from '../../harness/until.ts';
import { useService } from '../../harness/use-service.ts';

/** The service's clock stands still, so that codes do not change during a test. */
const NOW = new Date();
const service = useService({
  withWorkers: false,
  overrides: { clock: () => NOW },
  settings: { LOGIN_ATTEMPTS_PER_MINUTE: '100' },
  feedLimits: { sessionCheckMs: 30 },
});

type Sent = Readonly<Record<string, unknown>>;
/** Both sign-ins: for tokens, and at the console. */
const DOORS = {
  tokens: (body: Sent) => send(service, 'POST', '/login_check', { body, contentType: 'application/json' }),
  console: (body: Sent) => sendToDesk(service, 'POST', '/session', { body, headers: OWN_PAGE }),
};
type Door = (typeof DOORS)[keyof typeof DOORS];

async function answerAt(
  door: Door,
  { email, password }: Pick<MadeUser, 'email' | 'password'>,
  totp?: unknown,
) {
  const { status, body } = await door({ email, password, ...(totp === undefined ? {} : { totp }) });
  return status === 401 ? `401 ${String(at(body, 'messageKey'))}` : String(status);
}

async function kindsOf(organizationId: string): Promise<readonly string[]> {
  const rows = await select<{ kind: string }>(
    service.database,
    'select kind from audit_events where organization_id = $1 order by created_at, id',
    [organizationId],
  );
  return rows.map(({ kind }) => kind);
}

for (const [name, door] of Object.entries(DOORS)) {
  test(`200 a sign-in with the right code, 401 in words of its own without: ${name}`, async (t) => {
    const { organization, user } = await makeTeam(service);
    const before = await door({ email: user.email, password: user.password });
    const { code } = await makeFactor(service, organization, user);
    t.is(await answerAt(door, user), '401 totp_required');
    t.is(await answerAt(door, user, null), '401 totp_required');
    t.is(await answerAt(door, user, ''), '401 totp_required');
    for (const wrong of ['000000', '12345', 'a recovery code', code(2, NOW), code(-2, NOW)]) {
      t.is(await answerAt(door, user, wrong), '401 totp_wrong', wrong);
    }
    const signedIn = await door({ email: user.email, password: user.password, totp: code(0, NOW) });
    t.is(signedIn.status, 200);
    t.deepEqual(Object.keys(fieldsOf(signedIn.body)), Object.keys(fieldsOf(before.body)));
    t.is(await answerAt(door, user, code(0, NOW)), '401 totp_wrong', 'a code is accepted once');
    t.is(await answerAt(door, user, code(-1, NOW)), '401 totp_wrong', 'nor is an earlier one');
    const next = code(1, NOW);
    t.is(await answerAt(door, user, ` ${next.slice(0, 3)} ${next.slice(3)} `), '200');
  });
}

test('401 a wrong password is answered alike with and without a factor, whatever code comes with it', async (t) => {
  const { user: without } = await makeTeam(service);
  const { organization, user } = await makeTeam(service);
  const { code, recoveryCodes } = await makeFactor(service, organization, user);
  for (const door of Object.values(DOORS)) {
    const bodies: unknown[] = [];
    for (const { email } of [user, without, { email: 'nobody@example.com' }]) {
      for (const totp of [undefined, code(0, NOW), '000000', recoveryCodes[0]]) {
        const answer = await door({ email, password: 'wrong', ...(totp === undefined ? {} : { totp }) });
        t.is(answer.status, 401);
        bodies.push({ ...fieldsOf(answer.body), instance: '' });
      }
    }
    for (const body of bodies) t.deepEqual(body, bodies[0]);
    t.is(at(bodies[0], 'message'), 'Invalid credentials.');
  }
  t.is(await answerAt(DOORS.tokens, user, code(0, NOW)), '200', 'the code was not spent');
  t.is(await answerAt(DOORS.tokens, without, '123456'), '200', 'who has no factor is asked for none');
});

test('200 a recovery code signs in once, in place of a code, however it is typed', async (t) => {
  const { organization, user } = await makeTeam(service);
  const { recoveryCodes } = await makeFactor(service, organization, user);
  const [first = '', second = ''] = recoveryCodes;
  t.is(await answerAt(DOORS.tokens, user, first), '200');
  t.is(await answerAt(DOORS.console, user, first), '401 totp_wrong');
  t.is(await answerAt(DOORS.console, user, second.toUpperCase().replaceAll('-', ' ')), '200');
  t.deepEqual(await kindsOf(organization.id), [
    'recovery_code.used',
    'session.opened',
    'second_factor.rejected',
    'recovery_code.used',
    'session.opened',
  ]);
  const stored = await select<{ text: string }>(
    service.database,
    'select (f.*, c.*)::text as text from second_factors f join recovery_codes c using (user_id) where user_id = $1',
    [user.id],
  );
  t.is(stored.length, 8);
  t.false(stored.some(({ text }) => recoveryCodes.some((code) => text.includes(code.slice(0, 9)))));
});

test('200 of the same code that is sent several times at once, one signs in', async (t) => {
  const { organization, user } = await makeTeam(service);
  const { code, recoveryCodes } = await makeFactor(service, organization, user);
  for (const totp of [code(0, NOW), recoveryCodes[0]]) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => answerAt(DOORS.tokens, user, totp)));
    t.deepEqual(answers.toSorted(), ['200', ...Array.from({ length: 4 }, () => '401 totp_wrong')]);
  }
});

test('429 wrong codes are limited for the account; whoever does not know the password keeps nobody out', async (t) => {
  const { organization, user } = await makeTeam(service);
  const { code } = await makeFactor(service, organization, user);
  const [{ limit }] = WRONG_CODES;
  for (let guess = 0; guess < limit; guess += 1) {
    await answerAt(DOORS.tokens, { ...user, password: 'wrong' }, '000000');
  }
  for (let guess = 0; guess < limit - 1; guess += 1) {
    t.is(await answerAt(DOORS.tokens, user, '000000'), '401 totp_wrong');
  }
  t.is(await answerAt(DOORS.tokens, user, code(0, NOW)), '200', 'a right code is not counted');
  t.is(await answerAt(DOORS.console, user, '000000'), '401 totp_wrong');
  const limited = await DOORS.tokens({ email: user.email, password: user.password, totp: code(1, NOW) });
  t.is(limited.status, 429);
  t.true(Number(limited.headers.get('retry-after')) > 60);
});

test('429 wrong codes that are sent slowly are limited for a day', async (t) => {
  const { organization, user } = await makeTeam(service);
  const { code } = await makeFactor(service, organization, user);
  const [{ name: short }, { name: long, limit }] = WRONG_CODES;
  const age = (hours: number) =>
    execute(
      service.database,
      `update rate_windows set hits = array(select h - make_interval(hours => $2) from unnest(hits) h)
       where subject like 'login-code%:' || $1`,
      [user.id, hours],
    );
  await execute(
    service.database,
    `insert into rate_windows (subject, hits, was_accepted)
     select $1, array_agg(clock_timestamp()), true from generate_series(1, $2::int)`,
    [`${long}:${user.id}`, limit - 1],
  );
  await age(2);
  await deleteExpired(service.database);
  t.is(await answerAt(DOORS.tokens, user, code(0, NOW)), '200', 'a right code is not counted');
  t.is(await answerAt(DOORS.tokens, user, '000000'), '401 totp_wrong');
  const limited = await DOORS.console({ email: user.email, password: user.password, totp: code(1, NOW) });
  t.is(limited.status, 429);
  t.true(Number(limited.headers.get('retry-after')) > 3600);
  const [counted] = await select<{ hits: number }>(
    service.database,
    'select cardinality(hits) as hits from rate_windows where subject = $1',
    [`${short}:${user.id}`],
  );
  t.is(counted?.hits, 1, 'a rejected code is not counted');
  await age(24);
  t.is(await answerAt(DOORS.tokens, user, code(1, NOW)), '200');
});

test('403 where a factor is required, a user without one can set it up and sign out, and nothing else', async (t) => {
  const { organization, user, token } = await makeTeam(service);
  const stream = await follow(service, { token });
  t.teardown(stream.close);
  await requireFactors(service, organization);
  t.is(await answerAt(DOORS.tokens, user), '401 second_factor_missing');
  await until(() => stream.isEnded(), 'the stream goes on');
  for (const path of ['/users/me', '/shipments', '/changes']) {
    const { status, body } = await send(service, 'GET', path, { token });
    t.is(`${status} ${String(at(body, 'messageKey'))}`, '403 second_factor_missing', path);
  }
  const signedIn = await DOORS.console({ email: user.email, password: user.password });
  t.is(signedIn.status, 200);
  t.is(at(signedIn.body, 'user.secondFactor'), 'missing');
  const state = await send(service, 'GET', '/users/me/second-factor', { token });
  t.deepEqual([state.status, at(state.body, 'state'), at(state.body, 'confirmedAt')], [200, 'missing', null]);
  await makeFactor(service, organization, user);
  t.is((await send(service, 'GET', '/users/me', { token })).status, 200);
  t.is(await answerAt(DOORS.tokens, user), '401 totp_required');
  t.false((await kindsOf(organization.id)).includes('access.rejected'));
});

test('200 an admin requires a factor of everybody once it has one itself, 422 before', async (t) => {
  const { organization, user, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const path = `/organizations/${organization.id}`;
  const change = () =>
    send(service, 'PATCH', path, {
      token,
      body: { requiresSecondFactor: true },
      contentType: 'application/merge-patch+json',
    });
  const rejected = await change();
  t.is(rejected.status, 422);
  t.is(textAt(rejected.body, 'violations.0.messageKey'), 'own_factor_first');
  await makeFactor(service, organization, user);
  t.is(at((await change()).body, 'requiresSecondFactor'), true);
  // An edit of another setting is not asked for it again.
  await execute(service.database, 'delete from second_factors where user_id = $1', [user.id]);
  t.is((await send(service, 'GET', path, { token })).status, 403);
});
