import { Pool } from 'undici';
import { API_PREFIX } from '../domain/iri.ts';

export { at, textAt } from '../test/harness/json.ts';

/** An answer; the body is parsed where it is JSON. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** What to send: a bearer token or an API key, and a body. */
export interface HttpRequest {
  readonly token?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** A client that keeps its connections, as a server-to-server integration does. */
export interface HttpClient {
  readonly send: (method: 'GET' | 'POST', path: string, request?: HttpRequest) => Promise<HttpAnswer>;
  readonly close: () => Promise<void>;
}

/**
 * Opens at most `connections` connections, from a local address where one is given: the service tells strangers apart by
 * it. Paths are below the version prefix unless they begin with `/api` or `/health`.
 */
export function openHttp(baseUrl: string, connections: number, localAddress?: string): HttpClient {
  const from = localAddress === undefined ? {} : { localAddress };
  const pool = new Pool(baseUrl, { connections, pipelining: 1, ...from });
  return {
    send: async (method, path, request = {}) => {
      const { token, key, body, contentType = 'application/json' } = request;
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      const isAbsolute = path.startsWith('/api') || path.startsWith('/health');
      const answer = await pool.request({
        method,
        path: isAbsolute ? path : `${API_PREFIX}${path}`,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...(body === undefined ? {} : { 'content-type': contentType }),
        },
        ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      const parsed: unknown = text === '' ? null : JSON.parse(text);
      return { status: answer.statusCode, body: parsed };
    },
    close: () => pool.close(),
  };
}
