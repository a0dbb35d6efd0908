import type { SignedInUser } from '../../store/accounts/sessions.ts';
import { findCredentials } from '../../store/accounts/sessions.ts';
import type { Dependencies } from '../dependencies.ts';
import type { UserActor } from '../http/route.ts';
import type { Guess, GuessLimit } from './login-limit.ts';
import { countGuess, forgetGuess } from './login-limit.ts';

/** A guess at the password of an account. */
interface PasswordGuess extends Guess {
  readonly password: string;
  /** The user who is signed in already; null for a stranger, who has the turns of an address. */
  readonly actor: UserActor | null;
}

/** A user whose password was right, with the hash that it has now. */
type Authenticated = SignedInUser & { readonly passwordHash: string };

/**
 * Checks a password of an account: counts the guess first, then looks the account up and hashes in the caller's turn. An
 * unknown account costs what a known one costs. Undefined when the password is wrong or no active user has the e-mail
 * address. Throws a limited ProblemError past a limit; a guess that was not checked counts against none.
 */
export async function guessPassword(
  dependencies: Dependencies,
  guess: PasswordGuess,
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
  { raw, email, password, actor }: PasswordGuess,
): Promise<Authenticated | undefined> {
  const user = await findCredentials(database, email);
  const caller = actor ?? { address: raw.clientAddress };
  const isRight = await passwords.isRight(caller, password, user?.passwordHash);
  return isRight ? user : undefined;
}
