import { createHmac, timingSafeEqual } from 'node:crypto';
import { styleText } from 'node:util';
import { textOrEmpty } from '../test/harness/json.ts';
import { RECEIVER_ANSWERS } from './parcels.ts';
import type { Report } from './report.ts';

/** A status change as it arrived, with the answers to all requests about it. */
export interface ReceivedEvent {
  readonly shipmentId: string;
  readonly change: string;
  readonly updatedAt: string;
  readonly bytes: Buffer;
  readonly answers: number[];
}

/**
 * Verifies a webhook request as a shop has to (contract «Signature»): the header is the HMAC-SHA256 of the raw bytes with
 * the whole secret as key, compared in constant time. It shares no code with the sender.
 */
export function isSigned(bytes: Uint8Array, header: unknown, secret: string): boolean {
  const signature = typeof header === 'string' ? /^sha256=([0-9a-f]{64})$/.exec(header)?.[1] : undefined;
  if (signature === undefined) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(signature, 'hex'));
}

/** Names a status change: `pickup assigned, shipment pending`. */
export function changeOf(taskType: string, taskStatus: string, shipmentStatus: string): string {
  return `${taskType} ${taskStatus}, shipment ${shipmentStatus}`;
}

/** What `createReceiver` returns. */
export type Receiver = ReturnType<typeof createReceiver>;

/** Makes what a shop's webhook endpoint needs: it verifies each request, recognizes repetitions, and answers as planned. */
export function createReceiver(secret: string, report: Report) {
  const events = new Map<string, ReceivedEvent>();
  return {
    /** The events of a shipment in the order of `updatedAt` (contract «Receiver guidance»). */
    eventsOf: (shipmentId: string): readonly ReceivedEvent[] =>
      [...events.values()]
        .filter((event) => event.shipmentId === shipmentId)
        .sort((left, right) => (left.updatedAt < right.updatedAt ? -1 : 1)),

    /** Checks a request and keeps it. Returns the status code to answer with. */
    receive: (bytes: Buffer, signature: unknown): number => {
      const isGenuine = isSigned(bytes, signature, secret);
      report.check('signature', 'a request is signed', isGenuine, true);
      if (!isGenuine) return 401;
      const body: unknown = JSON.parse(bytes.toString('utf8'));
      report.check('body', 'the number of fields', Object.keys(body ?? {}).length, 9);
      const [shipmentId, updatedAt] = [textOrEmpty(body, 'shipmentId'), textOrEmpty(body, 'updatedAt')];
      const change = changeOf(
        textOrEmpty(body, 'taskType'),
        textOrEmpty(body, 'taskStatus'),
        textOrEmpty(body, 'status'),
      );
      const key = `${shipmentId} ${change} ${updatedAt}`;
      const event = events.get(key) ?? { shipmentId, change, updatedAt, bytes, answers: [] };
      events.set(key, event);
      const isRepeated = event.answers.length > 0;
      if (isRepeated) report.check('repeat', `the bytes of ${change}`, event.bytes.equals(bytes), true);
      const plan = RECEIVER_ANSWERS.get(
        `${textOrEmpty(body, 'externalReference')} ${textOrEmpty(body, 'taskStatus')}`,
      );
      const answer = plan?.[event.answers.length] ?? 200;
      event.answers.push(answer);
      const words = `answered ${answer}${isRepeated ? ` to request ${event.answers.length}` : ''}`;
      const colored = styleText(answer === 200 ? 'green' : 'yellow', words);
      report.line(`  ${styleText('magenta', '⇠ webhook')}   ${change.padEnd(55)} signature ✔  ${colored}`);
      return answer;
    },
  };
}
