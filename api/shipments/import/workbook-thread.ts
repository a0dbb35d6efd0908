import { parentPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';

import { readPackage } from './package/read.ts';
import { RefusedWorkbook } from './refusal.ts';
import type { ThreadMessage } from './thread-message.ts';

/** The entry of the reading thread: each message is a file's bytes, answered by what stands in it, in slices. */
if (parentPort !== null) serve(parentPort);

function serve(port: MessagePort): void {
  const post = (message: ThreadMessage): void => port.postMessage(message);
  port.on('message', (file: unknown) => void answer(file, post));
}

/** An unexpected error is not caught: it ends the thread and reaches the main thread as an error. */
async function answer(file: unknown, post: (message: ThreadMessage) => void): Promise<void> {
  try {
    if (!(file instanceof Uint8Array)) throw new TypeError('the thread was sent something that is no file');
    await readPackage(Buffer.from(file.buffer, file.byteOffset, file.byteLength), post);
  } catch (error) {
    if (!(error instanceof RefusedWorkbook)) throw error;
    post({ kind: 'refused', refusal: error.refusal });
  }
}
