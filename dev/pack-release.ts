import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { runProgram } from './engines/run-program.ts';

/** What the API and the worker are made of, with the files that they read; the console and the packages are not part of it. */
const FOLDERS = [
  ...['activities', 'api', 'documents', 'domain', 'migrations', 'platform', 'spreadsheet', 'store', 'worker'],
  'workflows',
];

/** Each module stays one, and imports the compiled ones. */
const compiledModules: Plugin = {
  name: 'compiled-modules',
  setup: (compiling) => {
    compiling.onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.js'), external: true },
    );
  },
};

/**
 * Compiles the API and the worker of a checkout into a compressed archive, which runs where the packages are found. Throws when a
 * module has a syntax error, or `tar` fails.
 */
export async function packRelease(checkout: string, archive: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    for (const name of FOLDERS) {
      await cp(join(checkout, name), join(folder, name), {
        recursive: true,
        filter: (path) => !path.endsWith('.ts'),
      });
    }
    await cp(join(checkout, 'package.json'), join(folder, 'package.json'));
    await build({
      absWorkingDir: checkout,
      entryPoints: await modulesOf(checkout),
      outdir: folder,
      outbase: checkout,
      bundle: true,
      packages: 'external',
      plugins: [compiledModules],
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      minifyWhitespace: true,
      legalComments: 'none',
      logLevel: 'error',
    });
    const { exitCode, output } = await runProgram('tar', ['-czf', archive, '-C', folder, '.']);
    if (exitCode !== 0) throw new Error(`tar could not pack the release:\n${output}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function modulesOf(checkout: string): Promise<string[]> {
  const folders = await Promise.all(
    FOLDERS.map((name) => readdir(join(checkout, name), { recursive: true, withFileTypes: true })),
  );
  return folders
    .flat()
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
