import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import manifest from '../../package.json' with { type: 'json' };
import { loadApiConfig, loadWorkerConfig } from '../../platform/config.ts';
import { settingsReadBy } from '../platform/settings-read.ts';

const projectFolder = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
const config = readFileSync(join(projectFolder, 'platform', 'config.ts'), 'utf8');

test('the README lists exactly the settings of the service, with who reads them', (t) => {
  const [api, worker] = [settingsReadBy(loadApiConfig), settingsReadBy(loadWorkerConfig)];
  t.true(api.size > 10 && worker.size > 10);
  const readers = (name: string): string => {
    if (api.has(name) && worker.has(name)) return 'both';
    return api.has(name) ? 'API' : 'worker';
  };
  t.deepEqual(
    [...settingRows()].map(([name, row]) => `${name}: ${row.readBy}`).toSorted(),
    [...new Set([...api, ...worker])].map((name) => `${name}: ${readers(name)}`).toSorted(),
  );
});

test('the README has the default of every setting that is a number', (t) => {
  const numbers = [...config.matchAll(/read\.integer\(\s*'([A-Z_]+)',\s*([\d_]+)/g)];
  t.true(numbers.length > 5);
  for (const [, name = '', value = ''] of numbers) {
    t.is(settingRows().get(name)?.fallback, `\`${value.replaceAll('_', '')}\``, name);
  }
});

test('every npm command of the README is a script', (t) => {
  const commands = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = '']) => name);
  for (const name of ['start', 'test', ...commands]) {
    t.true(name in manifest.scripts, name);
  }
});

/** The rows of the settings table by name. */
function settingRows(): Map<string, { readonly readBy: string; readonly fallback: string }> {
  const part = readme.slice(readme.indexOf('## Settings'), readme.indexOf('## Tests'));
  return new Map(
    [...part.matchAll(/^\| `([A-Z_]+)` +\| (\w+) +\| ([^|]*?) *\|/gm)].map(
      ([, name = '', readBy = '', fallback = '']) => [name, { readBy, fallback }],
    ),
  );
}
