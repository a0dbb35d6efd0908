import test from 'ava';
import { matchingOptions } from '../../web/shared/matching-options.ts';

const OPTIONS = [
  { value: 'north', label: 'Relais Nord, Lille' },
  { value: 'south', label: 'Relais Sud, Nice', foundBy: 'PP-07' },
  { value: 'east', label: 'Été PP-07, Metz' },
];

test('a choice has what its labels match, and what the service found for this very text', (t) => {
  const CASES = [
    ['', ['north', 'south', 'east']],
    ['nord relais', ['north']],
    ['ete', ['east']],
    [' PP-07 ', ['south', 'east']],
    ['PP-0', ['east']],
    ['PP-08', []],
  ] as const;
  for (const [typed, values] of CASES)
    t.deepEqual(
      matchingOptions(OPTIONS, typed).map(({ value }) => value),
      [...values],
      typed,
    );
});
