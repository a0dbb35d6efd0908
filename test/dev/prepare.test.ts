import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { findObstacle, isInstalled } from '../../dev/prepare.mjs';

const LINUX = { nodeVersion: 'v20.19.0', platform: 'linux', arch: 'x64', isMusl: false };
const projectFolder = new URL('../../', import.meta.url).pathname;

for (const nodeVersion of ['v20.19.0', 'v22.4.1', 'v24.0.0', 'v100.1.0']) {
  test(`Node ${nodeVersion} is accepted`, (t) => {
    t.is(findObstacle({ ...LINUX, nodeVersion }), undefined);
  });
}

for (const [change, words] of [
  [{ nodeVersion: 'v20.18.9' }, /needs Node 20\.19 or later/],
  [{ nodeVersion: 'v9.99.0' }, /needs Node 20\.19 or later/],
  [{ isMusl: true }, /Alpine.*Debian/],
  [{ platform: 'win32', arch: 'arm64' }, /Windows on ARM/],
  [{ arch: 'riscv64' }, /linux-x64/],
] as const) {
  test(`${JSON.stringify(change)} is rejected with what to do`, (t) => {
    t.regex(findObstacle({ ...LINUX, ...change }) ?? '', words);
  });
}

test('what is installed fits its lock file when all but packages for other platforms are there', (t) => {
  const lock = {
    packages: {
      '': { version: '1.0.0' },
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
      'node_modules/for-mac': { version: '1.0.0', integrity: 'sha512-m', optional: true },
    },
  };
  const installed = (version: string, integrity: string): Parameters<typeof isInstalled>[1] => ({
    packages: { 'node_modules/a': { version, integrity } },
  });
  t.true(isInstalled(lock, installed('1.0.0', 'sha512-a')));
  t.false(isInstalled(lock, installed('1.0.1', 'sha512-a')));
  t.false(isInstalled(lock, installed('1.0.0', 'sha512-b')));
  t.false(isInstalled(lock, { packages: {} }));
});

test('the lock file names every package with its integrity, for every platform', async (t) => {
  const lock: unknown = JSON.parse(await readFile(join(projectFolder, 'package-lock.json'), 'utf8'));
  if (!isLock(lock)) throw new Error('The lock file has no packages.');
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  t.deepEqual(
    packages.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path),
    [],
  );
  // A registry without some platform's binaries leaves them out in silence; `npm ci` then refuses everywhere.
  const names = new Set(packages.map(([path]) => path.replace(/^.*node_modules\//, '')));
  const absent = packages.flatMap(([, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !names.has(name)),
  );
  t.deepEqual(absent, []);
});

test('the output of npm is shown when it fails, with what failed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'prepare-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'dev'));
  for (const file of ['dev/prepare.mjs', 'dev/lock-file.mjs']) {
    await cp(join(projectFolder, file), join(folder, file));
  }
  const manifest = { name: 'clone', version: '1.0.0', dependencies: { absent: 'file:./absent' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'package-lock.json'), '{ "lockfileVersion": 3, "packages": { "": {} } }');
  const prepare = promisify(execFile)(process.execPath, [join(folder, 'dev', 'prepare.mjs')]);
  const error = await t.throwsAsync(prepare, { code: 1 });
  t.regex(error.message, /npm error/);
  t.regex(error.message, /Failed while installing the packages/);
});

function isLock(
  value: unknown,
): value is { packages: Record<string, { integrity?: string; optionalDependencies?: object }> } {
  return typeof value === 'object' && value !== null && 'packages' in value;
}
