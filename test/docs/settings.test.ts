import { readFile } from 'node:fs/promises';
import test from 'ava';
import { settingsPage } from '../../dev/describe-settings.ts';
import { settingsByReader } from '../../platform/config.ts';
import { SETTINGS } from '../../platform/settings.ts';

test('docs/settings.md is what `npm run settings` writes', async (t) => {
  t.is(await readFile('docs/settings.md', 'utf8'), await settingsPage());
});

test('every setting that is described is read by a process', (t) => {
  const { API, worker } = settingsByReader();
  t.true(API.length > 10 && worker.length > 10);
  t.deepEqual(
    Object.keys(SETTINGS).toSorted(),
    [...new Set([...API, ...worker].map(({ name }) => name))].toSorted(),
  );
});
