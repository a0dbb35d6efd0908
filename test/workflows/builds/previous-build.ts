import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The bundled workflow code of an earlier release. `npm run build:record` replaces it. */
export const PREVIOUS_BUILD_FILE = join(import.meta.dirname, 'previous.bundle.js.gz');

/** The workflow code of the previous build, as a worker takes it. */
export async function previousBuild(): Promise<{ readonly code: string }> {
  return { code: gunzipSync(await readFile(PREVIOUS_BUILD_FILE)).toString('utf8') };
}
