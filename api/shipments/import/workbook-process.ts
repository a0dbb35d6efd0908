import { readPackage } from './package/read.ts';
import type { ReadingMessage } from './reading-message.ts';
import { RefusedWorkbook } from './refusal.ts';

/** The entry of the reading process: each message is a file's bytes, answered by what stands in it, in slices. */
if (process.send !== undefined) serve(process.send.bind(process));

function serve(send: (message: ReadingMessage) => boolean): void {
  process.on('message', (file) => void answer(file, send));
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches this process too, but the API decides when the file in hand is finished.
  process.on('SIGINT', () => undefined);
}

async function answer(file: unknown, send: (message: ReadingMessage) => boolean): Promise<void> {
  try {
    if (!(file instanceof Uint8Array))
      throw new TypeError('the reading process was sent something that is no file');
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
