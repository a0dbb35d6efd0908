import type { Context } from 'koa';
import { ProblemError } from '../../domain/problem.ts';
import type { RateHit } from '../../store/accounts/rate-windows.ts';

/** The window of the external API, for each organization (contract «Limits», interpretation 40). */
export const EXTERNAL_WINDOW_SECONDS = 60;

/** A window that counted a request, under the name that answers give it. */
export interface CountedWindow {
  readonly policy: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly hit: Pick<RateHit, 'remaining' | 'resetSeconds'>;
}

/**
 * Tells a request of the external API what its organization's window takes, by the headers of its answer. Throws a
 * limited ProblemError, whose answer carries them too, past the limit.
 */
export function enforceRateLimit(hit: RateHit, limit: number, context: Context): void {
  context.set(rateLimitHeaders([{ policy: 'external', limit, windowSeconds: EXTERNAL_WINDOW_SECONDS, hit }]));
  if (hit.isAccepted) return;
  throw new ProblemError({
    kind: 'limited',
    detail: `More than ${limit} requests within ${EXTERNAL_WINDOW_SECONDS} seconds; wait for the time given in Retry-After.`,
    retryAfterSeconds: hit.retryAfterSeconds,
  });
}

/** The headers that `rateLimitHeaders` writes, as OpenAPI names them. */
export const RATE_LIMIT_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/**
 * The IETF pair (draft-ietf-httpapi-ratelimit-headers), which lists every window, and the older trio that this family of
 * clients reads: it has room for one, the one that takes the fewest requests now. There has to be a window.
 */
export function rateLimitHeaders(windows: readonly CountedWindow[]): Record<string, string> {
  const [tightest] = [...windows].sort((left, right) => left.hit.remaining - right.hit.remaining);
  if (tightest === undefined) throw new Error('the request was counted against no rate limit');
  return {
    'ratelimit-policy': windows
      .map(({ policy, limit, windowSeconds }) => `"${policy}";q=${limit};w=${windowSeconds}`)
      .join(', '),
    ratelimit: windows
      .map(({ policy, hit }) => `"${policy}";r=${hit.remaining};t=${resetSeconds(hit)}`)
      .join(', '),
    'x-ratelimit-limit': String(tightest.limit),
    'x-ratelimit-remaining': String(tightest.hit.remaining),
    'x-ratelimit-reset': String(resetSeconds(tightest.hit)),
  };
}

function resetSeconds(hit: CountedWindow['hit']): number {
  return Math.max(1, Math.ceil(hit.resetSeconds));
}
