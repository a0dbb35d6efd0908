/** Crockford's base 32: no I, L, O or U, so that a number survives being read out on the phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const TRACKING_SUFFIX_LENGTH = 6;

/** `PREFIX-YYYYMMDD-XXXXXX`, as schemas and searches know it (interpretation 24). */
export const TRACKING_NUMBER_PATTERN = '^[A-Z0-9]{2,10}-\\d{8}-[0-9A-HJKMNP-TV-Z]{6}$';

/**
 * Makes a tracking number from an organization's prefix, its local date (`YYYY-MM-DD`) and
 * six random bytes (interpretation 24). Each byte gives one character without bias: 256 is a
 * multiple of 32. Uniqueness is the store's to enforce.
 */
export function trackingNumber(prefix: string, localDate: string, randomBytes: Uint8Array): string {
  if (randomBytes.length !== TRACKING_SUFFIX_LENGTH) {
    throw new RangeError(`a tracking number takes ${TRACKING_SUFFIX_LENGTH} random bytes`);
  }
  return `${prefix}-${localDate.replaceAll('-', '')}-${crockfordText(randomBytes)}`;
}

/** Writes each byte as one character that survives being read out on the phone; 32 divides 256, so without bias. */
export function crockfordText(randomBytes: Uint8Array): string {
  return Array.from(randomBytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}
