import { Refusal } from '../../domain/problem.ts';
import { hitRateWindow } from '../../store/rate-windows.ts';
import type { Dependencies } from '../dependencies.ts';

const LOGIN_WINDOW_SECONDS = 60;

/**
 * Counts a guess at an account's password, by client address and account (design gap 40). Throws a limited Refusal past
 * the limit.
 */
export async function limitLogins(
  { database, config }: Dependencies,
  clientAddress: string,
  email: string,
): Promise<void> {
  const hit = await hitRateWindow(
    database,
    `login:${clientAddress} ${email}`,
    config.loginAttemptsPerMinute,
    LOGIN_WINDOW_SECONDS,
  );
  if (hit.isAccepted) return;
  throw new Refusal({
    kind: 'limited',
    detail: 'Too many sign-in attempts for this account from this address; wait as Retry-After says.',
    retryAfterSeconds: hit.retryAfterSeconds,
  });
}
