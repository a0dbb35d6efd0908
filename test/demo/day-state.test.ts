import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { dayWork, NEW_DAY, readDayState, writeDayState } from '../../demo/day/day-state.ts';

const NOW = new Date('2026-03-10T10:00:00.000Z');
const AN_HOUR_AGO = '2026-03-10T09:00:00.000Z';

for (const [title, state, expected] of [
  ['a new day is made as of now', NEW_DAY, NOW],
  [
    'a day that was begun is made further as of then',
    { ...NEW_DAY, startedAt: AN_HOUR_AGO },
    new Date(AN_HOUR_AGO),
  ],
  ['a day that is made is never made again', { ...NEW_DAY, startedAt: AN_HOUR_AGO, isMade: true }, 'none'],
  [
    'a day that was begun days ago stays as it is',
    { ...NEW_DAY, startedAt: '2026-03-08T09:00:00.000Z' },
    'expired',
  ],
] as const) {
  test(title, (t) => {
    t.deepEqual(dayWork(state, NOW), expected);
  });
}

test('the state is read as it was written, and anything else is no state', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'day-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'state.json');
  t.is(await readDayState(file), undefined);
  const state = { startedAt: AN_HOUR_AGO, isMade: true, receiverPort: 8443 };
  await writeDayState(file, state);
  t.deepEqual(await readDayState(file), state);
  for (const text of ['', '{}', '[]', '{"isMade":"yes"}']) {
    await writeFile(file, text);
    t.is(await readDayState(file), undefined, text);
  }
});
