import { Refusal } from '../../domain/problem.ts';
import { hitRateWindow } from '../../store/rate-windows.ts';
import type { RateHit } from '../../store/rate-windows.ts';
import type { Dependencies } from '../dependencies.ts';
import type { KeyActor } from './route.ts';

const WINDOW_SECONDS = 60;

/**
 * Counts a request of the external API against its organization (contract «Limits», gap 40). Resolves to the
 * headers of the answer; throws a limited Refusal that carries them past the limit.
 */
export async function limitExternal(
  { database, config }: Dependencies,
  actor: KeyActor,
  setHeaders: (headers: Readonly<Record<string, string>>) => void,
): Promise<void> {
  const limit = config.externalRequestsPerMinute;
  const hit = await hitRateWindow(database, `external:${actor.organizationId}`, limit, WINDOW_SECONDS);
  setHeaders(rateLimitHeaders(hit, limit));
  if (hit.isAccepted) return;
  throw new Refusal({
    kind: 'limited',
    detail: `More than ${limit} requests within ${WINDOW_SECONDS} seconds; wait as Retry-After says.`,
    retryAfterSeconds: hit.retryAfterSeconds,
  });
}

/** The IETF pair (draft-ietf-httpapi-ratelimit-headers) and the older trio that this family of clients reads. */
function rateLimitHeaders(hit: RateHit, limit: number): Record<string, string> {
  const resetSeconds = Math.max(1, Math.ceil(hit.resetSeconds));
  return {
    'ratelimit-policy': `"external";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"external";r=${hit.remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(hit.remaining),
    'x-ratelimit-reset': String(resetSeconds),
  };
}
