import test from 'ava';
import type { Figure, Numbers } from '../../bench/rounds.ts';
import { judge, median, quantile, runRounds } from '../../bench/rounds.ts';

test('rounds go A B B A A B B A, and the first of each side only warms up', async (t) => {
  const order: string[] = [];
  const figures = [1, 1, 10, 5, 5, 10, 10, 5];
  const side = (name: string) => () => {
    order.push(name);
    return Promise.resolve({ [name]: figures.shift() ?? 0 });
  };
  const rounds = await runRounds([side('ours'), side('bare')], { rounds: 3, warmUps: 1 });
  t.is(order.join(' '), 'ours bare bare ours ours bare bare ours');
  t.deepEqual(
    rounds.map(({ ours, bare }) => [ours, bare]),
    [
      [5, 10],
      [5, 10],
      [5, 10],
    ],
  );
});

test('without a round to warm up each one counts', async (t) => {
  const rounds = await runRounds([() => Promise.resolve({ ours: 1 })], { rounds: 2, warmUps: 0 });
  t.deepEqual(rounds, [{ ours: 1 }, { ours: 1 }]);
});

const RATIO: Figure = { of: 'ours', unit: '/s', through: 'bare' };

function roundsOf(ours: readonly number[], bare: readonly number[]): readonly Numbers[] {
  return ours.map((figure, index) => ({ ours: figure, bare: bare[index] ?? 0 }));
}

test('ratios are computed pair by pair, and the spread is reported', (t) => {
  const { median: middle, lowest, highest } = judge(RATIO, roundsOf([8, 9, 10], [10, 10, 10]));
  t.deepEqual([lowest, middle, highest], [0.8, 0.9, 1]);
});

test('a figure without a counterpart is the median of its rounds, however they differ', (t) => {
  const judgement = judge({ of: 'ours', unit: 'ms' }, roundsOf([1, 9, 2], []));
  t.deepEqual(judgement, { median: 2, lowest: 1, highest: 9, voidBecause: [] });
});

test('a side whose rounds differ by more than a quarter voids the figures, and is named', (t) => {
  const voidBecause = (ours: readonly number[], bare: readonly number[]) =>
    judge(RATIO, roundsOf(ours, bare)).voidBecause;
  t.deepEqual(voidBecause([100, 125], [50, 50]), []);
  t.deepEqual(voidBecause([100, 126], [50, 50]), ['the rounds of «ours» differ by 26 %']);
  t.deepEqual(voidBecause([100, 100], [50, 75]), ['the rounds of «bare» differ by 50 %']);
});

test('a by-product is not judged by how its rounds agree', (t) => {
  t.deepEqual(judge({ ...RATIO, isByProduct: true }, roundsOf([1, 9], [1, 1])).voidBecause, []);
});

test('a figure of a number that no round measures is an error', (t) => {
  t.throws(() => judge({ ...RATIO, through: 'another' }, roundsOf([1], [1])), { message: /another/ });
});

test('quantiles are interpolated, whatever the order of the values', (t) => {
  t.is(median([3, 1, 2]), 2);
  t.is(median([4, 1, 3, 2]), 2.5);
  t.is(quantile([50, 10, 20, 30, 40], 0.75), 40);
  t.is(quantile([7], 0.99), 7);
  t.true(Number.isNaN(median([])));
});
