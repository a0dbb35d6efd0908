import test from 'ava';
import { readSummary } from '../../dev/test/ava.ts';

for (const [title, output, tally] of [
  ['a good run', '  ✔ 3 tests failed\n  ─\n\n  12 tests passed\n', { passed: 12, failed: 0 }],
  [
    'a run with failures',
    '  ✔ a\n  ✔ b (1.2s)\n  ✘ [fail]: c\n\n  1 test failed\n',
    { passed: 2, failed: 1 },
  ],
  ['a failing hook and an exception', '  1 hook failed\n  1 uncaught exception\n', { passed: 0, failed: 2 }],
  ['a rejection nobody handled', '  4 tests passed\n  1 unhandled rejection\n', { passed: 4, failed: 1 }],
  ['a test that never ends', '  ✔ a\n  1 test remained pending after a timeout\n', { passed: 1, failed: 1 }],
  ['tests that do not run', '  4 tests passed\n  2 tests skipped\n  1 test todo\n', { passed: 4, failed: 3 }],
  ['colours', '  \u001B[32m7 tests passed\u001B[39m\n', { passed: 7, failed: 0 }],
  ['no summary', 'Killed\n', { passed: 0, failed: 0 }],
] as const) {
  test(`${title} is counted`, (t) => {
    t.deepEqual(readSummary(output), tally);
  });
}
