import { createHmac, randomBytes } from 'node:crypto';
import { TOTP } from '../../domain/second-factor.ts';

/**
 * One-time codes by the clock (RFC 6238 over RFC 4226). Node's `crypto` has the HMAC that they are made of; the vectors of both RFCs
 * are tests (decision 0046).
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS_OF_A_CHARACTER = 5;
/** RFC 4226 section 5.3: the last four bits say where the 31 bits of a code begin. */
const OFFSET_MASK = 0x0f;
const CODE_MASK = 0x7f_ff_ff_ff;

/** A new secret, in base32 as authenticator apps take it. */
export function newTotpSecret(): string {
  return base32(randomBytes(TOTP.secretBytes));
}

/** Base32 without padding (RFC 4648 section 6). */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const parts = bits.match(/.{1,5}/g) ?? [];
  return parts
    .map((part) => ALPHABET.charAt(Number.parseInt(part.padEnd(BITS_OF_A_CHARACTER, '0'), 2)))
    .join('');
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) =>
    ALPHABET.indexOf(letter).toString(2).padStart(BITS_OF_A_CHARACTER, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of a secret at a counter (RFC 4226 section 5.3). */
function hotp(key: Buffer, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac('sha1', key).update(message).digest();
  const offset = digest.readUInt8(digest.length - 1) & OFFSET_MASK;
  const code = (digest.readUInt32BE(offset) & CODE_MASK) % 10 ** TOTP.digits;
  return String(code).padStart(TOTP.digits, '0');
}

function stepAt(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000 / TOTP.stepSeconds);
}

/** The code of a secret (base32) at a moment. */
export function totpAt(secret: string, moment: Date): string {
  return hotp(fromBase32(secret), stepAt(moment));
}

/** The step that a code belongs to, of the present one and its neighbours; undefined where it is of none. */
export function totpStepOf(secret: string, code: string, now: Date): number | undefined {
  const key = fromBase32(secret);
  const steps = Array.from({ length: 2 * TOTP.driftSteps + 1 }, (_, index) => index - TOTP.driftSteps);
  // The newest first: where two steps have the same code, the later one is spent.
  return steps.map((drift) => stepAt(now) - drift).find((step) => step >= 0 && hotp(key, step) === code);
}

/** What an authenticator app reads from a QR code: the secret, for which account and of which service. */
export function totpUri(secret: string, account: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}
