import { randomBytes } from 'node:crypto';
import { RECOVERY_CODE_COUNT } from '../../domain/second-factor.ts';
import { hashSecret } from './tokens.ts';

/** Digits and letters that cannot be taken for each other (Crockford's base32): `i`, `l`, `o` and `u` are missing. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 120 bits: above 112 a plain hash is enough for a code that is stored (NIST SP 800-63B-4, section 3.1.2.2). */
const CHARACTERS = 24;
const GROUP = /.{4}(?=.)/g;
const FORM = new RegExp(`^[${ALPHABET}]{${CHARACTERS}}$`);

/** Codes for a lost phone, as they are shown this once: `4k7q-9x2m-vw4h-0bnd-7s3t-ezc1`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET.charAt(byte % ALPHABET.length));
    return characters.join('').replace(GROUP, '$&-');
  });
}

/** What is stored of a code, however it is typed; undefined for a text that is none. */
export function recoveryCodeHash(typed: string): Buffer | undefined {
  const text = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return FORM.test(text) ? hashSecret(text) : undefined;
}
