import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { textAt } from '../../scripts/story/reading.ts';

const projectFolder = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
const config = readFileSync(join(projectFolder, 'platform', 'config.ts'), 'utf8');

test('the README lists every setting of the service, and none that is not there', (t) => {
  const known = [...config.matchAll(/read\.\w+\(\s*'([A-Z_]+)'/g)].map(([, name = '']) => name);
  t.true(known.length > 20);
  t.deepEqual([...settingRows().keys()].toSorted(), [...new Set(known)].toSorted());
});

test('the README tells the default of every setting that is a number', (t) => {
  const numbers = [...config.matchAll(/read\.integer\(\s*'([A-Z_]+)',\s*([\d_]+)/g)];
  t.true(numbers.length > 5);
  for (const [, name = '', value = ''] of numbers) {
    t.is(settingRows().get(name), `\`${value.replaceAll('_', '')}\``, name);
  }
});

test('every link and picture of the README, the operations page and the glossary leads to a file', (t) => {
  for (const page of ['README.md', 'docs/operations.md', 'docs/glossary.md']) {
    const text = readFileSync(join(projectFolder, page), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target = '']) => target);
    for (const target of targets.filter((one) => !one.startsWith('http'))) {
      t.true(existsSync(join(projectFolder, dirname(page), target)), `${page}: ${target}`);
    }
  }
});

test('every npm command of the README is a script', (t) => {
  const manifest: unknown = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  const commands = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = '']) => name);
  for (const name of ['start', 'test', ...commands]) {
    t.not(textAt(manifest, `scripts.${name}`), '', name);
  }
});

/** The rows of the settings table: name and default. */
function settingRows(): Map<string, string> {
  const part = readme.slice(readme.indexOf('## Settings'), readme.indexOf('## Tests'));
  return new Map(
    [...part.matchAll(/^\| `([A-Z_]+)` +\| ([^|]*?) *\|/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}
