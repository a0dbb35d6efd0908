import { createHmac, timingSafeEqual } from 'node:crypto';

const FORM = /^sha256=([0-9a-f]{64})$/;

/**
 * Verifies a notification as a receiver has to (contract «Signature»): the header against the lowercase hex HMAC-SHA256
 * of the raw bytes, keyed with the whole secret as text, compared in constant time. Written apart from the sender.
 */
export function isSigned(bytes: Uint8Array, header: string | undefined, secret: string): boolean {
  const claimed = FORM.exec(header ?? '')?.[1];
  if (claimed === undefined) return false;
  const computed = createHmac('sha256', secret).update(bytes).digest();
  return timingSafeEqual(computed, Buffer.from(claimed, 'hex'));
}
