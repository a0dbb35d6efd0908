import test from 'ava';
import { fromWallClock, toWallClock } from '../../web/shared/zoned-time.ts';

/** Zone, what its wall clock shows, the moment: offsets of half an hour, and days on which the clocks change. */
const CLOCKS = [
  ['UTC', '2026-03-12T14:05', '2026-03-12T14:05:00.000Z'],
  ['Europe/Paris', '2026-03-12T14:05', '2026-03-12T13:05:00.000Z'],
  ['Africa/Algiers', '2026-07-01T00:00', '2026-06-30T23:00:00.000Z'],
  ['Asia/Kolkata', '2026-07-01T05:30', '2026-07-01T00:00:00.000Z'],
  ['America/New_York', '2026-12-31T20:00', '2027-01-01T01:00:00.000Z'],
  // Twice on this night: the first.
  ['Europe/Paris', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
] as const;

for (const [zone, shown, moment] of CLOCKS) {
  test(`a clock in ${zone} that shows ${shown} means ${moment}, and back`, (t) => {
    t.is(fromWallClock(shown, zone), moment);
    t.is(toWallClock(moment, zone), shown);
  });
}

test('an hour that the clocks skip is read as the hour after it', (t) => {
  t.is(fromWallClock('2026-03-29T02:30', 'Europe/Paris'), '2026-03-29T01:30:00.000Z');
});

test('what is no value of a date field is no moment', (t) => {
  for (const value of ['', 'T00:00', '2026-03-12', '2026-13-12T00:00', 'yesterday']) {
    t.is(fromWallClock(value, 'UTC'), undefined, value);
  }
});
