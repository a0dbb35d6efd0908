import test from 'ava';
import { concludeRun } from '../../dev/test/tally.ts';
import type { Tally } from '../../dev/test/tally.ts';

async function conclude(work: () => Promise<Tally>): Promise<{ exitCode: number; last: string | undefined }> {
  const said: string[] = [];
  const exitCode = await concludeRun(work, (line) => said.push(line));
  return { exitCode, last: said.at(-1) };
}

for (const [title, tally, exitCode] of [
  ['a run in which all passed ends well', { passed: 3, failed: 0 }, 0],
  ['a run with a failure ends badly', { passed: 3, failed: 1 }, 1],
  ['a run of nothing ends badly', { passed: 0, failed: 0 }, 1],
] as const) {
  test(title, async (t) => {
    t.deepEqual(await conclude(() => Promise.resolve(tally)), {
      exitCode,
      last: `${tally.passed} passed, ${tally.failed} failed`,
    });
  });
}

test('a run that throws ends badly and says why before its tally', async (t) => {
  const said: string[] = [];
  const work = () => Promise.reject(new Error('no engine'));
  t.is(await concludeRun(work, (line) => said.push(line)), 1);
  t.deepEqual(said, ['\nno engine', '0 passed, 1 failed']);
});
