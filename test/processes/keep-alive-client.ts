import { Agent, request } from 'node:http';

/** What came of one request: its answer, or the code of the error that took its place. */
export interface ClientAnswer {
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly errorCode: string | null;
}

/** A client with one connection, which it keeps for as long as the server lets it, as proxies do. */
export interface KeepAliveClient {
  readonly send: (
    method: string,
    path: string,
    options?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: object },
  ) => Promise<ClientAnswer>;
  readonly close: () => void;
}

/** Sends requests one after the other to a server; never rejects, and never sends a request twice. */
export function keepAliveClient(baseUrl: string): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: (method, path, { headers = {}, body } = {}) =>
      new Promise((resolve) => {
        const text = body === undefined ? undefined : JSON.stringify(body);
        const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
        const sent = request(
          new URL(path, baseUrl),
          { method, agent, headers: { ...headers, ...length } },
          (response) => {
            const parts: Buffer[] = [];
            response.on('data', (part: Buffer) => parts.push(part));
            response.on('error', (error) => resolve(failed(error)));
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                body: Buffer.concat(parts).toString(),
                errorCode: null,
              }),
            );
          },
        );
        sent.on('error', (error) => resolve(failed(error)));
        sent.end(text);
      }),
    close: () => agent.destroy(),
  };
}

function failed(error: Error): ClientAnswer {
  const errorCode = 'code' in error ? String(error.code) : error.message;
  return { status: 0, headers: {}, body: '', errorCode };
}
