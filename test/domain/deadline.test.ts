import test from 'ava';
import {
  DEFAULT_DEADLINE_HOURS,
  deadlineRecordAt,
  deliveryDeadline,
  MAX_DEADLINE_SPREAD_SECONDS,
} from '../../domain/deadline.ts';
import { newId } from '../../store/new-id.ts';

const FROM = new Date('2026-03-28T22:30:00Z');
const AFTER = new Date('2026-04-02T08:00:00Z');
const BEFORE = new Date('2026-04-02T12:00:00Z');

function deadline(options: Partial<Parameters<typeof deliveryDeadline>[0]>): string {
  const defaults = { scheduledAfter: null, scheduledBefore: null, from: FROM, hours: DEFAULT_DEADLINE_HOURS };
  return deliveryDeadline({ priority: 'normal', ...defaults, ...options }).toISOString();
}

for (const [priority, asSoonAsPossible, scheduled] of [
  ['urgent', '2026-03-29T02:30:00.000Z', '2026-04-02T12:00:00.000Z'],
  ['high', '2026-03-29T22:30:00.000Z', '2026-04-03T08:00:00.000Z'],
  ['normal', '2026-03-30T22:30:00.000Z', '2026-04-04T08:00:00.000Z'],
  ['low', '2026-03-31T22:30:00.000Z', '2026-04-05T08:00:00.000Z'],
] as const) {
  test(`${priority}: the hours count from creation, or from scheduledAfter`, (t) => {
    t.is(deadline({ priority }), asSoonAsPossible);
    t.is(deadline({ priority, scheduledAfter: AFTER }), scheduled);
  });

  test(`${priority}: scheduledBefore is the deadline with scheduledAfter, and has no effect alone`, (t) => {
    t.is(deadline({ priority, scheduledAfter: AFTER, scheduledBefore: BEFORE }), BEFORE.toISOString());
    t.is(deadline({ priority, scheduledBefore: BEFORE }), asSoonAsPossible);
  });
}

test("an organization's own hours take the place of the default ones", (t) => {
  const hours = { urgent: 1, high: 2, normal: 3, low: 0.5 };
  t.is(deadline({ priority: 'low', hours }), '2026-03-28T23:00:00.000Z');
});

/** How long after a common deadline each of so many workflows wakes, in seconds, ascending. */
function wakes(crowd: number): readonly number[] {
  return Array.from({ length: crowd }, () => {
    const at = deadlineRecordAt(BEFORE, newId<'shipment'>(), crowd);
    return (at.getTime() - BEFORE.getTime()) / 1_000;
  }).toSorted((a, b) => a - b);
}

test('a lone workflow wakes within two seconds of its deadline, never before it', (t) => {
  for (const seconds of Array.from({ length: 50 }, () => wakes(1)[0])) {
    t.true(seconds !== undefined && seconds >= 0 && seconds < 2, `${seconds} s`);
  }
});

test('the workflows of a crowd wake at two a second, the largest crowd within an hour', (t) => {
  const seconds = wakes(1_000);
  const within100 = seconds.filter((each) => each < 100).length;
  t.true(within100 > 130 && within100 < 270, `${within100} within 100 s`);
  t.true((seconds.at(-1) ?? 0) < 500);
  const crowd = wakes(20_000);
  t.true((crowd.at(-1) ?? 0) > 3_000 && (crowd.at(-1) ?? 0) < MAX_DEADLINE_SPREAD_SECONDS);
});
