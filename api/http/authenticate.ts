import { createSecretKey } from 'node:crypto';
import koaJwt from 'koa-jwt';
import type { Context, Middleware } from 'koa';
import { ProblemError } from '../../domain/problem.ts';
import { admitKey } from '../../store/accounts/api-keys.ts';
import { findSessionUser } from '../../store/accounts/sessions.ts';
import type { TokenClaims } from '../auth/tokens.ts';
import { hashSecret, readClaims, TOKEN_ALGORITHM, TOKEN_AUDIENCE, TOKEN_ISSUER } from '../auth/tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { EXTERNAL_WINDOW_SECONDS, enforceRateLimit } from './rate-limit.ts';
import type { Actor, ApiKeyActor, Surface, UserActor } from './route.ts';

const MAXIMUM_KEY_LENGTH = 255;

/** Checks a bearer token's signature, expiry, issuer and audience. What it found is in the state, for the authenticator. */
export function verifyToken({ config }: Dependencies): Middleware {
  const check = koaJwt({
    secret: config.jwtSecret,
    algorithms: [TOKEN_ALGORITHM],
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    // The authenticator answers, in the words that clients of this family know.
    passthrough: true,
    key: 'claims',
    getToken: (context) => bearerToken(context.headers.authorization) ?? null,
  });
  // jsonwebtoken first tries a text as a public key and fails: 0.3 ms of CPU time for each request, against 0.01 ms with a
  // key object. koa-jwt takes a key object by `state.secret`, which goes before its option.
  const secretKey = createSecretKey(Buffer.from(config.jwtSecret));
  return async (context, next) => {
    context.state['secret'] = secretKey;
    await check(context, next);
  };
}

/**
 * The only maker of actors (contract «Authentication»): a bearer token opens the dashboard, a key opens `/external`,
 * and neither opens the other. Throws an unauthenticated ProblemError in the words that clients of this family know, and a
 * limited one for a key whose organization has asked too often. The dashboard's routes need `verifyToken` before it.
 */
export function createAuthenticator(
  dependencies: Dependencies,
): (surface: Surface, context: Context) => Promise<Actor | null> {
  return async (surface, context) => {
    if (surface === 'public') return null;
    if (surface === 'external') return keyActor(dependencies, context);
    return userActor(dependencies, verifiedClaims(context));
  };
}

function verifiedClaims(context: Context): TokenClaims {
  if (bearerToken(context.headers.authorization) === undefined) throw unauthenticated('JWT Token not found');
  const failure: unknown = context.state['jwtOriginalError'];
  if (failure instanceof Error && failure.name === 'TokenExpiredError')
    throw unauthenticated('Expired JWT Token');
  const claims = failure === undefined ? readClaims(context.state['claims']) : undefined;
  if (claims === undefined) throw unauthenticated('Invalid JWT Token');
  return claims;
}

async function userActor({ database }: Dependencies, claims: TokenClaims): Promise<UserActor> {
  const user = await findSessionUser(database, claims.userId, claims.sessionId);
  // The signature is valid and not expired, but the session has ended or the user is disabled (interpretation 37).
  if (user === undefined) throw unauthenticated('Invalid JWT Token');
  const { userId, organizationId, role, merchantId, driverId } = user;
  return { kind: 'user', userId, organizationId, role, merchantId, driverId, sessionId: claims.sessionId };
}

async function keyActor({ database, config }: Dependencies, context: Context): Promise<ApiKeyActor> {
  const key = context.get('x-api-key');
  if (key === '') throw unauthenticated('API key not found: send it in the X-API-KEY header.', 'key');
  const limit = config.externalRequestsPerMinute;
  const admission =
    key.length > MAXIMUM_KEY_LENGTH
      ? undefined
      : await admitKey(database, hashSecret(key), limit, EXTERNAL_WINDOW_SECONDS);
  if (admission === undefined) throw unauthenticated('Invalid API key', 'key');
  const { organizationId, series, hit } = admission;
  enforceRateLimit(hit, limit, (headers) => context.set(headers));
  return { kind: 'key', organizationId, series };
}

/** The token of an Authorization header; undefined when the header is missing or of another scheme. */
function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1];
}

function unauthenticated(detail: string, credential: 'token' | 'key' = 'token'): ProblemError {
  return new ProblemError({ kind: 'unauthenticated', detail, credential });
}
