import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Found, NotFound } from './provision.ts';

/**
 * Lets Temporal's SDK fetch a server in its own way and moves the program to `target`. The SDK only fetches when
 * it starts the server, so the server runs for a moment. A machine without network access fails within a second.
 */
export async function downloadWithSdk(
  kind: 'dev-server' | 'time-skipping',
  target: string,
): Promise<Found | NotFound> {
  await mkdir(dirname(target), { recursive: true });
  const downloadFolder = await mkdtemp(join(dirname(target), 'download-'));
  try {
    const failure = await startOnce(kind, downloadFolder);
    // The program may have arrived although its first, cold start was too slow for the SDK.
    const [program] = (await readdir(downloadFolder)).filter((name) => !name.endsWith('.downloading'));
    if (program === undefined) return { reason: failure ?? 'the SDK left no program behind' };
    await rename(join(downloadFolder, program), target);
    return { path: target };
  } finally {
    await rm(downloadFolder, { recursive: true, force: true });
  }
}

async function startOnce(
  kind: 'dev-server' | 'time-skipping',
  downloadDir: string,
): Promise<string | undefined> {
  // Imported late: the SDK's native part costs a second that is only spent when it is needed.
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const executable = { type: 'cached-download', downloadDir } as const;
  try {
    const environment =
      kind === 'dev-server'
        ? await TestWorkflowEnvironment.createLocal({ server: { executable } })
        : await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
    await environment.teardown();
    return undefined;
  } catch (error) {
    // The SDK repeats the whole address at each step of the failure; the last step is the cause.
    const cause =
      (error instanceof Error ? error.message : String(error)).split(': ').at(-1) ?? 'no reason given';
    return `the download failed (${cause})`;
  }
}
