import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { COMPILED_FOLDER } from '../../dev/test/compile-tests.mjs';
import { BUNDLE_NAME } from '../../worker/workflow-bundle.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Beside the compiled worker, which looks for it there. */
const BUNDLE_FILE = join(COMPILED_FOLDER, 'worker', BUNDLE_NAME);
const DIGEST_FILE = `${BUNDLE_FILE}.sources`;
/** Workflow code sees these folders and packages alone (.dependency-cruiser.cjs). */
const SOURCE_FOLDERS = ['workflows', 'domain'];
const LOCK_FILE = 'package-lock.json';

/** A bundle as Temporal's workers take it. */
export interface WorkflowBundle {
  readonly codePath: string;
}

let bundle: Promise<WorkflowBundle> | undefined;

/**
 * The bundle of today's workflow code. It takes seconds to make, so all test processes share the file, until a source or
 * the lock file changes.
 */
export function workflowBundle(): Promise<WorkflowBundle> {
  bundle ??= findOrMake();
  return bundle;
}

async function findOrMake(): Promise<WorkflowBundle> {
  const digest = await sourcesDigest();
  const present = existsSync(BUNDLE_FILE) ? await readFile(DIGEST_FILE, 'utf8').catch(() => '') : '';
  if (present !== digest) {
    await replaceFile(BUNDLE_FILE, await makeBundle());
    await replaceFile(DIGEST_FILE, digest);
  }
  return { codePath: BUNDLE_FILE };
}

/** Loads Temporal's worker package, which takes a second, only where a bundle has to be made. */
async function makeBundle(): Promise<string> {
  const [{ bundleWorkflowCode }, { WORKFLOW_BUNDLE_OPTIONS }, { QUIET_LOGGER }] = await Promise.all([
    import('@temporalio/worker'),
    import('../../worker/create-worker.ts'),
    import('./quiet-runtime.ts'),
  ]);
  const { code } = await bundleWorkflowCode({ ...WORKFLOW_BUNDLE_OPTIONS, logger: QUIET_LOGGER });
  return code;
}

/** Another process may be reading or writing it: each finds a whole file. */
async function replaceFile(file: string, content: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(unfinished, content);
  await rename(unfinished, file);
}

async function sourcesDigest(): Promise<string> {
  const digest = createHash('sha256');
  const folders = await Promise.all(
    SOURCE_FOLDERS.map(async (folder) =>
      (await readdir(join(PROJECT, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  const files = folders.flat().filter((name) => name.endsWith('.ts'));
  for (const file of [LOCK_FILE, ...files.sort()]) {
    digest.update(file).update(await readFile(join(PROJECT, file)));
  }
  return digest.digest('hex');
}
