import { Refusal } from '../../domain/problem.ts';
import type { RateHit } from '../../store/rate-windows.ts';

/** The window of the external API, for each organization (contract «Limits», gap 40). */
export const EXTERNAL_WINDOW_SECONDS = 60;

/**
 * Tells a request of the external API what its organization's window takes, by the headers of its answer. Throws a
 * limited Refusal, whose answer carries them too, past the limit.
 */
export function heedExternalLimit(
  hit: RateHit,
  limit: number,
  setHeaders: (headers: Readonly<Record<string, string>>) => void,
): void {
  setHeaders(rateLimitHeaders(hit, limit));
  if (hit.isAccepted) return;
  throw new Refusal({
    kind: 'limited',
    detail: `More than ${limit} requests within ${EXTERNAL_WINDOW_SECONDS} seconds; wait as Retry-After says.`,
    retryAfterSeconds: hit.retryAfterSeconds,
  });
}

/** The IETF pair (draft-ietf-httpapi-ratelimit-headers) and the older trio that this family of clients reads. */
function rateLimitHeaders(hit: RateHit, limit: number): Record<string, string> {
  const resetSeconds = Math.max(1, Math.ceil(hit.resetSeconds));
  return {
    'ratelimit-policy': `"external";q=${limit};w=${EXTERNAL_WINDOW_SECONDS}`,
    ratelimit: `"external";r=${hit.remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(hit.remaining),
    'x-ratelimit-reset': String(resetSeconds),
  };
}
