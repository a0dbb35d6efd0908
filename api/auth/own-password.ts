import { say } from '../../domain/messages.ts';
import { invalid, ProblemError } from '../../domain/problem.ts';
import { users } from '../../store/accounts/users.ts';
import { recordAct } from '../http/audited.ts';
import { requireFound } from '../http/require-found.ts';
import type { RouteRequest } from '../http/route.ts';
import { required } from '../schema/schema-objects.ts';
import { text } from '../schema/schema-values.ts';
import type { Authenticated } from './guess-password.ts';
import { GUESS_LIMITS, guessPassword } from './guess-password.ts';

const MAXIMUM_PASSWORD_LENGTH = 1_000;

/** The field of a body in which a signed-in user gives its password again. */
export const CURRENT_PASSWORD = required(
  text({ max: MAXIMUM_PASSWORD_LENGTH, min: 0, description: 'The current password.' }),
);

/**
 * Asks a signed-in user for its password: a session alone may have been left open on a screen. Guesses count as sign-ins. Throws a 422
 * ProblemError at `field` where it is wrong, which is in the audit log, and a limited one past the limit.
 */
export async function requireOwnPassword(
  request: RouteRequest,
  password: string,
  field: string,
): Promise<Authenticated> {
  const { actor, context, dependencies, scope } = request;
  const { email } = requireFound(await users.find(scope, actor.userId), 'user');
  const known = await guessPassword(
    dependencies,
    { context, email, password, actor },
    GUESS_LIMITS.ownPassword,
  );
  if (known !== undefined) return known;
  await recordAct(request, { kind: 'password.rejected' });
  throw new ProblemError(invalid(field, say('wrong_password'), 'rule'));
}
