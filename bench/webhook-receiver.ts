import { once } from 'node:events';
import { createServer } from 'node:https';
import type { ServerResponse } from 'node:http';
import { issueServerCertificate } from '../dev/engines/certificate-authority.ts';
import type { CertificateAndKey } from '../dev/engines/certificate-authority.ts';

/** An organization's webhook endpoint on this machine. */
export interface WebhookReceiver {
  readonly url: string;
  /** Resolves with the moment, by performance.now(), at which the nth notification of a shipment arrived. */
  readonly arrival: (shipmentId: string, nth: number) => Promise<number>;
  /** How many requests came in all. */
  readonly count: () => number;
  /** From now on requests are left without an answer, or answered again; those that wait are answered then. */
  readonly hang: (hangs: boolean) => void;
  /** From now on each request is answered after this time. */
  readonly answerAfter: (ms: number) => void;
  readonly close: () => Promise<void>;
}

/** Starts a receiver that answers 200 at once until it is told to hang. */
export async function startWebhookReceiver(authority: CertificateAndKey): Promise<WebhookReceiver> {
  const { certificatePem, keyPem } = await issueServerCertificate(authority, new Date());
  const arrivals = new Map<string, number[]>();
  const waiting = new Map<string, (at: number) => void>();
  const unanswered = new Set<ServerResponse>();
  let hangs = false;
  let requests = 0;
  let answerMs = 0;
  const server = createServer({ cert: certificatePem, key: keyPem }, (incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const at = performance.now();
      requests += 1;
      const id = shipmentIdOf(Buffer.concat(parts));
      const times = [...(arrivals.get(id) ?? []), at];
      arrivals.set(id, times);
      waiting.get(`${id} ${times.length}`)?.(at);
      if (hangs) unanswered.add(response);
      else if (answerMs === 0) response.writeHead(200).end();
      else setTimeout(() => response.writeHead(200).end(), answerMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `https://localhost:${address.port}/hooks`,
    arrival: (shipmentId, nth) =>
      new Promise((resolve) => {
        const known = arrivals.get(shipmentId)?.[nth - 1];
        if (known === undefined) waiting.set(`${shipmentId} ${nth}`, resolve);
        else resolve(known);
      }),
    count: () => requests,
    hang: (isHanging) => {
      hangs = isHanging;
      if (hangs) return;
      for (const response of unanswered) response.writeHead(200).end();
      unanswered.clear();
    },
    answerAfter: (ms) => {
      answerMs = ms;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function shipmentIdOf(body: Buffer): string {
  const event: unknown = JSON.parse(body.toString('utf8'));
  const isEvent = typeof event === 'object' && event !== null && 'shipmentId' in event;
  return isEvent && typeof event.shipmentId === 'string' ? event.shipmentId : '';
}
