import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { CertificateAndKey } from '../../dev/engines/certificate-authority.ts';
import { issueServerCertificate, readAuthority } from '../../dev/engines/certificate-authority.ts';
import { testEngines } from './engines.ts';

/** A request as the receiver got it; the body byte for byte. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: Date;
}

/** How to answer one request: a status with or without headers; nothing, until the receiver is closed; or a broken connection. */
export type ReceiverAnswer =
  number | 'silence' | 'hang_up' | { readonly status: number; readonly headers: Record<string, string> };

/** Decides the answer to each request; `index` counts from 0 since the last `respondWith`. */
export type ReceiverHandler = (
  request: ReceivedRequest,
  index: number,
) => ReceiverAnswer | Promise<ReceiverAnswer>;

/** An HTTPS server on this machine that stands for an organization's webhook endpoint. */
export interface Receiver {
  readonly url: string;
  /** All requests since the start, in the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Answers the next requests with these in turn, the last one for ever; or asks the handler each time. */
  readonly respondWith: (answers: readonly [ReceiverAnswer, ...ReceiverAnswer[]] | ReceiverHandler) => void;
  /** Resolves when `count` requests have come in all; rejects, telling how many came, when they do not in time. */
  readonly waitForRequests: (count: number, timeoutMs?: number) => Promise<readonly ReceivedRequest[]>;
  readonly close: () => Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Starts a receiver with a certificate of the tests' authority, answering 200 if nothing else is set. Close it in
 * `t.teardown`. The service under test must trust that authority and allow private addresses (harness/service.ts).
 */
export async function startReceiver(
  options: {
    readonly answers?: readonly [ReceiverAnswer, ...ReceiverAnswer[]] | ReceiverHandler;
    /** Signs its certificate; the authority of the tests where none is given. */
    readonly authority?: CertificateAndKey;
  } = {},
): Promise<Receiver> {
  const authority = options.authority ?? (await testAuthority());
  const { certificatePem, keyPem } = await issueServerCertificate(authority, new Date());
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  let decide = handlerOf(options.answers ?? [200]);
  const server = createServer({ cert: certificatePem, key: keyPem }, (incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const request = { headers: incoming.headers, body: Buffer.concat(parts), at: new Date() };
      requests.push(request);
      for (const look of waiting) look();
      void decide(request).then((answer) => {
        if (answer === 'hang_up') return response.destroy();
        if (answer === 'silence') return undefined;
        const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
        return response.writeHead(status, headers).end();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return {
    url: `https://localhost:${address.port}/hooks`,
    requests,
    respondWith: (answers) => {
      decide = handlerOf(answers);
    },
    waitForRequests: (count, timeoutMs = DEFAULT_TIMEOUT_MS) => waitFor(requests, waiting, count, timeoutMs),
    close: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function testAuthority(): Promise<CertificateAndKey> {
  const { authorityCertificateFile, authorityKeyFile } = testEngines();
  return readAuthority(authorityCertificateFile, authorityKeyFile);
}

function handlerOf(
  answers: readonly [ReceiverAnswer, ...ReceiverAnswer[]] | ReceiverHandler,
): (request: ReceivedRequest) => Promise<ReceiverAnswer> {
  let index = -1;
  return async (request) => {
    index += 1;
    if (typeof answers === 'function') return answers(request, index);
    return answers[index] ?? answers.at(-1) ?? answers[0];
  };
}

function waitFor(
  requests: readonly ReceivedRequest[],
  waiting: Set<() => void>,
  count: number,
  timeoutMs: number,
): Promise<readonly ReceivedRequest[]> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (requests.length < count) return;
      clearTimeout(timer);
      waiting.delete(look);
      resolve(requests);
    };
    const timer = setTimeout(() => {
      waiting.delete(look);
      reject(new Error(`${requests.length} of ${count} requests came within ${timeoutMs} ms`));
    }, timeoutMs);
    waiting.add(look);
    look();
  });
}
