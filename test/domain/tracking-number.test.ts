import test from 'ava';
import * as fc from 'fast-check';
import { TRACKING_NUMBER_PATTERN, trackingNumber } from '../../domain/tracking-number.ts';

test('six bytes become six Crockford characters after prefix and date', (t) => {
  t.is(trackingNumber('TST', '2026-03-01', Uint8Array.of(0, 9, 10, 31, 32, 255)), 'TST-20260301-09AZ0Z');
});

test('all 32 characters occur, each by eight of the 256 bytes, and none is I, L, O or U', (t) => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const last = trackingNumber('TST', '2026-03-01', Uint8Array.of(0, 0, 0, 0, 0, byte)).at(-1) ?? '';
    counts.set(last, (counts.get(last) ?? 0) + 1);
  }
  t.is([...counts.keys()].sort().join(''), '0123456789ABCDEFGHJKMNPQRSTVWXYZ');
  t.deepEqual([...new Set(counts.values())], [8]);
});

test('every number fits the published pattern', (t) => {
  const pattern = new RegExp(TRACKING_NUMBER_PATTERN);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 6, maxLength: 6 }), (bytes) =>
      pattern.test(trackingNumber('AB', '2026-12-31', bytes)),
    ),
  );
  t.notRegex('AB-20261231-00000I', pattern);
});

for (const length of [0, 5, 7]) {
  test(`${length} bytes are rejected`, (t) => {
    t.throws(() => trackingNumber('TST', '2026-03-01', new Uint8Array(length)), { instanceOf: RangeError });
  });
}
