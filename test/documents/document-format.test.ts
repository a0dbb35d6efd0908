import test from 'ava';

import { formatAmount, formatInstant, formatMoney, formatNumber } from '../../documents/document-format.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('an amount has two decimals and grouped thousands in each language', (t) => {
  const cases = [
    [0, '0.00', '0,00', '0.00'],
    [5, '0.05', '0,05', '0.05'],
    [123, '1.23', '1,23', '1.23'],
    [99999, '999.99', '999,99', '999.99'],
    [123456789, '1,234,567.89', '1 234 567,89', '1 234 567.89'],
    [-150000, '−1,500.00', '−1 500,00', '−1 500.00'],
  ] as const;
  for (const [cents, english, french, neutral] of cases) {
    t.is(plain(formatAmount(cents, 'en')), english);
    t.is(plain(formatAmount(cents, 'fr')), french);
    t.is(plain(formatAmount(cents, 'neutral')), neutral);
  }
});

test('an amount never breaks between its digits or before its currency', (t) => {
  t.notRegex(formatMoney(123456789, 'DZD', 'fr'), / /u);
});

test('a weight keeps the decimals that it has', (t) => {
  t.is(formatNumber(2.35, 'fr'), '2,35');
  t.is(formatNumber(1000, 'en'), '1,000');
  t.is(formatNumber(0.125, 'neutral'), '0.125');
});

test('an instant is shown in the organization’s time zone, with its offset', (t) => {
  t.is(
    formatInstant(new Date('2026-11-20T23:30:00Z'), 'Africa/Algiers', 'en'),
    '21 Nov 2026, 00:30 (UTC+01:00)',
  );
  t.is(
    formatInstant(new Date('2026-08-01T10:05:00+00:00'), 'Europe/Paris', 'fr'),
    '1 août 2026, 12:05 (UTC+02:00)',
  );
  t.is(formatInstant(new Date('2026-01-02T03:04:05.678901Z'), 'UTC', 'en'), '2 Jan 2026, 03:04 (UTC+00:00)');
});

test('a time zone that does not exist is rejected', (t) => {
  t.throws(() => formatInstant(new Date('2026-01-02T03:04:05Z'), 'Mars/Olympus', 'en'), {
    instanceOf: RangeError,
  });
});
