import test from 'ava';
import * as fc from 'fast-check';
import { formatEventTime } from '../../domain/event-time.ts';

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
