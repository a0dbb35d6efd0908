import test from 'ava';
import { whenStoreIsLost } from './temporal-store.ts';

function losses(moments: readonly (readonly [ms: number, line: string])[]): number {
  let count = 0;
  let nowMs = 0;
  const read = whenStoreIsLost(
    () => (count += 1),
    () => nowMs,
  );
  for (const [ms, line] of moments) {
    nowMs = ms;
    read(line);
  }
  return count;
}

const SIGN = '"error":"interrupted (9)"';

test('a store that stays interrupted for ten seconds is lost, and reported once', (t) => {
  t.is(losses([0, 3_000, 6_000, 9_000, 12_000, 13_000].map((ms) => [ms, SIGN])), 1);
});

test('a store that is interrupted now and then is not lost', (t) => {
  t.is(losses([0, 3_000, 30_000, 33_000, 60_000].map((ms) => [ms, SIGN])), 0);
});

test('other lines say nothing about the store', (t) => {
  t.is(losses([0, 4_000, 8_000, 12_000].map((ms) => [ms, '"error":"context deadline exceeded"'])), 0);
});
