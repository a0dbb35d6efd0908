import { createHash, randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { isOneOf } from '../../domain/enumerations.ts';
import type { SessionId, UserId } from '../../domain/ids.ts';
import { parseId } from '../../domain/ids.ts';
import { ROLES } from '../../domain/permission.ts';
import type { Role } from '../../domain/permission.ts';

/**
 * What is pinned in every token: a token with another algorithm, issuer or audience is rejected (interpretation 37, RFC
 * 8725).
 */
export const TOKEN_ALGORITHM = 'HS256';
export const TOKEN_ISSUER = 'shipment-delivery-service';
export const TOKEN_AUDIENCE = 'dashboard';

/** What a token says. Whether its session still lives and its user is active, the database says. */
interface TokenClaims {
  readonly userId: UserId;
  readonly sessionId: SessionId;
}

/** Signs a token for one session, `lifetimeSeconds` from `now`. `username` and `roles` are for clients to show. */
export function signToken(
  claims: TokenClaims & { readonly username: string; readonly roles: readonly Role[] },
  secret: string,
  now: Date,
  lifetimeSeconds: number,
): string {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  return jwt.sign(
    {
      iat: issuedAt,
      exp: issuedAt + lifetimeSeconds,
      sub: claims.userId,
      sid: claims.sessionId,
      username: claims.username,
      roles: claims.roles,
    },
    secret,
    { algorithm: TOKEN_ALGORITHM, issuer: TOKEN_ISSUER, audience: TOKEN_AUDIENCE },
  );
}

/** Reads verified claims; undefined when one is missing or of another form (a token without `exp`, say). */
export function readClaims(payload: unknown): TokenClaims | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  if (!('exp' in payload) || typeof payload.exp !== 'number') return undefined;
  if (!('sub' in payload) || typeof payload.sub !== 'string') return undefined;
  if (!('sid' in payload) || typeof payload.sid !== 'string') return undefined;
  if (!('roles' in payload) || !Array.isArray(payload.roles)) return undefined;
  if (!payload.roles.every((role) => isOneOf(ROLES, role))) return undefined;
  const userId = parseId<'user'>(payload.sub);
  const sessionId = parseId<'session'>(payload.sid);
  if (userId === undefined || sessionId === undefined) return undefined;
  return { userId, sessionId };
}

const REFRESH_TOKEN_BYTES = 64;
const API_KEY_BYTES = 32;
const API_KEY_PREFIX = 'sds_';
const SHOWN_KEY_CHARACTERS = 10;

/** A refresh token: 64 random bytes in hex, as this family of APIs has it. Stored as its hash alone. */
export function newRefreshToken(): string {
  return randomBytes(REFRESH_TOKEN_BYTES).toString('hex');
}

/** An API key: 256 random bits behind a prefix that scanners for leaked secrets can know. */
export function newApiKey(): { readonly key: string; readonly shownPrefix: string } {
  const key = `${API_KEY_PREFIX}${randomBytes(API_KEY_BYTES).toString('base64url')}`;
  return { key, shownPrefix: key.slice(0, SHOWN_KEY_CHARACTERS) };
}

/** SHA-256 of a secret with enough entropy of its own. It is looked up by this hash, so no comparison leaks time. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
