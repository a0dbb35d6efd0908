import type { Context } from 'koa';
import { ProblemError } from '../../domain/problem.ts';
import type { SignedInUser } from '../../store/accounts/sessions.ts';
import type { Dependencies } from '../dependencies.ts';
import { RATE_LIMIT_HEADERS } from '../http/rate-limit.ts';
import type { ResponseDoc } from '../http/route.ts';
import type { Infer } from '../schema/schema.ts';
import { named } from '../schema/schema.ts';
import { object, required } from '../schema/schema-objects.ts';
import { text } from '../schema/schema-values.ts';
import { GUESS_LIMITS, guessPassword } from './guess-password.ts';

const MAXIMUM_PASSWORD_LENGTH = 1_000;

/** Body of a sign-in, for tokens as for the console. */
export const credentialsBody = named(
  'Credentials',
  object({
    email: required(text({ max: 255 })),
    password: required(text({ max: MAXIMUM_PASSWORD_LENGTH, min: 0 })),
  }),
);

/** How a sign-in is rejected. */
export const SIGN_IN_REJECTIONS = {
  401: { description: 'No active user has this email address and password.', headers: RATE_LIMIT_HEADERS },
  429: {
    description: 'Too many attempts, or too many pending from this address; Retry-After says when to retry.',
    headers: RATE_LIMIT_HEADERS,
  },
} as const satisfies Record<number, ResponseDoc>;

/**
 * Checks the credentials of a sign-in, within its limits (guess-password.ts). Throws an unauthenticated ProblemError where no active user
 * has them, in the same words for a wrong password and an unknown user, and a limited one past a limit.
 */
export async function signIn(
  dependencies: Dependencies,
  context: Context,
  credentials: Infer<typeof credentialsBody>,
): Promise<SignedInUser> {
  const email = credentials.email.trim().toLowerCase();
  const guess = { context, email, password: credentials.password, actor: null };
  const user = await guessPassword(dependencies, guess, GUESS_LIMITS.signIn);
  if (user === undefined) throw new ProblemError({ kind: 'unauthenticated', detail: 'Invalid credentials.' });
  return user;
}
