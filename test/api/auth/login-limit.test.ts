import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { makeOrganization, makeUser } from '../../harness/make.ts';
import { at, send } from '../../harness/request.ts';
import type { TestService } from '../../harness/service.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false, settings: { LOGIN_ATTEMPTS_PER_MINUTE: '3' } });
const twin = useService({
  besides: service,
  withWorkers: false,
  settings: { LOGIN_ATTEMPTS_PER_MINUTE: '3' },
});

function login(email: string, password: string, api: TestService = service, headers = {}) {
  return send(api, 'POST', '/login_check', {
    body: { email, password },
    contentType: 'application/json',
    headers,
  });
}

/** Lets time pass for a login's window, as the database would see it. */
async function age(email: string, seconds: number): Promise<void> {
  await execute(
    service.database,
    `update rate_windows set hits = array(select h - make_interval(secs => $2) from unnest(hits) h)
     where subject like 'login:%' || $1`,
    [email, seconds],
  );
}

test('429 after the allowed attempts, also with the right password, at every process and letter case', async (t) => {
  const { email, password } = await makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
  t.is((await login(email, 'wrong')).status, 401);
  t.is((await login(email, 'wrong', twin)).status, 401);
  t.is((await login(email.toUpperCase(), 'wrong')).status, 401);
  for (const api of [service, twin]) {
    const answer = await login(email, password, api);
    t.is(answer.status, 429);
    t.is(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
    t.is(at(answer.body, 'status'), 429);
  }
});

test('429 a claimed X-Forwarded-For is not believed where no proxy is trusted', async (t) => {
  const { email } = await makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
  const statuses: number[] = [];
  for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4']) {
    statuses.push((await login(email, 'wrong', service, { 'x-forwarded-for': address })).status);
  }
  t.deepEqual(statuses, [401, 401, 401, 429]);
});

test('200 waiting exactly as Retry-After says succeeds, a second less does not', async (t) => {
  const { email, password } = await makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
  for (let attempt = 0; attempt < 3; attempt += 1) await login(email, 'wrong');
  const limited = await login(email, password);
  t.is(limited.status, 429);
  const seconds = Number(limited.headers.get('retry-after'));
  t.true(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60);
  await age(email, seconds - 2);
  t.is((await login(email, password)).status, 429);
  await age(email, 2);
  t.is((await login(email, password)).status, 200);
});

test('401 other accounts are not limited with one', async (t) => {
  const organization = await makeOrganization(service);
  const { email } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  for (let attempt = 0; attempt < 4; attempt += 1) await login(email, 'wrong');
  const other = await makeUser(service, organization, 'ROLE_DISPATCHER');
  t.is((await login(other.email, 'wrong')).status, 401);
});
