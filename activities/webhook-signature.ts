import { createHmac } from 'node:crypto';

/**
 * The value of `X-Service-Signature` (contract «Signature»): the lowercase hex HMAC-SHA256 of the raw
 * bytes, keyed with the whole secret as text, `whsec_` included (interpretation 42). Takes bytes, never an object.
 */
export function webhookSignature(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
