import type { Context } from 'koa';
import { randomBytes } from 'node:crypto';
import { LIFETIME_SECONDS } from '../../store/accounts/console-sessions.ts';
import { hashSecret } from './tokens.ts';

/**
 * The console's cookie (decision 0029): 256 random bits, stored as their hash alone. A browser sends it below `/desk` and nowhere else,
 * not from another site's forms and pictures, and shows it to no script. `publicUrl` decides whether it is for TLS alone: what
 * a request says of itself may be said by anybody, and TLS may end in a proxy.
 */

const SECRET_BYTES = 32;
const SECRET_FORM = /^[\w-]{43}$/;
const COOKIE_PATH = '/desk';

/** A new secret for a cookie. */
export function newCookieSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The hash of the cookie that a request presents; undefined where it has none, or one of another form. */
export function presentedCookieHash(context: Context, publicUrl: string): Buffer | undefined {
  const secret = context.cookies.get(cookieName(publicUrl), { signed: false });
  return secret !== undefined && SECRET_FORM.test(secret) ? hashSecret(secret) : undefined;
}

/** The `Set-Cookie` header that gives a browser its cookie, until the last end of its session. */
export function cookieHeader(secret: string, publicUrl: string): string {
  return cookieText(publicUrl, secret, LIFETIME_SECONDS);
}

/** The `Set-Cookie` header that takes it away again. */
export function noCookieHeader(publicUrl: string): string {
  return cookieText(publicUrl, '', 0);
}

function cookieText(publicUrl: string, value: string, maxAgeSeconds: number): string {
  const attributes = [`Path=${COOKIE_PATH}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
  return [
    `${cookieName(publicUrl)}=${value}`,
    ...attributes,
    ...(isSecure(publicUrl) ? ['Secure'] : []),
  ].join('; ');
}

/**
 * Over TLS the name says what browsers hold it to: that it was set over TLS, for TLS. `__Host-` would forbid the path. Cookies ignore
 * ports, so that the name has the port where it is not the usual one: two services on one computer keep their sessions apart.
 */
export function cookieName(publicUrl: string): string {
  const { port } = new URL(publicUrl);
  return `${isSecure(publicUrl) ? '__Secure-' : ''}session${port === '' ? '' : `-${port}`}`;
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}
