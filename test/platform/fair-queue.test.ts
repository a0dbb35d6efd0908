import { setImmediate as settled } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { createFairQueue, QueueFullError } from '../../platform/fair-queue.ts';
import type { QueueBounds } from '../../platform/fair-queue.ts';

const A = { name: 'a', standing: 'trusted' } as const;
const AMPLE: QueueBounds = { concurrency: 1, maxWaitingPerCaller: 100, maxWaiting: 1_000 };

/** A queue with works that end when the test says so. */
function stage(bounds: Partial<QueueBounds> = {}) {
  const queue = createFairQueue({ ...AMPLE, ...bounds });
  const begun: string[] = [];
  const refused: string[] = [];
  const inHand = new Map<string, () => void>();
  const send = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      // The caller is the name's first letter; capitals are suspected.
      const letter = name.slice(0, 1);
      const standing = letter === letter.toUpperCase() ? 'suspected' : 'trusted';
      const work = queue.run(
        { name: letter.toLowerCase(), standing },
        () =>
          new Promise<void>((resolve) => {
            begun.push(name);
            inHand.set(name, resolve);
          }),
      );
      work.catch((error: unknown) => {
        if (error instanceof QueueFullError) refused.push(name);
      });
    }
    await settled();
  };
  /** Ends what is in hand, the oldest first, until nothing is. */
  const finish = async (): Promise<void> => {
    for (;;) {
      const [first] = inHand;
      if (first === undefined) return;
      inHand.delete(first[0]);
      first[1]();
      await settled();
    }
  };
  return { queue, begun, refused, inHand, send, finish };
}

test('callers are served in turn, the work of each in the order in which it came', async (t) => {
  const { begun, send, finish } = stage();
  await send('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
  await finish();
  t.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('work that comes late waits for one piece of each other caller', async (t) => {
  const { begun, send, finish } = stage();
  await send('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3');
  await send('c1');
  await finish();
  t.deepEqual(begun.slice(0, 4), ['a1', 'a2', 'b1', 'c1']);
});

test('trusted and suspected callers take turns, so few of one standing never wait for all others', async (t) => {
  const { begun, send, finish } = stage();
  await send('A1', 'A2', 'B1', 'C1', 'D1', 'e1', 'e2', 'f1');
  await finish();
  t.deepEqual(begun, ['A1', 'e1', 'A2', 'f1', 'B1', 'e2', 'C1', 'D1']);
});

test('a caller that becomes suspected waits among the suspected, and keeps its order', async (t) => {
  const { begun, send, finish } = stage();
  await send('X1', 'a1', 'a2', 'B1', 'A3', 'c1', 'c2', 'c3');
  await finish();
  t.deepEqual(begun, ['X1', 'c1', 'B1', 'c2', 'a1', 'c3', 'a2', 'A3']);
});

test('no more pieces than `concurrency` are in hand, and no place stays empty', async (t) => {
  const { begun, inHand, send, finish } = stage({ concurrency: 2 });
  await send('a1', 'a2', 'a3', 'b1');
  t.deepEqual([...inHand.keys()], ['a1', 'a2']);
  await finish();
  t.deepEqual(begun, ['a1', 'a2', 'a3', 'b1']);
  await send('a4', 'a5', 'a6');
  t.deepEqual([...inHand.keys()], ['a4', 'a5']);
  await finish();
});

test('a caller never has more in hand than its bound, and a free place goes to another', async (t) => {
  const { begun, inHand, send, finish } = stage({ concurrency: 2, concurrencyPerCaller: 1 });
  await send('a1', 'a2', 'a3');
  t.deepEqual([...inHand.keys()], ['a1']);
  await send('b1', 'b2', 'c1');
  t.deepEqual([...inHand.keys()], ['a1', 'b1']);
  await finish();
  t.deepEqual(begun, ['a1', 'b1', 'a2', 'b2', 'c1', 'a3']);
});

test('a caller whose places are in use is rejected immediately, other callers are not', async (t) => {
  const { begun, refused, send, finish } = stage({ maxWaitingPerCaller: 2 });
  await send('a1', 'a2', 'a3', 'a4', 'b1', 'b2');
  t.deepEqual(refused, ['a4']);
  await finish();
  t.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'b2']);
  await send('a5');
  t.is(begun.at(-1), 'a5');
  await finish();
});

test('with all places in use the caller with the most waiting loses its newest piece', async (t) => {
  const { begun, refused, send, finish } = stage({ maxWaiting: 4 });
  await send('a1', 'a2', 'a3', 'a4', 'b1', 'c1');
  t.deepEqual(refused, ['a4']);
  await send('d1');
  t.deepEqual(refused, ['a4', 'a3']);
  await finish();
  t.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'd1']);
});

test('a newcomer is rejected when no caller has more waiting than it would have', async (t) => {
  const { begun, refused, send, finish } = stage({ maxWaiting: 2 });
  await send('a1', 'a2', 'b1', 'c1', 'b2');
  t.deepEqual(refused, ['c1', 'b2']);
  await finish();
  t.deepEqual(begun, ['a1', 'a2', 'b1']);
});

test('with all places in use, many of one standing yield to few of the other', async (t) => {
  const { begun, refused, send, finish } = stage({ maxWaiting: 4 });
  await send('X1', 'A1', 'B1', 'C1', 'D1', 'e1', 'e2');
  t.deepEqual(refused, ['D1', 'C1']);
  await send('e3', 'A2');
  // Each standing has half of the places now: neither takes one from the other.
  t.deepEqual(refused, ['D1', 'C1', 'e3', 'A2']);
  await finish();
  t.deepEqual(begun, ['X1', 'e1', 'A1', 'e2', 'B1']);
});

test('work that fails gives its place on, and its error to its caller', async (t) => {
  const { queue, begun, send, finish } = stage();
  const failing = queue.run(A, () => Promise.reject(new Error('broken')));
  await send('b1');
  await t.throwsAsync(failing, { message: 'broken' });
  await settled();
  t.deepEqual(begun, ['b1']);
  await finish();
  t.is(await queue.run(A, () => Promise.resolve('done')), 'done');
});

test('in any order of arrival and end the bounds hold and all work is served or rejected', async (t) => {
  const step = fc.oneof(fc.constantFrom('a', 'b', 'C', 'D', 'd'), fc.constant('end'));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { begun, refused, inHand, send, finish } = stage({
        concurrency: 2,
        maxWaitingPerCaller: 3,
        maxWaiting: 5,
      });
      let sent = 0;
      for (const what of steps) {
        if (what === 'end') {
          const [first] = inHand;
          if (first === undefined) continue;
          inHand.delete(first[0]);
          first[1]();
          await settled();
        } else {
          sent += 1;
          await send(`${what}${sent}`);
        }
        const waiting = sent - begun.length - refused.length;
        t.true(inHand.size <= 2 && waiting <= 5);
        t.true(waiting === 0 || inHand.size === 2);
      }
      await finish();
      t.is(begun.length + refused.length, sent);
      t.is(new Set([...begun, ...refused]).size, sent);
    }),
    { numRuns: 60 },
  );
});
