import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';

const projectFolder = new URL('../../', import.meta.url).pathname;
const A = { version: '1.0.0', integrity: 'sha512-a' };
const FOR_MAC = { version: '1.0.0', integrity: 'sha512-m', optional: true };
const LOCKED = { '': { version: '1.0.0' }, 'node_modules/a': A, 'node_modules/for-mac': FOR_MAC };

for (const version of ['v20.19.0', 'v22.4.1', 'v24.0.0', 'v100.1.0']) {
  test(`Node ${version} is accepted`, async (t) => {
    const folder = await newClone(t, LOCKED, { 'node_modules/a': A });
    await t.notThrowsAsync(prepare(folder, { version }));
  });
}

for (const [change, words] of [
  [{ version: 'v20.18.9' }, /needs Node 20\.19 or later/],
  [{ version: 'v9.99.0' }, /needs Node 20\.19 or later/],
  [{ platform: 'win32', arch: 'arm64' }, /Windows on ARM/],
  [{ arch: 'riscv64' }, /linux-x64/],
  [{ platform: 'linux', report: {} }, /Alpine.*Debian/],
] as const) {
  test(`${JSON.stringify(change)} is rejected with what to do`, async (t) => {
    const error = await t.throwsAsync(prepare(await newClone(t, LOCKED), change));
    t.regex(error.message, words);
  });
}

test('nothing is installed when all but packages for other platforms are there', async (t) => {
  await t.notThrowsAsync(prepare(await newClone(t, LOCKED, { 'node_modules/a': A })));
});

for (const [title, installed] of [
  ['another version', { 'node_modules/a': { ...A, version: '1.0.1' } }],
  ['another content', { 'node_modules/a': { ...A, integrity: 'sha512-b' } }],
  ['no package', {}],
] as const) {
  test(`${title} than the lock file's is replaced; npm's output is shown when that fails`, async (t) => {
    const error = await t.throwsAsync(prepare(await newClone(t, LOCKED, installed)), { code: 1 });
    t.regex(error.message, /npm error[^]*could not be installed/);
  });
}

test('the lock file names every package with its integrity, for every platform', async (t) => {
  const lock: unknown = JSON.parse(await readFile(join(projectFolder, 'package-lock.json'), 'utf8'));
  if (!isLock(lock)) throw new Error('The lock file has no packages.');
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  t.deepEqual(
    packages.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path),
    [],
  );
  // A registry without some platform's binaries leaves them out in silence; `npm ci` then fails everywhere.
  const names = new Set(packages.map(([path]) => path.replace(/^.*node_modules\//, '')));
  const absent = packages.flatMap(([, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !names.has(name)),
  );
  t.deepEqual(absent, []);
});

/** Makes a clone that can be prepared: its manifest and lock file disagree, so that `npm ci` fails without a registry. */
async function newClone(t: ExecutionContext, locked: object, installed?: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'prepare-'));
  t.teardown(() => rm(folder, { recursive: true }));
  for (const file of ['dev/prepare.mjs', 'dev/lock.mjs', 'dev/engines/progress.mjs']) {
    await cp(join(projectFolder, file), join(folder, file));
  }
  const manifest = { name: 'clone', version: '1.0.0', dependencies: { absent: 'file:./absent' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const lock = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages });
  await writeFile(join(folder, 'package-lock.json'), lock(locked));
  if (installed === undefined) return folder;
  await mkdir(join(folder, 'node_modules'));
  await writeFile(join(folder, 'node_modules', '.package-lock.json'), lock(installed));
  return folder;
}

/** Runs prepare.mjs in a process that takes itself for one of another version or platform. */
function prepare(folder: string, machine: object = {}): Promise<void> {
  const given = Object.entries(machine).map(
    ([name, value]) => `Object.defineProperty(process, '${name}', { value: ${JSON.stringify(value)} });`,
  );
  const report = 'report' in machine ? 'process.report.getReport = () => ({ header: {} });' : '';
  const disguise = `data:text/javascript,${encodeURIComponent([...given, report].join(''))}`;
  const program = join(folder, 'dev', 'prepare.mjs');
  return new Promise<void>((resolve, reject) => {
    execFile(process.execPath, ['--import', disguise, program], (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(Object.assign(new Error(stdout + stderr), { code: error.code }));
    });
  });
}

function isLock(
  value: unknown,
): value is { packages: Record<string, { integrity?: string; optionalDependencies?: object }> } {
  return typeof value === 'object' && value !== null && 'packages' in value;
}
