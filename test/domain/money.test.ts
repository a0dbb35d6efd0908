import test from 'ava';
import * as fc from 'fast-check';
import { formatAmount, parseAmount } from '../../domain/money.ts';

for (const [text, cents] of [
  ['0.00', 0],
  ['0.01', 1],
  ['1250.50', 125_050],
  ['007.00', 700],
  ['9999999999.99', 999_999_999_999],
] as const) {
  test(`${text} is ${cents} cents`, (t) => t.is(parseAmount(text), cents));
}

for (const text of [
  '',
  '1',
  '1.',
  '.50',
  '1.5',
  '1.500',
  '1,50',
  '-1.00',
  '+1.00',
  ' 1.00',
  '1.00 ',
  '1e3',
  '1 000.00',
  'NaN',
  '١.٠٠',
  '12345678901.00',
  '1.00\n',
]) {
  test(`${JSON.stringify(text)} is not an amount`, (t) => t.is(parseAmount(text), undefined));
}

test('an amount written and read again is the same to the cent', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (cents) => {
      if (parseAmount(formatAmount(cents)) !== cents) throw new Error(formatAmount(cents));
    }),
  );
  t.is(formatAmount(5), '0.05');
  t.is(formatAmount(-5), '-0.05');
  t.is(formatAmount(-125_050), '-1250.50');
});

for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
  test(`${value} is not a whole number of cents and throws`, (t) => {
    t.throws(() => formatAmount(value), { instanceOf: RangeError });
  });
}
