import test from 'ava';
import { EventEmitter, once } from 'node:events';
import { createTurns, TurnsFull } from '../../platform/turns.ts';

test('work is done one after the other, in the order in which it came', async (t) => {
  const turns = createTurns(3);
  const seen: string[] = [];
  const gate = new EventEmitter();
  const works = [
    turns.take(async () => {
      seen.push('first begins');
      await once(gate, 'open');
      seen.push('first ends');
    }),
    turns.take(() => Promise.resolve(seen.push('second'))),
  ];
  await Promise.resolve();
  gate.emit('open');
  await Promise.all(works);
  t.deepEqual(seen, ['first begins', 'first ends', 'second']);
});

test('what is too much is refused at once, and taken again when there is room', async (t) => {
  const turns = createTurns(2);
  const gate = new EventEmitter();
  const inHand = turns.take(() => once(gate, 'open'));
  const waiting = turns.take(() => Promise.resolve('second'));
  await t.throwsAsync(
    turns.take(() => Promise.resolve('third')),
    { instanceOf: TurnsFull },
  );
  gate.emit('open', 'first');
  t.deepEqual(await Promise.all([inHand, waiting]), [['first'], 'second']);
  t.is(await turns.take(() => Promise.resolve('third')), 'third');
});

test('work that fails keeps no other from its turn', async (t) => {
  const turns = createTurns(2);
  const failing = turns.take(() => Promise.reject(new Error('broken')));
  const next = turns.take(() => Promise.resolve('done'));
  await t.throwsAsync(failing, { message: 'broken' });
  t.is(await next, 'done');
});
