import test from 'ava';
import * as fc from 'fast-check';
import { countedMoment, formatEventTime, occurredAtProblem } from '../../domain/event-time.ts';

for (const [microseconds, text] of [
  [0, '1970-01-01T00:00:00.000000+00:00'],
  [1_772_357_400_123_456, '2026-03-01T09:30:00.123456+00:00'],
  [1_772_357_400_000_001, '2026-03-01T09:30:00.000001+00:00'],
  [1_772_357_400_999_999, '2026-03-01T09:30:00.999999+00:00'],
] as const) {
  test(`${microseconds} is ${text}`, (t) => t.is(formatEventTime(microseconds), text));
}

test('a later moment is a greater text, to the microsecond', (t) => {
  const moments = fc.integer({ min: 0, max: 4_000_000_000_000_000 });
  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 2_000_000 }), (moment, gap) => {
      return formatEventTime(moment) < formatEventTime(moment + gap);
    }),
  );
  t.pass();
});

const NOW = new Date('2026-03-10T08:00:00.000Z');
const DAY_SECONDS = 86_400;

for (const [aheadSeconds, difference] of [
  [-7 * DAY_SECONDS - 0.2, '7 days 1 second back'],
  [-8 * DAY_SECONDS - 3_723, '8 days 1 hour 2 minutes 3 seconds back'],
  [-7 * DAY_SECONDS, undefined],
  [-1, undefined],
  [0, undefined],
  [300, undefined],
  [300.2, '5 minutes 1 second ahead'],
  [600.4, '10 minutes ahead'],
  [3 * DAY_SECONDS, '3 days ahead'],
] as const) {
  test(`a moment that lies ${aheadSeconds} s ahead: ${difference ?? 'taken'}`, (t) => {
    const moment = new Date(NOW.getTime() + aheadSeconds * 1_000);
    const problem = occurredAtProblem(moment, NOW);
    if (difference === undefined) t.is(problem, undefined);
    else t.true(problem?.message.includes(`it is ${difference}.`), problem?.message);
    t.deepEqual(countedMoment(moment, NOW), aheadSeconds > 0 ? NOW : moment);
  });
}
