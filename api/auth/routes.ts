import { ProblemError } from '../../domain/problem.ts';
import { findRefreshOwner, openSession, rotateRefreshToken } from '../../store/accounts/sessions.ts';
import type { SignedInUser } from '../../store/accounts/sessions.ts';
import type { SessionId } from '../../domain/ids.ts';
import type { Dependencies } from '../dependencies.ts';
import { originOf } from '../http/audited.ts';
import { RATE_LIMIT_HEADERS } from '../http/rate-limit.ts';
import type { RouteResponse } from '../http/route.ts';
import { dashboardRoute, publicRoute } from '../http/route.ts';
import { named } from '../schema/schema.ts';
import { object, required } from '../schema/schema-objects.ts';
import { text } from '../schema/schema-values.ts';
import { shape, string } from '../schema/shapes.ts';
import { credentialsBody, SIGN_IN_REJECTIONS, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { hashSecret, newRefreshToken, signToken } from './tokens.ts';

const tag = 'Authentication';

const tokensJson = {
  title: 'Tokens',
  ...shape({ token: string, refresh_token: string }, ['token', 'refresh_token']),
};

const login = publicRoute({
  operation: 'auth.login',
  method: 'POST',
  path: '/login_check',
  tag,
  summary: 'Sign in',
  description:
    'A user with a second factor sends a code of its app, or a recovery code, as `totp`. Limited to five attempts a minute for each address and account, and to sixty wrong passwords a minute for each address (IPv6 addresses count by their /64); 429 says when to retry. Attempts from other addresses never lock an account.',
  isPlain: true,
  answers: {
    200: {
      description: 'A token for 4 hours, and a refresh token.',
      schema: tokensJson,
      headers: RATE_LIMIT_HEADERS,
    },
    ...SIGN_IN_REJECTIONS,
  },
  body: credentialsBody,
  handle: async (request) => {
    const { dependencies } = request;
    const { refreshLifetimeSeconds, sessionLifetimeSeconds } = dependencies.config;
    const lifetimes = { session: sessionLifetimeSeconds, refreshToken: refreshLifetimeSeconds };
    const refreshToken = newRefreshToken();
    const { user, sessionId } = await signIn(request, {
      open: (executor, userId, origin) =>
        openSession(executor, userId, hashSecret(refreshToken), lifetimes, origin),
      admitsWithoutFactor: false,
    });
    return tokens(dependencies, user, sessionId, refreshToken);
  },
});

const refresh = publicRoute({
  operation: 'auth.refresh',
  method: 'POST',
  path: '/token/refresh',
  tag,
  summary: 'Get a new token without credentials',
  description:
    'Each refresh token is exchanged for the next. Used again within 30 seconds, as two tabs do, it gets one further pair, while the token that it was exchanged for is unused; any other use of a used token ends the session. Counts against the `session` budget of its user: if that is exhausted, the token stays valid and can be sent again.',
  isPlain: true,
  answers: {
    200: {
      description: 'A new token and the next refresh token.',
      schema: tokensJson,
      headers: RATE_LIMIT_HEADERS,
    },
    401: { description: 'The refresh token is unknown, used, expired, or of a session that has ended.' },
    429: {
      description: 'Too many refreshes by this user or organization; the refresh token stays valid.',
      headers: RATE_LIMIT_HEADERS,
    },
  },
  body: named('RefreshRequest', object({ refresh_token: required(text()) })),
  handle: async ({ body, context, dependencies, operation }) => {
    const { database, budgets, config } = dependencies;
    const presented = hashSecret(body.refresh_token);
    // Counted before the token is used, since a rejected client must keep it; an unknown caller's guesses are charged to no user.
    const owner = await findRefreshOwner(database, presented);
    if (owner !== undefined) await budgets.take('session', owner, 1, context);
    const next = newRefreshToken();
    const rotation = await rotateRefreshToken(
      database,
      presented,
      hashSecret(next),
      config.refreshLifetimeSeconds,
      { operation, ...originOf(context) },
    );
    if (rotation.kind === 'rotated') return tokens(dependencies, rotation.user, rotation.sessionId, next);
    const detail = rotation.kind === 'unknown' ? 'JWT Refresh Token Not Found' : 'Invalid JWT Refresh Token';
    throw new ProblemError({ kind: 'unauthenticated', detail });
  },
});

const logout = dashboardRoute({
  operation: 'auth.logout',
  method: 'POST',
  path: '/logout',
  action: 'session.end',
  isOpenWithoutFactor: true,
  tag,
  summary: 'Sign out',
  description: 'Ends the session of the token: its tokens and refresh tokens are rejected from now on.',
  answers: { 204: { description: 'Signed out.' } },
  handle: async (request) => {
    await signOut(request);
    return { status: 204 };
  },
});

function tokens(
  { config, clock }: Dependencies,
  user: SignedInUser,
  sessionId: SessionId,
  refreshToken: string,
): RouteResponse {
  const claims = { userId: user.userId, sessionId, username: user.email, roles: [user.role] };
  return {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: {
      token: signToken(claims, config.jwtSecret, clock(), config.jwtLifetimeSeconds),
      refresh_token: refreshToken,
    },
  };
}

export const authRoutes = [login, refresh, logout];
