import { EventEmitter, once } from 'node:events';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createPasswords } from '../../../api/auth/passwords.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createFairQueue } from '../../../platform/fair-queue.ts';
import { selectOne } from '../../../store/connection.ts';
import { makeOrganization, makeTeam, makeUser, PASSWORD } from '../../harness/make.ts';
import { send } from '../../harness/request.ts';
import type { HttpAnswer } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import type { TestService } from '../../harness/service.ts';

/** One password is hashed at a time; three of one caller may wait, five in all. */
const BOUNDS = { width: 1, waitingPerCaller: 3, waitingInAll: 5 };
const FLOOD = '198.51.100.1';
const HOME = '203.0.113.7';

/** A service behind a proxy whose hashing ends when the test says so. */
async function stage(t: ExecutionContext) {
  const queue = createFairQueue(BOUNDS);
  const happened = new EventEmitter();
  const callers: string[] = [];
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const hashOf = async <Result>(password: string, result: Result): Promise<Result> => {
    begun.push(password);
    happened.emit('change');
    await new Promise<void>((resolve) => ends.push(resolve));
    return result;
  };
  const passwords = createPasswords(
    {
      take: (caller, work) => {
        callers.push(caller.name);
        happened.emit('change');
        return queue.take(caller, work);
      },
    },
    systemClock,
    {
      hash: (password) => hashOf(password, `hash of ${password}`),
      verify: (_hash, password) => hashOf(password, password === PASSWORD),
    },
  );
  const service = await startService({
    withWorkers: false,
    settings: { TRUSTED_PROXY_HOPS: '1' },
    overrides: { passwords },
  });
  t.teardown(() => service.stop());
  /** Waits until so many have come to the queue: let in, waiting or refused. */
  const arrived = async (count: number): Promise<void> => {
    while (callers.length < count) await once(happened, 'change');
  };
  /** Ends so many hashes, each when it has begun. */
  const hash = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += 1) {
      while (ends.length === 0) await once(happened, 'change');
      ends.shift()?.();
    }
  };
  return { service, callers, begun, arrived, hash };
}

function login(
  service: TestService,
  address: string,
  password: string,
  email = 'unknown@example.com',
): Promise<HttpAnswer> {
  return send(service, 'POST', '/login_check', {
    body: { email, password },
    contentType: 'application/json',
    headers: { 'x-forwarded-for': address },
  });
}

/** Sends wrong passwords for so many accounts at once, and waits until they have come to the queue. */
async function flood(
  { service, callers, arrived }: Awaited<ReturnType<typeof stage>>,
  address: string,
  count: number,
): Promise<Promise<HttpAnswer>[]> {
  const before = callers.length;
  const answers = Array.from({ length: count }, (_, index) =>
    login(service, address, 'wrong', `${address}-${index}@example.com`),
  );
  await arrived(before + count);
  return answers;
}

function statusesOf(answers: readonly HttpAnswer[]): number[] {
  return answers.map(({ status }) => status).sort((left, right) => left - right);
}

test('200 a real login is checked after one wrong one, however many of another address wait', async (t) => {
  const scene = await stage(t);
  const { service, begun, arrived, hash } = scene;
  const { email } = await makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
  const wrong = await flood(scene, FLOOD, 4);
  const real = login(service, HOME, PASSWORD, email);
  await arrived(5);
  await hash(3);
  // Answered while two of the other address still wait.
  t.is((await real).status, 200);
  t.deepEqual(begun.slice(0, 3), ['wrong', 'wrong', PASSWORD]);
  await hash(2);
  t.deepEqual(statusesOf(await Promise.all(wrong)), [401, 401, 401, 401]);
});

test('429 for what an address sends beyond its places; it counts against no limit', async (t) => {
  const scene = await stage(t);
  const { service, hash } = scene;
  const wrong = await flood(scene, FLOOD, 6);
  await hash(4);
  const answers = await Promise.all(wrong);
  t.deepEqual(statusesOf(answers), [401, 401, 401, 401, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  t.is(refused?.headers.get('retry-after'), '5');
  t.is(refused?.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  t.regex(refused?.headers.get('ratelimit') ?? '', /^"login-address";r=\d+;t=\d+, "login";r=\d+;t=\d+$/);
  const counted = await selectOne<{ address: number; accounts: number }>(
    service.database,
    `select (sum(cardinality(hits)) filter (where subject = 'login-address:' || $1))::int as address,
       (sum(cardinality(hits)) filter (where subject like 'login:' || $1 || ' %'))::int as accounts from rate_windows`,
    [FLOOD],
  );
  t.deepEqual(counted, { address: 4, accounts: 4 });
});

test('200 where every place is taken a newcomer gets one, and the longest queue loses its newest', async (t) => {
  const scene = await stage(t);
  const { service, arrived, hash } = scene;
  const { email } = await makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
  const first = await flood(scene, FLOOD, 4);
  const second = await flood(scene, '198.51.100.2', 2);
  const real = login(service, HOME, PASSWORD, email);
  await arrived(7);
  await hash(6);
  t.is((await real).status, 200);
  t.deepEqual(statusesOf(await Promise.all(first)), [401, 401, 401, 429]);
  t.deepEqual(statusesOf(await Promise.all(second)), [401, 401]);
});

test('201 and 204 new users and new passwords have their turn in the same queue', async (t) => {
  const { service, callers, arrived, hash } = await stage(t);
  const { organization, token } = await makeTeam(service, 'ROLE_ORG_ADMIN');
  const change = send(service, 'POST', '/users/me/password', {
    token,
    body: { currentPassword: PASSWORD, newPassword: 'a much better password' },
  });
  await hash(2);
  t.is((await change).status, 204);
  t.deepEqual(callers, Array<string>(2).fill(`organization ${organization.id}`));
  const create = (name: string) =>
    send(service, 'POST', '/users', {
      token,
      body: {
        ...{ email: `${name}@example.com`, password: 'ten characters', role: 'ROLE_DISPATCHER' },
        ...{ firstName: 'Marc', lastName: 'Lefèvre' },
      },
    });
  const created = Array.from({ length: 5 }, (_, index) => create(`${organization.id}-${index}`));
  await arrived(7);
  const real = login(service, HOME, 'wrong');
  await arrived(8);
  await hash(5);
  t.deepEqual(statusesOf(await Promise.all(created)), [201, 201, 201, 201, 429]);
  t.is((await real).status, 401);
});
