import fc from 'fast-check';
import test from 'ava';

import { placeBlocks } from '../../documents/page-flow.ts';
import type { FlowBlock } from '../../documents/page-flow.ts';

const AREA = { firstTopPt: 10, nextTopPt: 20, bottomPt: 100 };

const block = (
  name: string,
  heightPt: number,
  more: Partial<FlowBlock> = {},
): FlowBlock & { name: string } => {
  return { name, heightPt, gapPt: 5, draw: () => undefined, ...more };
};

test('blocks that fit are on one page, with their gaps between them', (t) => {
  const pages = placeBlocks([block('a', 30), block('b', 30)], AREA);
  t.deepEqual(
    pages.map((page) => page.map(({ topPt }) => topPt)),
    [[10, 45]],
  );
});

test('a table continues under its repeated header', (t) => {
  const repeatedHead = { heightPt: 7, draw: () => undefined };
  const rows = ['a', 'b', 'c'].map((name) => block(name, 40, { gapPt: 0, repeatedHead }));
  const pages = placeBlocks(rows, AREA);
  t.deepEqual(
    pages.map((page) => page.map(({ topPt }) => topPt)),
    [
      [10, 50],
      [20, 27],
    ],
  );
});

test('a block that is kept with the next moves with it', (t) => {
  const pages = placeBlocks([block('a', 50), block('head', 5, { keepWithNext: true }), block('b', 40)], AREA);
  t.deepEqual(
    pages.map((page) => page.length),
    [1, 2],
  );
});

test('no block is lost or reordered, and only a block higher than a page overflows', (t) => {
  const heights = fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(heights, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (sizes, kept) => {
      const drawn: number[] = [];
      const blocks = sizes.map((heightPt, index) =>
        block(String(index), heightPt, { keepWithNext: kept[index] === true, draw: () => drawn.push(index) }),
      );
      const pages = placeBlocks(blocks, AREA);
      pages.flat().forEach(({ draw, topPt }) => draw(topPt));
      t.deepEqual(drawn, [...sizes.keys()]);
      let index = 0;
      for (const page of pages) {
        t.true(page.length > 0);
        for (const { topPt } of page) {
          const heightPt = sizes[index] ?? 0;
          index += 1;
          t.true(topPt + heightPt <= AREA.bottomPt || page.length === 1, `block ${index} of ${sizes.join()}`);
        }
      }
    }),
    { numRuns: 200 },
  );
});
