import { connectToParent } from '../platform/forked-module.ts';
import { renderDeliveryNotes } from './render-delivery-notes.ts';
import { renderLabels } from './render-labels.ts';
import type { RenderingMessage, RenderingRequest } from './rendering-message.ts';

/** Bytes of one message: the receiver's event loop takes it in a millisecond. */
const MESSAGE_BYTES = 512 * 1024;

/** The entry of the rendering process: each request is the data of one PDF, answered by its bytes, in slices. */
const post = connectToParent();
if (post !== undefined) process.on('message', (request: RenderingRequest) => void answer(request, post));

async function answer(request: RenderingRequest, send: (message: RenderingMessage) => void): Promise<void> {
  try {
    const pdf = await render(request);
    for (let at = 0; at < pdf.length; at += MESSAGE_BYTES) {
      send({ kind: 'bytes', bytes: pdf.subarray(at, at + MESSAGE_BYTES) });
    }
    send({ kind: 'end' });
  } catch (error) {
    send({
      kind: 'failed',
      stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

function render(request: RenderingRequest): Promise<Uint8Array> {
  return request.kind === 'labels'
    ? renderLabels(request.labels, request.options)
    : renderDeliveryNotes(request.notes, request.options);
}
