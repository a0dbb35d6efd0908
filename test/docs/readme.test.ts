import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import manifest from '../../package.json' with { type: 'json' };

const projectFolder = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');

test('every npm command of the README is a script', (t) => {
  const commands = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = '']) => name);
  for (const name of ['start', 'test', ...commands]) {
    t.true(name in manifest.scripts, name);
  }
});
