import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { API_PREFIX } from '../../domain/iri.ts';

/** An answer as a client sees it; `body` is parsed where it is JSON, text otherwise. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly bytes: Buffer;
}

/** What to send besides method and path. An object goes as the surface's JSON type if no other is given. */
export interface HttpRequest {
  readonly token?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client that keeps its connections, as a server-to-server integration does. */
export interface HttpClient {
  readonly send: (method: string, path: string, request?: HttpRequest) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
}

/** How a client connects. */
export interface HttpOptions {
  readonly connections?: number;
  /** The service tells strangers apart by it. */
  readonly localAddress?: string;
  /** How long an answer may take. */
  readonly timeoutMs?: number;
}

/** Opens a client of the service. Its requests reject where no answer comes. */
export function openHttp(
  baseUrl: string,
  { connections, localAddress, timeoutMs }: HttpOptions = {},
): HttpClient {
  const pool = new Pool(baseUrl, {
    pipelining: 1,
    ...(connections === undefined ? {} : { connections }),
    ...(localAddress === undefined ? {} : { localAddress }),
    ...(timeoutMs === undefined ? {} : { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }),
  });
  return {
    send: (method, path, request = {}) => exchange(pool, baseUrl, method, path, request),
    close: () => pool.destroy(),
  };
}

/** Where a path begins that is not below the version prefix. */
const FROM_THE_ROOT = /^\/(?:api|health|desk)(?:\/|$)/;

/** Makes a request. `path` is below the version prefix, or from the root where it begins with /api, /health or /desk. */
export async function exchange(
  dispatcher: Dispatcher,
  baseUrl: string,
  method: string,
  path: string,
  request: HttpRequest,
): Promise<HttpAnswer> {
  const { token, key } = request;
  const url = new URL(`${FROM_THE_ROOT.test(path) ? '' : API_PREFIX}${path}`, baseUrl);
  const { body, contentType } = await encode(request, defaultType(method, path));
  const answer = await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...request.headers,
    },
    body,
  });
  // A stream of events does not end: of such an answer there is the head alone (test/harness/events.ts reads the rest).
  const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
  const bytes = isStream ? Buffer.alloc(0) : Buffer.from(await answer.body.arrayBuffer());
  if (isStream) answer.body.on('error', () => undefined).destroy();
  const isJson = String(answer.headers['content-type']).includes('json') && bytes.length > 0;
  const text = bytes.toString('utf8');
  const parsed: unknown = isJson ? JSON.parse(text) : text;
  return {
    status: answer.statusCode,
    // Made only where it is read: the bench reads the headers of no answer.
    get headers() {
      return headersOf(answer.headers);
    },
    body: parsed,
    bytes,
  };
}

/** What goes over the wire for a body, and its content type. */
async function encode({ body, contentType }: HttpRequest, usual: string) {
  if (body === undefined) return { body: null, contentType: undefined };
  if (body instanceof FormData) {
    const form = new Response(body);
    const bytes = new Uint8Array(await form.arrayBuffer());
    return { body: bytes, contentType: form.headers.get('content-type') ?? undefined };
  }
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  return { body: isRaw ? body : JSON.stringify(body), contentType: contentType ?? usual };
}

/** Contract «Content types»: merge-patch for PATCH, plain JSON to sign in and for the external API, else JSON-LD. */
function defaultType(method: string, path: string): string {
  if (path.includes('/external') || path.includes('/login_check')) return 'application/json';
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json';
}

function headersOf(raw: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw))
    for (const line of [value ?? []].flat()) headers.append(name, line);
  return headers;
}
