import { readFile } from 'node:fs/promises';
import test from 'ava';
import { readLicences } from '../../dev/licences.ts';

test('every package has a licence that the project accepts', async (t) => {
  const lockFile = new URL('../../package-lock.json', import.meta.url);
  const licences = readLicences(await readFile(lockFile, 'utf8'));
  t.true(licences.length > 200);
  t.deepEqual(
    licences.filter(({ isAccepted }) => !isAccepted),
    [],
  );
});

test('a licence that is unknown, or named nowhere, is not accepted', (t) => {
  const packages = {
    '': { version: '1.0.0' },
    'node_modules/a': { version: '1.0.0', license: 'AGPL-3.0-only' },
    'node_modules/b/node_modules/@scope/c': { version: '2.0.0' },
    'node_modules/d': { version: '3.0.0', license: 'MIT' },
    'node_modules/e': { version: '4.0.0', license: 'toString' },
  };
  t.deepEqual(readLicences(JSON.stringify({ packages })), [
    { name: 'a', version: '1.0.0', licence: 'AGPL-3.0-only', isAccepted: false },
    { name: '@scope/c', version: '2.0.0', licence: undefined, isAccepted: false },
    { name: 'd', version: '3.0.0', licence: 'MIT', isAccepted: true },
    { name: 'e', version: '4.0.0', licence: 'toString', isAccepted: false },
  ]);
});
