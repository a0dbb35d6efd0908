import test from 'ava';
import { date, dateTime, dateTimeText } from '../../../api/schema/schema-moments.ts';
import { parseWith } from '../../../api/schema/validate.ts';

const MOMENTS: readonly (readonly [sent: string, moment: string])[] = [
  ['2026-03-01T09:30:00+01:00', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01t09:30:00.25z', '2026-03-01T09:30:00.250Z'],
  ['2026-03-01T09:30Z', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30+01:00', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01T09:30:00+0100', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01T09:30-0330', '2026-03-01T13:00:00.000Z'],
  ['2026-03-01T09:30:00,25+01', '2026-03-01T08:30:00.250Z'],
  ['2024-02-29T23:59:59-12:00', '2024-03-01T11:59:59.000Z'],
  ['9998-12-31T23:59:59Z', '9998-12-31T23:59:59.000Z'],
];
for (const [sent, moment] of MOMENTS) {
  test(`a moment: ${sent} is ${moment}`, (t) => {
    t.deepEqual(parseWith(dateTime(), sent), { kind: 'valid', value: new Date(moment) });
  });
}

const NO_MOMENTS = [
  '2026-02-29T09:30:00Z',
  '2026-03-01T25:00:00Z',
  '2026-03-01T09:30:00',
  '2026-03-01T09:30',
  '2026-03-01T09Z',
  '2026-03-01T09:30:00+1',
  '2026-03-01T09:30:00+010',
  '2026-03-01T09:30:00+0160',
  '2026-03-01T09:30:00 01:00',
  '2026-03-01 09:30:00Z',
  '2026-03-01',
  '9999-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
];
for (const sent of NO_MOMENTS) {
  test(`no moment: ${sent}`, (t) => {
    t.is(parseWith(dateTime(), sent).kind, 'invalid');
  });
}

test('a moment in a query string may have a space where its + was', (t) => {
  const value = new Date('2026-03-01T08:30:00Z');
  for (const sent of ['2026-03-01T09:30:00 01:00', '2026-03-01T09:30 0100', '2026-03-01T09:30+01:00']) {
    t.deepEqual(parseWith(dateTimeText(), sent), { kind: 'valid', value }, sent);
  }
  for (const sent of ['2026-03-01 09:30:00Z', '2026-03-01 09:30:00 01:00', '2026-03-01T09:30:00  01:00']) {
    t.is(parseWith(dateTimeText(), sent).kind, 'invalid', sent);
  }
});

test('a day is kept as written when it exists', (t) => {
  t.deepEqual(parseWith(date(), '2024-02-29'), { kind: 'valid', value: '2024-02-29' });
  for (const sent of ['2026-02-29', '2026-13-01', '0000-01-01', '2026-3-1', '2026-03-01T00:00:00Z']) {
    t.is(parseWith(date(), sent).kind, 'invalid', sent);
  }
});
