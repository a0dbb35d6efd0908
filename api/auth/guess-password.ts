import type { Context } from 'koa';
import { ProblemError } from '../../domain/problem.ts';
import type { ApiConfig } from '../../platform/config.ts';
import { giveBackRateHit, hitRateWindow } from '../../store/accounts/rate-windows.ts';
import type { SignedInUser } from '../../store/accounts/sessions.ts';
import { findCredentials } from '../../store/accounts/sessions.ts';
import type { Dependencies } from '../dependencies.ts';
import { clientAddress } from '../http/client-address.ts';
import type { CountedWindow } from '../http/rate-limit.ts';
import { rateLimitHeaders } from '../http/rate-limit.ts';
import type { UserActor } from '../http/route.ts';

/** A guess at the password of an account. */
interface Guess {
  readonly context: Context;
  readonly email: string;
  readonly password: string;
  /** The user who is signed in already; null for a stranger, who has the turns of an address. */
  readonly actor: UserActor | null;
}

/** One limit of guesses at passwords: a sliding window that all processes share. */
interface GuessLimit {
  /** Its name in the RateLimit headers. */
  readonly policy: string;
  readonly windowSeconds: number;
  readonly limit: (config: ApiConfig) => number;
  /** What is counted, as the window's subject. */
  readonly subject: (guess: Guess) => string;
  /** Whether a right password gives its hit back. */
  readonly countsWrongOnly: boolean;
  readonly detail: string;
}

/**
 * For each address, whatever the accounts. Right passwords do not count, so that many people behind one address can sign
 * in at the start of a shift.
 */
const PER_ADDRESS: GuessLimit = {
  policy: 'login-address',
  windowSeconds: 60,
  limit: (config) => config.loginFailuresPerMinute,
  subject: ({ context }) => `login-address:${clientAddress(context)}`,
  countsWrongOnly: true,
  detail: 'Too many wrong passwords from this address; wait for the time given in Retry-After.',
};

/**
 * For each address and account (interpretation 40). No limit counts an account alone: strangers could use it to lock
 * its owner out.
 */
const PER_ADDRESS_AND_ACCOUNT: GuessLimit = {
  policy: 'login',
  windowSeconds: 60,
  limit: (config) => config.loginAttemptsPerMinute,
  subject: ({ context, email }) => `login:${clientAddress(context)} ${email}`,
  countsWrongOnly: false,
  detail:
    'Too many sign-in attempts for this account from this address; wait for the time given in Retry-After.',
};

/** The limits of each way to guess, in the order in which they are asked: the first refusal ends it. */
export const GUESS_LIMITS = {
  signIn: [PER_ADDRESS, PER_ADDRESS_AND_ACCOUNT],
  // A signed-in user is known: what strangers at its address do is not its own.
  ownPassword: [PER_ADDRESS_AND_ACCOUNT],
} as const satisfies Record<string, readonly GuessLimit[]>;

/** A user whose password was right, with the hash that it has now. */
export type Authenticated = SignedInUser & { readonly passwordHash: string };

/**
 * Checks a password of an account: counts the guess first, then looks the account up and hashes in the caller's turn. An
 * unknown account costs what a known one costs. Undefined when the password is wrong or no active user has the e-mail
 * address. Throws a limited ProblemError past a limit; a guess that was not checked counts against none.
 */
export async function guessPassword(
  dependencies: Dependencies,
  guess: Guess,
  limits: readonly GuessLimit[],
): Promise<Authenticated | undefined> {
  const { database } = dependencies;
  await countGuess(dependencies, guess, limits);
  const user = await checked(dependencies, guess).catch(async (error: unknown) => {
    await forgetGuess(database, guess, limits);
    throw error;
  });
  if (user === undefined) return undefined;
  const ofWrongOnes = limits.filter(({ countsWrongOnly }) => countsWrongOnly);
  await forgetGuess(database, guess, ofWrongOnes);
  return user;
}

async function checked(
  { database, passwords }: Dependencies,
  { context, email, password, actor }: Guess,
): Promise<Authenticated | undefined> {
  const user = await findCredentials(database, email);
  const caller = actor ?? { address: clientAddress(context) };
  const isRight = await passwords.isRight(caller, password, user?.passwordHash);
  return isRight ? user : undefined;
}

/**
 * Counts a guess against each limit and reports the windows in the headers of the response. Throws a limited
 * ProblemError past one of them; then the guess counts against none.
 */
async function countGuess(
  { database, config }: Dependencies,
  guess: Guess,
  limits: readonly GuessLimit[],
): Promise<void> {
  const windows: CountedWindow[] = [];
  for (const [index, row] of limits.entries()) {
    const { policy, windowSeconds, detail } = row;
    const limit = row.limit(config);
    const hit = await hitRateWindow(database, row.subject(guess), limit, windowSeconds);
    windows.push({ policy, limit, windowSeconds, hit });
    if (hit.isAccepted) continue;
    guess.context.set(rateLimitHeaders([{ policy, limit, windowSeconds, hit }]));
    await forgetGuess(database, guess, limits.slice(0, index));
    throw new ProblemError({ kind: 'limited', detail, retryAfterSeconds: hit.retryAfterSeconds });
  }
  guess.context.set(rateLimitHeaders(windows));
}

/** Takes a guess out of the windows of these limits. */
async function forgetGuess(
  database: Dependencies['database'],
  guess: Guess,
  limits: readonly GuessLimit[],
): Promise<void> {
  for (const row of limits) await giveBackRateHit(database, row.subject(guess));
}
