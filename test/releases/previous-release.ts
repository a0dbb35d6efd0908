import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../../dev/engines/run-program.ts';
import { previousBuild } from '../workflows/builds/previous-build.ts';

/** The API and the worker of an earlier release. `npm run build:record` replaces it. */
export const PREVIOUS_RELEASE_FILE = join(import.meta.dirname, 'previous.tar.gz');

/** Below the project, so that its packages are found. */
const FOLDER = join(import.meta.dirname, '..', '..', '.data', 'previous-release');

/** Unpacks the previous release with its workflow code, once, and gives its folder. Rejects when `tar` fails. */
export async function previousRelease(): Promise<string> {
  const digest = createHash('sha256').update(await readFile(PREVIOUS_RELEASE_FILE));
  const { code } = await previousBuild();
  const folder = join(FOLDER, digest.update(code).digest('hex').slice(0, 12));
  // Another test process may do the same: what stands under the name is whole.
  const unpacked = join(FOLDER, randomUUID());
  await mkdir(unpacked, { recursive: true });
  const { exitCode, output } = await runProgram('tar', ['-xzf', PREVIOUS_RELEASE_FILE, '-C', unpacked]);
  if (exitCode !== 0) throw new Error(`tar could not unpack the previous release:\n${output}`);
  await writeFile(join(unpacked, 'worker', 'workflows.bundle.js'), code);
  await rename(unpacked, folder).catch(() => rm(unpacked, { recursive: true }));
  return folder;
}
