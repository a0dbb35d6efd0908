import { createSecretKey } from 'node:crypto';
import koaJwt from 'koa-jwt';
import type { Context } from 'koa';
import { Refusal } from '../../domain/problem.ts';
import { admitKey } from '../../store/api-keys.ts';
import { findSessionUser } from '../../store/sessions.ts';
import type { TokenClaims, VerifiedClaims } from '../auth/tokens.ts';
import { hashSecret, readClaims, TOKEN_ALGORITHM, TOKEN_AUDIENCE, TOKEN_ISSUER } from '../auth/tokens.ts';
import { rememberVerifiedTokens } from '../auth/verified-tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { EXTERNAL_WINDOW_SECONDS, heedExternalLimit } from './rate-limit.ts';
import type { Actor, KeyActor, Surface, UserActor } from './route.ts';

const MAXIMUM_KEY_LENGTH = 255;
/** About a kilobyte each. */
const REMEMBERED_TOKENS = 5_000;

/**
 * The only maker of actors (contract «Authentication»): a bearer token opens the dashboard, a key opens `/external`,
 * and neither opens the other. Throws an unauthenticated Refusal in the words that clients of this family know, and a
 * limited one for a key whose organization has asked too often.
 */
export function createAuthenticator(
  dependencies: Dependencies,
): (surface: Surface, context: Context) => Promise<Actor | null> {
  const verify = koaJwt({
    secret: dependencies.config.jwtSecret,
    algorithms: [TOKEN_ALGORITHM],
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    passthrough: true,
    key: 'claims',
    getToken: (context) => bearerToken(context.headers.authorization) ?? null,
  });
  // As text the secret is tried as a public key first, at each request: a twelfth of the API's CPU time. koa-jwt's types
  // know text alone; its documented `state.secret`, which goes before its option, takes the key.
  const secretKey = createSecretKey(Buffer.from(dependencies.config.jwtSecret));
  const verified = rememberVerifiedTokens(REMEMBERED_TOKENS, dependencies.clock);
  const claimsOf = async (token: string, context: Context): Promise<TokenClaims> => {
    const known = verified.find(token);
    if (known !== undefined) return known;
    context.state['secret'] = secretKey;
    const claims = await checkedClaims(verify, context);
    verified.keep(token, claims);
    return claims;
  };
  return async (surface, context) => {
    if (surface === 'public') return null;
    if (surface === 'external') return keyActor(dependencies, context);
    const token = bearerToken(context.headers.authorization);
    if (token === undefined) throw unauthenticated('JWT Token not found');
    return userActor(dependencies, await claimsOf(token, context));
  };
}

async function checkedClaims(verify: ReturnType<typeof koaJwt>, context: Context): Promise<VerifiedClaims> {
  await verify(context, () => Promise.resolve());
  const failure: unknown = context.state['jwtOriginalError'];
  if (failure instanceof Error && failure.name === 'TokenExpiredError')
    throw unauthenticated('Expired JWT Token');
  const claims = failure === undefined ? readClaims(context.state['claims']) : undefined;
  if (claims === undefined) throw unauthenticated('Invalid JWT Token');
  return claims;
}

async function userActor({ database }: Dependencies, claims: TokenClaims): Promise<UserActor> {
  const user = await findSessionUser(database, claims.userId, claims.sessionId);
  // Signed by us and not expired, but signed out, or the user disabled (gap 37).
  if (user === undefined) throw unauthenticated('Invalid JWT Token');
  const { userId, organizationId, role, merchantId, driverId } = user;
  return { kind: 'user', userId, organizationId, role, merchantId, driverId, sessionId: claims.sessionId };
}

async function keyActor({ database, config }: Dependencies, context: Context): Promise<KeyActor> {
  const key = context.get('x-api-key');
  if (key === '') throw unauthenticated('API key not found: send it in the X-API-KEY header.', 'key');
  const limit = config.externalRequestsPerMinute;
  const admission =
    key.length > MAXIMUM_KEY_LENGTH
      ? undefined
      : await admitKey(database, hashSecret(key), limit, EXTERNAL_WINDOW_SECONDS);
  if (admission === undefined) throw unauthenticated('Invalid API key', 'key');
  const { organizationId, series, hit } = admission;
  heedExternalLimit(hit, limit, (headers) => context.set(headers));
  return { kind: 'key', organizationId, series };
}

/** The token of an Authorization header; undefined when the header is missing or of another scheme. */
function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1];
}

function unauthenticated(detail: string, credential: 'token' | 'key' = 'token'): Refusal {
  return new Refusal({ kind: 'unauthenticated', detail, credential });
}
