import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CertificateAndKey } from '../../dev/engines/certificate-authority.ts';
import type { ReceiverAnswer } from '../harness/receiver.ts';
import { startReceiver } from '../harness/receiver.ts';
import { textOrNull } from '../harness/json.ts';
import type { ReceivedPost } from './checker/evidence.ts';
import type { Random } from './random.ts';

/** The organization's webhook endpoint, which records each request with its answer. */
export interface FaultyReceiver {
  readonly url: string;
  readonly posts: readonly ReceivedPost[];
  /** The secret is known only after the organization was made with the receiver's address. */
  readonly useSecret: (secret: string) => void;
  /** From now on half of the requests fail, or all succeed again. */
  readonly failHalf: (fails: boolean) => void;
  readonly close: () => Promise<void>;
}

/** Starts a receiver that answers 200 until it is asked to fail; then half of the requests get one of `failures`. */
export async function startFaultyReceiver(
  authority: CertificateAndKey,
  random: Random,
  failures: readonly ReceiverAnswer[],
): Promise<FaultyReceiver> {
  const posts: ReceivedPost[] = [];
  let secret = '';
  let isFailing = false;
  const receiver = await startReceiver({
    authority,
    answers: ({ headers, body }) => {
      const answer: ReceiverAnswer = isFailing && random.isLikely(0.5) ? random.pick(failures) : 200;
      posts.push({
        shipmentId: shipmentIdOf(body),
        eventId: String(headers['x-service-event-id']),
        body: body.toString('utf8'),
        hasValidSignature: isValid(String(headers['x-service-signature']), body, secret),
        answer: typeof answer === 'number' ? answer : null,
      });
      return answer;
    },
  });
  return {
    url: receiver.url,
    posts,
    useSecret: (known) => {
      secret = known;
    },
    failHalf: (fails) => {
      isFailing = fails;
    },
    close: receiver.close,
  };
}

function shipmentIdOf(body: Buffer): string {
  const event: unknown = JSON.parse(body.toString('utf8'));
  return textOrNull(event, 'shipmentId') ?? '';
}

function isValid(signature: string, body: Buffer, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
