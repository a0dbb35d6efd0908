import test from 'ava';
import { createLogDestination } from '../../platform/log-destination.ts';
import type { WriteBytes } from '../../platform/log-destination.ts';

/** What one write does: fails with a code, or writes at most so many bytes. */
type Outcome = { readonly code: string } | { readonly bytes: number };

/** A destination over writes whose outcomes are given in order; after the last one everything is written. */
function makeDestination(outcomes: readonly Outcome[]) {
  const remaining = [...outcomes];
  let written = '';
  let dropped = 0;
  let recoveries = 0;
  const pending: (() => void)[] = [];
  const writeBytes: WriteBytes = (_, bytes, callback) => {
    pending.push(() => {
      const outcome = remaining.shift() ?? { bytes: bytes.length };
      if ('code' in outcome) {
        callback(Object.assign(new Error(outcome.code), { code: outcome.code }), 0);
        return;
      }
      written += bytes.subarray(0, outcome.bytes).toString();
      callback(null, Math.min(outcome.bytes, bytes.length));
    });
  };
  const destination = createLogDestination({
    fileDescriptor: -1,
    writeBytes,
    onDropped: (lines) => {
      dropped += lines;
    },
    onRecovered: () => {
      recoveries += 1;
    },
  });
  return {
    write: destination.write,
    /** Lets every write that has begun, and those that follow from it, end. */
    settle: () => {
      for (let next = pending.shift(); next !== undefined; next = pending.shift()) next();
    },
    state: () => ({ written, dropped, recoveries }),
  };
}

test('lines are written in order, those that wait for a write together', (t) => {
  const { write, settle, state } = makeDestination([]);
  for (const line of ['1\n', '2\n', '3\n']) write(line);
  settle();
  t.deepEqual(state(), { written: '1\n2\n3\n', dropped: 0, recoveries: 0 });
});

for (const code of ['ENOSPC', 'EIO', 'EPIPE']) {
  test(`${code}: lines are dropped and counted, and the next line is tried`, (t) => {
    const { write, settle, state } = makeDestination([{ code }, { code }]);
    for (const line of ['1\n', '2\n', '3\n']) write(line);
    settle();
    t.deepEqual(state(), { written: '', dropped: 3, recoveries: 0 });
    write('4\n');
    settle();
    t.deepEqual(state(), { written: '4\n', dropped: 3, recoveries: 1 });
    write('5\n');
    settle();
    t.deepEqual(state(), { written: '4\n5\n', dropped: 3, recoveries: 1 });
  });
}

test('a line that was written in part is counted, and the next one begins on a line of its own', (t) => {
  const { write, settle, state } = makeDestination([{ bytes: 3 }, { code: 'ENOSPC' }]);
  write('abcdef\n');
  settle();
  write('next\n');
  settle();
  t.deepEqual(state(), { written: 'abc\nnext\n', dropped: 1, recoveries: 1 });
});

test('a short write is continued where it ended', (t) => {
  const { write, settle, state } = makeDestination([{ bytes: 2 }, { bytes: 1 }]);
  write('abcdef\n');
  settle();
  t.deepEqual(state(), { written: 'abcdef\n', dropped: 0, recoveries: 0 });
});

test('a receiver that reads nothing costs a bounded amount of memory', (t) => {
  const { write, settle, state } = makeDestination([]);
  const line = `${'x'.repeat(1_048_575)}\n`;
  // The first line is in the write that does not end; four more fill the queue.
  for (let index = 0; index < 10; index += 1) write(line);
  t.is(state().dropped, 5);
  settle();
  t.is(state().written.length, 5 * line.length);
});
