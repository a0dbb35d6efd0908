import test from 'ava';
import { writeMoment } from '../../../api/schema/write-moment.ts';

test('a moment is written as toISOString does, before 1970, after 9999 and at the ends of days', (t) => {
  const day = 86_400_000;
  const edges = [0, day, 20_000 * day, Date.UTC(9999, 11, 31), Date.UTC(10_000, 0, 1), Date.UTC(-1, 0, 1)];
  const offsets = [-day, -1, 0, 1, 999, 59_999, 3_600_000, day - 1];
  for (const edge of edges) {
    for (const offset of offsets) {
      const moment = new Date(edge + offset);
      t.is(writeMoment(moment), moment.toISOString());
    }
  }
  // More days than are remembered.
  for (let index = 0; index < 2_500; index += 1) {
    const moment = new Date(index * day + index);
    t.is(writeMoment(moment), moment.toISOString());
  }
  t.throws(() => writeMoment(new Date(Number.NaN)), { instanceOf: RangeError });
});
