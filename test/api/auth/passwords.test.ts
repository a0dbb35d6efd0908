import test from 'ava';
import { createPasswords, hashingBounds, hashPassword } from '../../../api/auth/passwords.ts';
import type { PasswordHashing } from '../../../api/auth/passwords.ts';
import { ProblemError } from '../../../domain/problem.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createFairQueue } from '../../../platform/fair-queue.ts';
import type { Caller } from '../../../platform/fair-queue.ts';
import { newId } from '../../../store/new-id.ts';

const STRANGER = { address: '203.0.113.7' };

/** Hashing that says what it is asked and answers as told. */
function recorded(answer: () => Promise<boolean>) {
  const asked: { passwordHash: string; password: string }[] = [];
  const hashing: PasswordHashing = {
    hash: (password) => Promise.resolve(`hash of ${password}`),
    verify: (passwordHash, password) => {
      asked.push({ passwordHash, password });
      return answer();
    },
  };
  return { asked, hashing };
}

test('hashing leaves a thread of the pool and a core to the rest, unless set', (t) => {
  const widths = [1, 2, 3, 4, 64].map((cores) => hashingBounds(null, cores).concurrency);
  t.deepEqual(widths, [1, 1, 2, 3, 3]);
  t.is(hashingBounds(7, 2).concurrency, 7);
});

test('an unknown user’s password is hashed too, and never right', async (t) => {
  const { asked, hashing } = recorded(() => Promise.resolve(true));
  const passwords = createPasswords(createFairQueue(hashingBounds(1)), systemClock, hashing);
  t.false(await passwords.isRight(STRANGER, 'secret', undefined));
  t.true(await passwords.isRight(STRANGER, 'secret', 'known hash'));
  t.is(asked.length, 2);
  t.regex(asked[0]?.passwordHash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('a stored text that is not a hash makes no password right', async (t) => {
  const passwords = createPasswords(createFairQueue(hashingBounds(1)), systemClock);
  t.false(await passwords.isRight(STRANGER, 'none', 'none'));
  t.true(await passwords.isRight(STRANGER, 'secret', await hashPassword('secret')));
});

test('a password beyond the queue’s bounds is rejected as limited before it is hashed', async (t) => {
  const ends: (() => void)[] = [];
  const { asked, hashing } = recorded(() => new Promise((resolve) => ends.push(() => resolve(true))));
  const bounds = { concurrency: 1, maxWaitingPerCaller: 1, maxWaiting: 10 };
  const passwords = createPasswords(createFairQueue(bounds), systemClock, hashing);
  const guess = (password: string) => passwords.isRight(STRANGER, password, 'known hash');
  const [inHand, waiting] = [guess('first'), guess('second')];
  const error = await t.throwsAsync(guess('third'), { instanceOf: ProblemError });
  t.like(error.problem, { kind: 'limited', retryAfterSeconds: 5 });
  ends.shift()?.();
  t.true(await inHand);
  ends.shift()?.();
  t.true(await waiting);
  t.deepEqual(
    asked.map(({ password }) => password),
    ['first', 'second'],
  );
});

/** Passwords of which only `right` is right, the callers that were asked for, and a clock that is set by hand. */
function watched() {
  const callers: Caller[] = [];
  const state = { now: new Date('2026-03-01T09:00:00Z') };
  const passwords = createPasswords(
    {
      run: (caller, work) => {
        callers.push(caller);
        return work();
      },
    },
    () => state.now,
    {
      hash: (password) => Promise.resolve(`hash of ${password}`),
      verify: (_passwordHash, password) => Promise.resolve(password === 'right'),
    },
  );
  const pass = (seconds: number) => {
    state.now = new Date(state.now.getTime() + seconds * 1_000);
  };
  return { passwords, callers, pass };
}

test('each address and each organization has its own turns', async (t) => {
  const { passwords, callers } = watched();
  const organizationId = newId<'organization'>();
  await passwords.isRight(STRANGER, 'wrong', undefined);
  await passwords.isRight({ address: '203.0.113.8' }, 'right', 'known hash');
  t.is(await passwords.hash({ organizationId }, 'secret'), 'hash of secret');
  t.deepEqual(callers, [
    { name: 'address 203.0.113.7', standing: 'trusted' },
    { name: 'address 203.0.113.8', standing: 'trusted' },
    { name: `organization ${organizationId}`, standing: 'trusted' },
  ]);
});

test('an address is suspected after more than one wrong password, for one to two minutes', async (t) => {
  const { passwords, callers, pass } = watched();
  for (let guess = 0; guess < 3; guess += 1) await passwords.isRight(STRANGER, 'wrong', undefined);
  await passwords.isRight({ address: '203.0.113.8' }, 'wrong', 'known hash');
  for (const seconds of [59, 60, 2]) {
    pass(seconds);
    await passwords.isRight(STRANGER, 'right', 'known hash');
  }
  const standings = callers.map(({ standing }) => standing);
  t.deepEqual(standings.slice(0, 4), ['trusted', 'trusted', 'suspected', 'trusted']);
  t.deepEqual(standings.slice(4), ['suspected', 'suspected', 'trusted']);
});

test('right passwords, however many, and wrong ones of signed-in users make no address suspected', async (t) => {
  const { passwords, callers } = watched();
  const organizationId = newId<'organization'>();
  for (let guess = 0; guess < 9; guess += 1) {
    await passwords.isRight(STRANGER, 'right', 'known hash');
    await passwords.isRight({ organizationId }, 'wrong', 'known hash');
  }
  t.is(callers.length, 18);
  t.true(callers.every(({ standing }) => standing === 'trusted'));
});
