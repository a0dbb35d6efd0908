import test from 'ava';
import { createPasswords, hashingBounds, hashPassword } from '../../../api/auth/passwords.ts';
import type { PasswordHashing } from '../../../api/auth/passwords.ts';
import { Refusal } from '../../../domain/problem.ts';
import { createFairQueue } from '../../../platform/fair-queue.ts';

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
  const widths = [1, 2, 3, 4, 64].map((cores) => hashingBounds(null, cores).width);
  t.deepEqual(widths, [1, 1, 2, 3, 3]);
  t.is(hashingBounds(7, 2).width, 7);
});

test('an unknown user’s password is hashed too, and never right', async (t) => {
  const { asked, hashing } = recorded(() => Promise.resolve(true));
  const passwords = createPasswords(createFairQueue(hashingBounds(1)), hashing);
  t.false(await passwords.isRight(STRANGER, 'secret', undefined));
  t.true(await passwords.isRight(STRANGER, 'secret', 'known hash'));
  t.is(asked.length, 2);
  t.regex(asked[0]?.passwordHash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('a stored hash that is none makes no password right', async (t) => {
  const passwords = createPasswords(createFairQueue(hashingBounds(1)));
  t.false(await passwords.isRight(STRANGER, 'none', 'none'));
  t.true(await passwords.isRight(STRANGER, 'secret', await hashPassword('secret')));
});

test('what finds no place is refused as limited, before it is hashed', async (t) => {
  const ends: (() => void)[] = [];
  const { asked, hashing } = recorded(() => new Promise((resolve) => ends.push(() => resolve(true))));
  const bounds = { width: 1, waitingPerLane: 1, waitingInAll: 10 };
  const passwords = createPasswords(createFairQueue(bounds), hashing);
  const guess = (password: string) => passwords.isRight(STRANGER, password, 'known hash');
  const [inHand, waiting] = [guess('first'), guess('second')];
  const error = await t.throwsAsync(guess('third'), { instanceOf: Refusal });
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

test('strangers at an address and signed-in users of an organization have their turns apart', async (t) => {
  const lanes: string[] = [];
  const { hashing } = recorded(() => Promise.resolve(true));
  const passwords = createPasswords(
    {
      take: (lane, work) => {
        lanes.push(lane);
        return work();
      },
    },
    hashing,
  );
  await passwords.isRight(STRANGER, 'secret', undefined);
  t.is(await passwords.hash(STRANGER, 'secret'), 'hash of secret');
  t.is(new Set(lanes).size, 1);
  await passwords.isRight({ address: '203.0.113.8' }, 'secret', undefined);
  t.is(new Set(lanes).size, 2);
});
