import test from 'ava';
import { newId } from '../../store/new-id.ts';

test('an id is a UUID of version 7 that begins with its time', (t) => {
  const before = Date.now();
  const id = newId<'shipment'>();
  t.regex(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  t.true(madeAt >= before && madeAt <= Date.now());
});

test('ids of one process ascend, so that new rows lie together in an index', (t) => {
  const ids = Array.from({ length: 1_000 }, () => newId());
  t.deepEqual(ids, ids.toSorted());
  t.is(new Set(ids).size, ids.length);
});
