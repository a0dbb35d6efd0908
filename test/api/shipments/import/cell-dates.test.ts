import test from 'ava';
import { accepted, faulty } from './cells.ts';

test(
  'a date cell is a wall clock of the organization',
  accepted,
  'scheduled_after',
  { date: '2026-07-12T14:00:00' },
  'scheduledAfter',
  '2026-07-12T14:00:00+02:00',
);
test(
  'a day begins at midnight',
  accepted,
  'scheduled_after',
  { date: '2026-03-12T00:00:00' },
  'scheduledAfter',
  '2026-03-12T00:00:00+01:00',
);
test(
  'a last day ends before midnight',
  accepted,
  'scheduled_before',
  { date: '2026-03-12T00:00:00' },
  'scheduledBefore',
  '2026-03-12T23:59:59+01:00',
);
test(
  'a text with its own offset is left as it is',
  accepted,
  'scheduled_after',
  '2026-03-12T14:00:00Z',
  'scheduledAfter',
  '2026-03-12T14:00:00Z',
);
for (const text of ['2026-03-12T14:00Z', '2026-03-12T14:00+01:00', '2026-03-12T14:00:00+0100']) {
  test(`${text} is left as it is`, accepted, 'scheduled_after', text, 'scheduledAfter', text);
}
test(
  'a date with two readings is reported',
  faulty,
  'scheduled_after',
  '03/04/2026',
  /two dates.*2026-03-12/u,
);
test(
  'a time without a date is reported',
  faulty,
  'scheduled_after',
  { date: '1899-12-30T14:00:00' },
  /“14:00:00” is not a date/u,
);
test('a number that lost its date format is reported', faulty, 'scheduled_after', 46093, /plain number/u);
