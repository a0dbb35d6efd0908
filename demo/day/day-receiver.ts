import { once } from 'node:events';
import { createServer } from 'node:https';
import { issueServerCertificate, type CertificateAndKey } from '../../dev/engines/certificate-authority.ts';
import { textOrEmpty } from '../../test/harness/json.ts';
import { isSigned } from '../receiver.ts';

/** A shop's webhook endpoint on this machine, for as long as the demo runs. */
export interface DayReceiver {
  readonly url: string;
  readonly port: number;
  /** From now on it answers 200 to all events: a dead letter that is replayed arrives. */
  readonly recover: () => void;
  readonly close: () => void;
}

/**
 * Starts the endpoint on a port. It verifies signatures, and until it recovers it answers to the events of some deliveries what
 * `answers` says by external reference. It keeps nothing of what it gets.
 */
export async function startDayReceiver(options: {
  readonly port: number;
  readonly authority: CertificateAndKey;
  readonly secret: string;
  readonly answers: ReadonlyMap<string, number>;
}): Promise<DayReceiver> {
  const { certificatePem, keyPem } = await issueServerCertificate(options.authority, new Date());
  let answers = options.answers;
  const server = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const bytes = Buffer.concat(parts);
      const isGenuine = isSigned(bytes, request.headers['x-service-signature'], options.secret);
      response.writeHead(isGenuine ? answerTo(bytes, answers) : 401).end();
    });
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${options.port}/webhooks`,
    port: options.port,
    recover: () => {
      answers = new Map();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerTo(bytes: Buffer, answers: ReadonlyMap<string, number>): number {
  const event: unknown = JSON.parse(bytes.toString('utf8'));
  if (textOrEmpty(event, 'taskStatus') !== 'delivered') return 200;
  return answers.get(textOrEmpty(event, 'externalReference')) ?? 200;
}
