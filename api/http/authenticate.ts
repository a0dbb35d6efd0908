import { createSecretKey } from 'node:crypto';
import koaJwt from 'koa-jwt';
import { HttpError } from 'koa';
import type { Context, Middleware } from 'koa';
import type { Problem } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import { admitKey } from '../../store/accounts/api-keys.ts';
import { findSessionUser } from '../../store/accounts/sessions.ts';
import type { TokenClaims } from '../auth/tokens.ts';
import { hashSecret, readClaims, TOKEN_ALGORITHM, TOKEN_AUDIENCE, TOKEN_ISSUER } from '../auth/tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { EXTERNAL_WINDOW_SECONDS, enforceRateLimit } from './rate-limit.ts';
import type { Actor, ApiKeyActor, Surface, UserActor } from './route.ts';

const MAXIMUM_KEY_LENGTH = 255;

/**
 * koa-jwt before the dashboard's routes: checks a bearer token's signature, expiry, issuer and audience, and answers 401
 * itself (`tokenProblem` words it). The verified payload is in `state.claims`, for the authenticator.
 */
export function tokenGuards({ config }: Dependencies): readonly Middleware[] {
  const secretKey = createSecretKey(Buffer.from(config.jwtSecret));
  const passSecret: Middleware = (context, next) => {
    // As koa-jwt's README shows («Passing the secret» there). Of a text jsonwebtoken makes a key for each request: 0.3 to 0.4 ms
    // of CPU time; with a key object a token takes 0.01 ms.
    context.state['secret'] = secretKey;
    return next();
  };
  const checkToken = koaJwt({
    secret: config.jwtSecret,
    algorithms: [TOKEN_ALGORITHM],
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    key: 'claims',
  });
  return [passSecret, checkToken];
}

/** The problem that koa-jwt reports by a 401, in the words that clients of this family know; undefined for other errors. */
export function tokenProblem(error: unknown): Problem | undefined {
  if (!(error instanceof HttpError) || error.status !== 401) return undefined;
  const cause: unknown = error['originalError'];
  if (cause === undefined) return unauthenticated('JWT Token not found');
  const isExpired = cause instanceof Error && cause.name === 'TokenExpiredError';
  return unauthenticated(isExpired ? 'Expired JWT Token' : 'Invalid JWT Token');
}

/**
 * The only maker of actors (contract «Authentication»): a bearer token opens the dashboard, a key opens `/external`,
 * and neither opens the other. Throws an unauthenticated ProblemError in the words that clients of this family know, and a
 * limited one for a key whose organization has asked too often. The dashboard's routes need `tokenGuards` before it.
 */
export function createAuthenticator(
  dependencies: Dependencies,
): (surface: Surface, context: Context) => Promise<Actor | null> {
  return async (surface, context) => {
    if (surface === 'public') return null;
    if (surface === 'external') return keyActor(dependencies, context);
    const claims = readClaims(context.state['claims']);
    const actor = claims && (await userActor(dependencies, claims));
    if (actor === undefined) throw new ProblemError(unauthenticated('Invalid JWT Token'));
    return actor;
  };
}

/** Undefined where the session has ended or the user is disabled (interpretation 37). */
async function userActor({ database }: Dependencies, claims: TokenClaims): Promise<UserActor | undefined> {
  const user = await findSessionUser(database, claims.userId, claims.sessionId);
  if (user === undefined) return undefined;
  const { userId, organizationId, role, merchantId, driverId } = user;
  return { kind: 'user', userId, organizationId, role, merchantId, driverId, sessionId: claims.sessionId };
}

async function keyActor({ database, config }: Dependencies, context: Context): Promise<ApiKeyActor> {
  const key = context.get('x-api-key');
  if (key === '') {
    throw new ProblemError(unauthenticated('API key not found: send it in the X-API-KEY header.', 'key'));
  }
  const limit = config.externalRequestsPerMinute;
  const admission =
    key.length > MAXIMUM_KEY_LENGTH
      ? undefined
      : await admitKey(database, hashSecret(key), limit, EXTERNAL_WINDOW_SECONDS);
  if (admission === undefined) throw new ProblemError(unauthenticated('Invalid API key', 'key'));
  const { organizationId, series, hit } = admission;
  enforceRateLimit(hit, limit, (headers) => context.set(headers));
  return { kind: 'key', organizationId, series };
}

function unauthenticated(detail: string, credential: 'token' | 'key' = 'token'): Problem {
  return { kind: 'unauthenticated', detail, credential };
}
