import type { Clock } from '../../platform/clock.ts';
import type { VerifiedClaims } from './tokens.ts';

const MS_PER_SECOND = 1_000;

/** Remembers the claims of checked tokens. */
export interface VerifiedTokens {
  /** The claims of a token that was checked before and has not expired; undefined for all others. */
  readonly find: (token: string) => VerifiedClaims | undefined;
  readonly keep: (token: string, claims: VerifiedClaims) => void;
}

/**
 * Makes a memory of at most `limit` tokens, the longest known of which makes room: checking a signature took a
 * twentieth of the API's CPU time, and clients send the same token for hours. What the database says of its session is asked
 * at each request all the same.
 */
export function rememberVerifiedTokens(limit: number, clock: Clock): VerifiedTokens {
  const known = new Map<string, VerifiedClaims>();
  return {
    find: (token) => {
      const claims = known.get(token);
      if (claims === undefined || clock().getTime() < claims.expiresAtSeconds * MS_PER_SECOND) return claims;
      known.delete(token);
      return undefined;
    },
    keep: (token, claims) => {
      const [oldest] = known.keys();
      if (known.size >= limit && oldest !== undefined) known.delete(oldest);
      known.set(token, claims);
    },
  };
}
