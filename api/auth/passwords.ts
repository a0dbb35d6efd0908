import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { OrganizationId } from '../../domain/ids.ts';
import { ProblemError } from '../../domain/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller, FairQueue, QueueBounds } from '../../platform/fair-queue.ts';
import { QueueFullError } from '../../platform/fair-queue.ts';
import { createRecentCounts } from '../../platform/recent-counts.ts';

/** argon2id at OWASP's first recommendation: 19 MiB, two passes. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** What an unknown user's password is compared with, so that both cases take the same time. */
const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c2hpcG1lbnQtZGVjb3k$RdDpNNKqbfJsVGUbHVCsDFECVTRpX3bEQwaD8GC2BNM';

/** Node's thread pool, in which argon2 runs, has four threads unless UV_THREADPOOL_SIZE says otherwise. */
const POOL_THREADS = 4;
/** 15 to 30 ms of one core for each hash: a full queue is worked off in two to four seconds, one caller's part in one. */
const WAITING_PER_CALLER = 32;
const WAITING_IN_ALL = 128;
const RETRY_SECONDS = 5;
/** People mistype; an address that sends more wrong passwords than this within a minute waits among the suspected. */
const HARMLESS_WRONG_GUESSES = 1;
const SUSPICION_MS = 60_000;

/** The slow function behind passwords. Tests give one of their own. */
export interface PasswordHashing {
  readonly hash: (password: string) => Promise<string>;
  /** Rejects where the first text is not a hash. */
  readonly verify: (passwordHash: string, password: string) => Promise<boolean>;
}

/** For whom a password is hashed: a stranger at an address, or a signed-in user. Callers have their turns apart. */
type HashingCaller = { readonly address: string } | { readonly organizationId: OrganizationId };

/** The only door to password hashing for requests. Rejects with a limited ProblemError when too much waits already. */
export interface Passwords {
  /** Hashes a password for keeping. */
  readonly hash: (caller: HashingCaller, password: string) => Promise<string>;
  /** Whether a password is the one that was hashed; with no hash it takes as long and is false. */
  readonly isRight: (
    caller: HashingCaller,
    password: string,
    passwordHash: string | undefined,
  ) => Promise<boolean>;
}

const ARGON2ID: PasswordHashing = { hash: hashPassword, verify };

/** Hashes a password for storage, without a queue: for commands, which serve one caller. Requests go through Passwords. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

/**
 * The bounds of the hashing queue of one process. Unless set, one thread of the pool is left for name lookups and files,
 * and one core for everything else.
 */
export function hashingBounds(
  hashesAtOnce: number | null,
  cores: number = availableParallelism(),
): QueueBounds {
  return {
    concurrency: hashesAtOnce ?? Math.max(1, Math.min(POOL_THREADS, cores) - 1),
    maxWaitingPerCaller: WAITING_PER_CALLER,
    maxWaiting: WAITING_IN_ALL,
  };
}

/**
 * Makes the door: all hashing goes through one queue, in which callers are served in turn. Strangers whose address has sent
 * wrong passwords of late are suspected: few people who sign in need not wait for many addresses that guess.
 */
export function createPasswords(
  queue: Pick<FairQueue, 'run'>,
  clock: Clock,
  hashing: PasswordHashing = ARGON2ID,
): Passwords {
  const wrongGuesses = createRecentCounts(clock, SUSPICION_MS);
  const queueCallerOf = (caller: HashingCaller): Caller => {
    if (!('address' in caller)) return { name: `organization ${caller.organizationId}`, standing: 'trusted' };
    const isSuspected = wrongGuesses.of(caller.address) > HARMLESS_WRONG_GUESSES;
    return { name: `address ${caller.address}`, standing: isSuspected ? 'suspected' : 'trusted' };
  };
  return {
    hash: (caller, password) => queue.run(queueCallerOf(caller), () => hashing.hash(password)).catch(rethrow),
    isRight: async (caller, password, passwordHash) => {
      const isSame = await queue
        .run(queueCallerOf(caller), () =>
          hashing.verify(passwordHash ?? DECOY_HASH, password).catch(() => false),
        )
        .catch(rethrow);
      const isRight = isSame && passwordHash !== undefined;
      if (!isRight && 'address' in caller) wrongGuesses.add(caller.address);
      return isRight;
    },
  };
}

function rethrow(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error;
  throw new ProblemError({
    kind: 'limited',
    detail: 'Too many of your passwords are waiting to be checked; wait for the time given in Retry-After.',
    retryAfterSeconds: RETRY_SECONDS,
  });
}
