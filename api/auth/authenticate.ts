import { createSecretKey } from 'node:crypto';
import koaJwt from 'koa-jwt';
import { HttpError } from 'koa';
import type { Context, Middleware } from 'koa';
import type { Credential, Problem } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import { admitKey } from '../../store/accounts/api-keys.ts';
import { findConsoleUser, recordUse } from '../../store/accounts/console-sessions.ts';
import { findSessionUser } from '../../store/accounts/sessions.ts';
import type { SignedInUser } from '../../store/accounts/sessions.ts';
import type { SessionId } from '../../domain/ids.ts';
import type { Dependencies } from '../dependencies.ts';
import { EXTERNAL_WINDOW_SECONDS, enforceRateLimit } from '../http/rate-limit.ts';
import type { ApiKeyActor, UserActor } from '../http/route.ts';
import type { Authentication } from '../http/router.ts';
import { presentedCookieHash } from './session-cookie.ts';
import { hashSecret, readClaims, TOKEN_ALGORITHM, TOKEN_AUDIENCE, TOKEN_ISSUER } from './tokens.ts';

const MAXIMUM_KEY_LENGTH = 255;

/**
 * The only maker of actors (contract «Authentication»): a bearer token opens the dashboard, a key opens `/external`,
 * and neither opens the other. Throws an unauthenticated ProblemError in the words that clients of this family know, and a
 * limited one for a key whose organization has asked too often.
 */
export function createAuthentication(dependencies: Dependencies): Authentication {
  return {
    tokenGuard: tokenGuard(dependencies),
    actorOf: async (surface, context) => {
      if (surface === 'public') return null;
      return surface === 'external' ? keyActor(dependencies, context) : userActor(dependencies, context);
    },
  };
}

/**
 * The same for the console, whose users a cookie names (decision 0029). It reads no `Authorization` and no key: a token opens nothing
 * here, and the cookie opens nothing elsewhere.
 */
export function createConsoleAuthentication(dependencies: Dependencies): Authentication {
  return {
    tokenGuard: (_context, next) => next(),
    actorOf: async (surface, context) => (surface === 'public' ? null : cookieActor(dependencies, context)),
  };
}

/**
 * koa-jwt before the dashboard's routes: checks a bearer token's signature, expiry, issuer and audience. The verified payload
 * is in `state.claims`, for `userActor`.
 */
function tokenGuard({ config }: Dependencies): Middleware {
  const secretKey = createSecretKey(Buffer.from(config.jwtSecret));
  const checkToken = koaJwt({
    secret: config.jwtSecret,
    algorithms: [TOKEN_ALGORITHM],
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    key: 'claims',
  });
  return async (context, next) => {
    // As koa-jwt's README shows («Passing the secret» there). Of a text jsonwebtoken makes a key for each request: 0.3 to 0.4 ms
    // of CPU time; with a key object a token takes 0.01 ms.
    context.state['secret'] = secretKey;
    try {
      await checkToken(context, () => Promise.resolve());
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 401) throw error;
      throw tokenError(error['originalError']);
    }
    await next();
  };
}

/** The 401 of koa-jwt in the words that clients of this family know; it names no cause where there was no token. */
function tokenError(cause: unknown): ProblemError {
  if (cause === undefined) return unauthenticated('JWT Token not found');
  const isExpired = cause instanceof Error && cause.name === 'TokenExpiredError';
  return unauthenticated(isExpired ? 'Expired JWT Token' : 'Invalid JWT Token');
}

/** Rejected too where the session has ended or the user is disabled (interpretation 37). */
async function userActor({ database }: Dependencies, { state }: Context): Promise<UserActor> {
  const claims = readClaims(state['claims']);
  const user = claims && (await findSessionUser(database, claims.userId, claims.sessionId));
  if (claims === undefined || user === undefined) throw unauthenticated('Invalid JWT Token');
  return actorWith(user, claims.sessionId, null);
}

async function cookieActor({ database, config }: Dependencies, context: Context): Promise<UserActor> {
  const cookieHash = presentedCookieHash(context, config.publicUrl);
  const user = cookieHash && (await findConsoleUser(database, cookieHash));
  if (user === undefined) throw unauthenticated('No session, or it has ended: sign in.', 'cookie');
  if (user.isUseDue && isAttended(context)) await recordUse(database, user.sessionId);
  return actorWith(user, user.sessionId, user.isConfirmed);
}

/**
 * Whether a person is behind a request (decision 0029). A page that is left open opens its stream of changes again and again, reads
 * what has changed, and says so of these reads.
 */
function isAttended({ headers }: Context): boolean {
  return headers.accept !== 'text/event-stream' && headers['x-unattended'] === undefined;
}

function actorWith(
  { userId, organizationId, role, merchantId, driverId, secondFactor }: SignedInUser,
  sessionId: SessionId,
  isConfirmed: boolean | null,
): UserActor {
  return {
    kind: 'user',
    userId,
    organizationId,
    role,
    merchantId,
    driverId,
    sessionId,
    secondFactor,
    isConfirmed,
  };
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
  enforceRateLimit(hit, limit, context);
  return { kind: 'key', organizationId, series };
}

function unauthenticated(detail: string, credential: Credential = 'token'): ProblemError {
  const problem: Problem = { kind: 'unauthenticated', detail, credential };
  return new ProblemError(problem);
}
