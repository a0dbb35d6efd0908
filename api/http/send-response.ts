import type { Context } from 'koa';
import { Readable } from 'node:stream';
import type { RouteResponse } from './route.ts';

/** Writes a handler's answer. Objects become JSON of the negotiated type; bytes, text and streams go as they are. */
export function sendResponse(context: Context, answer: RouteResponse, negotiatedType: string): void {
  context.status = answer.status;
  if (answer.headers !== undefined) context.set({ ...answer.headers });
  const etag = answer.etag === undefined ? undefined : `"${answer.etag}"`;
  if (etag !== undefined) context.set('etag', etag);
  if (isNotModified(context, etag)) {
    context.status = 304;
    context.body = null;
    return;
  }
  if (answer.body === undefined) return;
  const { body } = answer;
  if (answer.links !== undefined) context.append('link', answer.links);
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof Readable;
  const contentType = answer.contentType ?? negotiatedType;
  context.set(
    'content-type',
    isRaw || contentType.includes(';') ? contentType : `${contentType}; charset=utf-8`,
  );
  if (isRaw) context.body = body instanceof Uint8Array ? Buffer.from(body) : body;
  else context.body = JSON.stringify(body);
}

/** Whether the client has this very version, by koa's comparison of `If-None-Match` (RFC 9110 section 13.1.2). */
function isNotModified(context: Context, etag: string | undefined): boolean {
  if (etag === undefined || context.status !== 200) return false;
  // `fetch` adds `Cache-Control: no-cache` to each request with `If-None-Match`, and koa would never answer it with 304.
  delete context.headers['cache-control'];
  return context.fresh;
}
