import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { WorkerTarget } from './create-worker.ts';

/** Where `npm run build` puts the bundle, seen from the built worker. */
export const BUNDLE_NAME = 'workflows.bundle.js';

/** The bundle has some 2 MB. */
const MAX_BUNDLE_BYTES = 64 * 1024 * 1024;

/**
 * The workflow code for the worker whose main module has this address. A built worker takes the file that `npm run build`
 * has put next to it, and needs neither a compiler nor the sources. A worker that runs from source has another process
 * bundle it: the compiler would keep more than 100 MB of the worker's memory for good.
 *
 * `nodeOptions` are those with which Node runs TypeScript. Rejects when the sources cannot be bundled; the error holds the compiler's messages.
 */
export async function loadWorkflowBundle(
  moduleUrl: string,
  nodeOptions: readonly string[] = process.execArgv,
): Promise<NonNullable<WorkerTarget['workflowBundle']>> {
  if (!moduleUrl.endsWith('.ts')) return { codePath: fileURLToPath(new URL(BUNDLE_NAME, moduleUrl)) };
  const bundler = fileURLToPath(new URL('./bundle-workflows.ts', moduleUrl));
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeOptions, bundler], {
    maxBuffer: MAX_BUNDLE_BYTES,
  });
  return { code: stdout };
}
