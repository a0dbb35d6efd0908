import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { CertificateAndKey } from '../../dev/engines/certificate-authority.ts';
import { issueServerCertificate, readAuthority } from '../../dev/engines/certificate-authority.ts';
import { testEngines } from '../harness/engines.ts';

/** An HTTPS server that answers as a test says, byte by byte where it must. */
export interface HostileServer {
  readonly port: number;
  readonly url: string;
  /** Requests that arrived whole. */
  readonly count: () => number;
  readonly close: () => Promise<void>;
}

/** A certificate of the tests' own authority, as of `now`. */
export async function testCertificate(now = new Date()): Promise<CertificateAndKey> {
  const { authorityCertificateFile, authorityKeyFile } = testEngines();
  return issueServerCertificate(await readAuthority(authorityCertificateFile, authorityKeyFile), now);
}

/** Starts a server on this machine whose every answer `answer` writes, once the request's body has been read. */
export async function startHostileServer(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  certificate?: CertificateAndKey,
): Promise<HostileServer> {
  const { certificatePem, keyPem } = certificate ?? (await testCertificate());
  let count = 0;
  const server = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
    request.resume();
    request.on('end', () => {
      count += 1;
      answer(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    port: address.port,
    url: `https://localhost:${address.port}/hook`,
    count: () => count,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
