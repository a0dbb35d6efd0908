import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { issueServerCertificate, readAuthority } from '../../dev/engines/certificate-authority.ts';
import type { Deployment } from './deployment.ts';
import { readArrival, type Arrival, type Mailbox, type Reaction } from './mailbox.ts';
import { StoryStopped } from './reading.ts';
import { isSigned } from './signature.ts';

/** What the receiver tells while it listens. */
export interface ReceiverEvents {
  /** Decides the reaction to a genuine notification; `attempt` is 1 for the first request about the change. */
  readonly react: (arrival: Omit<Arrival, 'reaction'>) => Reaction;
  readonly onArrival: (arrival: Arrival, faults: readonly string[]) => void;
  /** A request that is no notification of ours: it is answered with `status`. */
  readonly onForgery: (status: number, why: string) => void;
}

/** A shop's webhook endpoint: HTTPS, signature over the raw bytes, duplicates told apart. */
export interface Receiver {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts the endpoint on a free port, with a certificate of the deployment's own authority. `secret` is the
 * organization's webhookSecret. Throws StoryStopped when the authority cannot be read.
 */
export async function startReceiver(
  deployment: Deployment,
  secret: string,
  mailbox: Mailbox,
  events: ReceiverEvents,
): Promise<Receiver> {
  const { host, bindAddress } = deployment.receiver;
  const { certificateFile, keyFile } = deployment.authority;
  const authority = await readAuthority(certificateFile, keyFile).catch(() => {
    throw new StoryStopped(`The certificate authority cannot be read: ${certificateFile} and ${keyFile}.`);
  });
  const isName = !/^[\d.:[\]]+$/.test(host);
  const certificate = await issueServerCertificate(authority, new Date(), isName ? [host] : []);
  const server = createServer(
    { cert: certificate.certificatePem, key: certificate.keyPem },
    (request, response) => {
      void readBody(request).then((bytes) => receive({ request, response, bytes }, secret, mailbox, events));
    },
  );
  server.listen(0, bindAddress);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new StoryStopped('The receiver has no port.');
  return {
    url: `https://${host}:${address.port}/webhooks/shipments`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function receive(
  { request, response, bytes }: { request: IncomingMessage; response: ServerResponse; bytes: Buffer },
  secret: string,
  mailbox: Mailbox,
  events: ReceiverEvents,
): void {
  const refuse = (status: number, why: string): void => {
    events.onForgery(status, why);
    response.writeHead(status).end();
  };
  const header = request.headers['x-service-signature'];
  if (!isSigned(bytes, typeof header === 'string' ? header : undefined, secret)) {
    refuse(401, 'the signature does not fit the raw bytes');
    return;
  }
  const receivedAtMs = Date.now();
  const draft = readArrival(bytes, { attempt: 1, reaction: { kind: 'silence' }, receivedAtMs });
  if (draft === undefined) {
    refuse(400, 'the body is no JSON');
    return;
  }
  const attempt = mailbox.attemptsOf(draft.arrival.key) + 1;
  const reaction = events.react({ ...draft.arrival, attempt });
  const arrival: Arrival = { ...draft.arrival, attempt, reaction };
  const faults = [...draft.faults, ...headerFaults(request), ...mailbox.add(arrival)];
  events.onArrival(arrival, faults);
  if (reaction.kind === 'hang_up') response.destroy();
  if (reaction.kind === 'answer') response.writeHead(reaction.status).end();
}

function headerFaults({ method, headers }: IncomingMessage): readonly string[] {
  const isJson = headers['content-type']?.split(';')[0]?.trim() === 'application/json';
  return [
    ...(method === 'POST' ? [] : [`it came with ${method ?? 'no method'}`]),
    ...(isJson ? [] : [`Content-Type is ${headers['content-type'] ?? 'absent'}`]),
  ];
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  // A sender that gives up in the middle has nothing to be answered.
  await new Promise<void>((resolve) => request.on('end', resolve).on('error', () => undefined));
  return Buffer.concat(parts);
}
