import type { Context } from 'koa';

/**
 * The caller's address for login limits. `X-Forwarded-For` is believed only as far as proxies of ours wrote it:
 * with one trusted hop its last entry is the client, and what stands before it is the client's own claim.
 */
export function clientAddress(context: Context, trustedHops: number): string {
  const socketAddress = context.req.socket.remoteAddress ?? 'unknown';
  if (trustedHops === 0) return socketAddress;
  const forwarded = context
    .get('x-forwarded-for')
    .split(',')
    .map((entry) => entry.trim());
  return forwarded.at(-trustedHops) ?? socketAddress;
}
