import type { Middleware } from 'koa';
import type { ApiConfig } from '../../platform/config.ts';

const PATH = '/.well-known/security.txt';
/** RFC 9116 section 2.5.5 advises less than a year. */
const VALID_DAYS = 180;
const DAY_MS = 86_400_000;

/**
 * Serves `/.well-known/security.txt` (RFC 9116) where SECURITY_CONTACT is set. It expires half a year after this process has
 * started, so that an old contact does not look valid (RFC 9116 section 2.5.5).
 */
export function securityText(
  { securityContacts, publicUrl }: Pick<ApiConfig, 'securityContacts' | 'publicUrl'>,
  startedAt: Date,
): Middleware {
  const expires = new Date(startedAt.getTime() + VALID_DAYS * DAY_MS).toISOString();
  const lines = [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    `Canonical: ${publicUrl}${PATH}`,
    'Preferred-Languages: en, fr',
  ];
  const text = `${lines.join('\r\n')}\r\n`;
  return async (context, next) => {
    if (context.path !== PATH || securityContacts.length === 0) {
      await next();
      return;
    }
    context.type = 'text/plain; charset=utf-8';
    context.body = text;
  };
}
