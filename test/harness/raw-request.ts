import { request } from 'node:http';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** An answer as it came over the wire, its body as text. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Makes a request that fetch would not make: no content type, a path that no browser writes, headers of one's own.
 * Nothing is added but `Host` and the length of the body. `path` is from the root.
 */
export function sendRaw(
  service: { readonly baseUrl: string },
  method: string,
  path: string,
  options: { readonly headers?: OutgoingHttpHeaders; readonly body?: string | Uint8Array } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(service.baseUrl);
  const { headers = {}, body } = options;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, method, path, headers: { ...length, ...headers }, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        const answer = () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
        };
        incoming.on('end', answer);
        // A stream of events does not end: its head is the answer.
        if (incoming.headers['content-type']?.startsWith('text/event-stream') === true) {
          answer();
          incoming.destroy();
        }
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
