import { createHmac } from 'node:crypto';

/**
 * The value of `X-Service-Signature` (contract «Signature»): the lowercase hex HMAC-SHA256 of the raw
 * bytes, keyed with the whole secret as text, `whsec_` included (interpretation 42). Takes bytes, never an object.
 */
export function webhookSignature(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * The value of `X-Service-Timestamped-Signature` (decision 0043): `t=`, the seconds since 1970 at the attempt, and `v1=` for each valid
 * secret, the lowercase hex HMAC-SHA256 of the seconds, a full stop and the raw bytes. It lets a receiver reject a request that
 * someone repeats later.
 */
export function timestampedSignature(body: Uint8Array, secrets: readonly string[], now: Date): string {
  const seconds = Math.floor(now.getTime() / 1_000);
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex'),
  );
  return [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
}
