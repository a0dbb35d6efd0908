import test from 'ava';
import { compare, compareRounds, median, quantile } from '../../bench/rounds.ts';

test('rounds go A B B A A B B A, and the first of each side only warms up', async (t) => {
  const order: string[] = [];
  const figures = [1, 1, 10, 5, 5, 10, 10, 5];
  const side = (name: string) => ({
    name,
    run: () => {
      order.push(name);
      return Promise.resolve(figures.shift() ?? 0);
    },
  });
  const comparison = await compare(side('ours'), side('bare'), 3);
  t.is(order.join(' '), 'ours bare bare ours ours bare bare ours');
  t.deepEqual(comparison.ours, [5, 5, 5]);
  t.deepEqual(comparison.bare, [10, 10, 10]);
  t.is(comparison.medianRatio, 0.5);
  t.deepEqual(comparison.voidBecause, []);
});

test('ratios are computed pair by pair, and the spread is reported', (t) => {
  const { medianRatio, lowestRatio, highestRatio } = compareRounds('ours', [8, 9, 10], 'bare', [10, 10, 10]);
  t.deepEqual([lowestRatio, medianRatio, highestRatio], [0.8, 0.9, 1]);
});

test('a side whose rounds differ by more than a quarter voids the figures, and is named', (t) => {
  t.deepEqual(compareRounds('ours', [100, 125], 'bare', [50, 50]).voidBecause, []);
  t.deepEqual(compareRounds('ours', [100, 126], 'bare', [50, 50]).voidBecause, [
    'the rounds of «ours» differ by 26 %',
  ]);
  t.deepEqual(compareRounds('ours', [100, 100], 'bare', [50, 75]).voidBecause, [
    'the rounds of «bare» differ by 50 %',
  ]);
});

test('quantiles are interpolated, whatever the order of the values', (t) => {
  t.is(median([3, 1, 2]), 2);
  t.is(median([4, 1, 3, 2]), 2.5);
  t.is(quantile([50, 10, 20, 30, 40], 0.75), 40);
  t.is(quantile([7], 0.99), 7);
  t.true(Number.isNaN(median([])));
});
