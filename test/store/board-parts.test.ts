import test from 'ava';
import { inParts } from '../../store/board/in-parts.ts';

/** The parts of three that these lists come to. */
async function partsOf(...lists: readonly (readonly number[])[]): Promise<readonly (readonly number[])[]> {
  const read = async function* () {
    for (const list of lists) yield await Promise.resolve(list);
  };
  const parts: (readonly number[])[] = [];
  for await (const part of inParts(read(), 3)) parts.push([...part]);
  return parts;
}

test('the parts of a board depend on its tasks alone, not on what was left out between them', async (t) => {
  const parts = [[1, 2, 3], [4, 5, 6], [7]];
  t.deepEqual(await partsOf([1, 2, 3], [4, 5, 6], [7]), parts);
  t.deepEqual(await partsOf([1], [], [2, 3, 4, 5, 6], [7], []), parts);
  t.deepEqual(await partsOf([1, 2, 3, 4, 5, 6, 7]), parts);
  t.deepEqual(await partsOf([], []), []);
});
