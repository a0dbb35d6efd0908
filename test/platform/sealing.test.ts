import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createSealing, parseSealingKeys, sealingKeyIdOf } from '../../platform/sealing.ts';

const [first, second] = ['k1', 'k2'].map((id) => ({ id, key: randomBytes(32) }));

test('a sealed text opens for its owner with its key alone, and differs each time', (t) => {
  const keys = [first, second].flatMap((key) => key ?? []);
  const sealing = createSealing(keys);
  const stored = sealing.seal('whsec_é', 'owner');
  t.is(sealingKeyIdOf(stored), 'k1');
  t.false(stored.includes('whsec'));
  t.not(sealing.seal('whsec_é', 'owner'), stored);
  t.is(sealing.open(stored, 'owner'), 'whsec_é');
  t.is(createSealing(keys.toReversed()).open(stored, 'owner'), 'whsec_é', 'any of the keys opens');
  t.throws(() => sealing.open(stored, 'another'));
  const last = stored.endsWith('A') ? 'B' : 'A';
  t.throws(() => sealing.open(`${stored.slice(0, -3)}${last}${stored.slice(-2)}`, 'owner'));
  t.throws(() => createSealing(keys.slice(1)).open(stored, 'owner'), { message: /needs the key k1/ });
});

test('without keys texts are stored as they are, and those of before are returned as they are', (t) => {
  t.is(createSealing([]).seal('whsec_1', 'owner'), 'whsec_1');
  t.is(createSealing(first === undefined ? [] : [first]).open('whsec_1', 'owner'), 'whsec_1');
});

test('a list of keys has ids that differ and keys of 32 bytes', (t) => {
  const key = randomBytes(32).toString('base64');
  t.deepEqual(
    parseSealingKeys(`k2:${key},k1:${key}`)?.map(({ id }) => id),
    ['k2', 'k1'],
  );
  for (const wrong of ['', key, `k1:${key},`, `k1:${key},k1:${key}`, `k1:${key.slice(4)}`, `k 1:${key}`]) {
    t.is(parseSealingKeys(wrong), undefined, wrong);
  }
});
