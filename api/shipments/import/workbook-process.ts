import { connectToForker } from '../../../platform/forked-module.ts';
import { readPackage } from './package/read.ts';
import type { ReadingMessage } from './reading-message.ts';
import { RefusedWorkbook } from './refusal.ts';

/** The entry of the reading process: each request is a file's bytes, answered by what stands in it, in slices. */
const post = connectToForker();
if (post !== undefined) process.on('message', (file: Uint8Array) => void answer(file, post));

async function answer(file: Uint8Array, send: (message: ReadingMessage) => void): Promise<void> {
  try {
    await readPackage(Buffer.from(file.buffer, file.byteOffset, file.byteLength), send);
  } catch (error) {
    if (error instanceof RefusedWorkbook) send({ kind: 'refused', refusal: error.refusal });
    else
      send({
        kind: 'failed',
        stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
  }
}
