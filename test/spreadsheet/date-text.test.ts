import test from 'ava';

import { dateTextReader } from '../../spreadsheet/date-text.ts';
import { isOnCalendar, wallClockIn } from '../../spreadsheet/time-zone.ts';

const readDateText = dateTextReader();

const readsAs = test.macro((t, text: string, date: string, time?: string) => {
  const reading = readDateText(text);
  if (reading.kind !== 'wall_clock') return t.fail(reading.kind);
  const { year, month, day, hour, minute, second } = reading.clock;
  t.is([year, month, day].join('-'), date);
  t.is(reading.hasTime, time !== undefined);
  if (time !== undefined) t.is([hour, minute, second].join(':'), time);
});

for (const [text, time] of [
  ['2026-03-12', undefined],
  ['2026-03-12 14:05', '14:5:0'],
  ['2026-03-12T14:05:09', '14:5:9'],
  ['2026/3/12', undefined],
  ['12.03.2026', undefined],
  ['12.3.2026 8h30', '8:30:0'],
  ['12 mars 2026 à 14h', '14:0:0'],
  ['jeudi 12 mars 2026', undefined],
  ['March 12, 2026 2:30 PM', '14:30:0'],
  ['12-Mar-2026', undefined],
  ['12th March 2026 at 12:15 am', '0:15:0'],
  ['12 مارس 2026', undefined],
  ['١٢ مارس ٢٠٢٦', undefined],
] as const) {
  test(`«${text}» is one date`, readsAs, text, '2026-3-12', time);
}
test('a day above 12 stands first', readsAs, '25/03/2026', '2026-3-25');
test('a day above 12 stands second', readsAs, '03/25/2026 09:00', '2026-3-25', '9:0:0');
test('the same day and month are not ambiguous', readsAs, '05/05/2026', '2026-5-5');
test('French August', readsAs, '1er août 2026', '2026-8-1');
test('Algerian July', readsAs, '5 جويلية 2026', '2026-7-5');

const isNoDate = test.macro((t, text: string, kind: 'ambiguous' | 'unknown') => {
  t.is(readDateText(text).kind, kind);
});
test('3 April or 4 March is ambiguous', isNoDate, '03/04/2026', 'ambiguous');
test('with dashes as well', isNoDate, '03-04-2026 14:00', 'ambiguous');
for (const text of [
  '2026-02-30',
  '31.04.2026',
  '12/03/26',
  'demain',
  '14:00',
  '2026-03-12 25:00',
  '2026-02-30T10:00:00Z',
  '',
  '12 foo 2026',
]) {
  test(`«${text}» is no date`, isNoDate, text, 'unknown');
}

test('text with an offset is an instant', (t) => {
  t.deepEqual(readDateText('2026-03-12T14:00+0100'), { kind: 'instant', iso: '2026-03-12T14:00:00+01:00' });
  t.deepEqual(readDateText('2026-03-12 14:00:05.123z'), { kind: 'instant', iso: '2026-03-12T14:00:05Z' });
});

test('long texts are refused at once', (t) => {
  const before = process.cpuUsage();
  for (const text of ['1'.repeat(30_000), ' '.repeat(30_000), '12 '.repeat(10_000), 'à '.repeat(15_000)]) {
    t.is(readDateText(text).kind, 'unknown');
  }
  t.true(process.cpuUsage(before).user / 1_000 < 2_000);
});

const clock = { year: 2026, month: 3, day: 29, hour: 2, minute: 30, second: 0 };

test('a time that clocks skip is moved on by the gap', (t) => {
  t.is(wallClockIn('Europe/Paris')(clock), '2026-03-29T03:30:00+02:00');
});

test('a time that occurs twice is the first of the two', (t) => {
  t.is(wallClockIn('Europe/Paris')({ ...clock, month: 10, day: 25 }), '2026-10-25T02:30:00+02:00');
});

test('offsets of any sign and size are written', (t) => {
  t.is(wallClockIn('UTC')(clock), '2026-03-29T02:30:00+00:00');
  t.is(wallClockIn('Asia/Kathmandu')(clock), '2026-03-29T02:30:00+05:45');
  t.is(wallClockIn('America/St_Johns')(clock), '2026-03-29T02:30:00-02:30');
});

test('an unknown time zone throws', (t) => {
  t.throws(() => wallClockIn('Mars/Phobos'), { instanceOf: RangeError });
});

test('leap days are on the calendar, 30 February is not', (t) => {
  t.true(isOnCalendar({ ...clock, year: 2028, month: 2, day: 29 }));
  t.false(isOnCalendar({ ...clock, month: 2, day: 30 }));
  t.false(isOnCalendar({ ...clock, hour: 24 }));
});
