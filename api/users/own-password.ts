import { invalid, Refusal } from '../../domain/problem.ts';
import { tenant } from '../../store/tenant.ts';
import { changeOwnPassword, users } from '../../store/accounts/users.ts';
import { guessPassword } from '../auth/guess-password.ts';
import { GUESS_LIMITS } from '../auth/login-limit.ts';
import { taken } from '../http/found.ts';
import { RATE_LIMIT_HEADERS } from '../http/rate-limit.ts';
import { dashboardRoute, NO_QUERY } from '../http/route.ts';
import { ownPasswordBody } from './parse.ts';
import { userRecords } from './records.ts';

/**
 * `POST /users/me/password` (interpretations 35 and 37): the current password is asked for again, since a token alone
 * may have been left open on a screen, and guesses at it count as sign-ins.
 */
export const changePassword = dashboardRoute({
  operation: 'users.changeOwnPassword',
  method: 'POST',
  path: '/users/me/password',
  action: 'user.change_own_password',
  tag: userRecords.words.tag,
  summary: 'Change one’s own password',
  description:
    'currentPassword must be right (422); guesses are limited as sign-ins are. Every other session of the user ends; the one that asks goes on. 409 where the password was changed at the same moment.',
  answers: {
    204: { description: 'Changed.', headers: RATE_LIMIT_HEADERS },
    409: { description: 'The password was changed at the same moment.' },
    429: {
      description: 'Too many attempts; Retry-After says when the next may be made.',
      headers: RATE_LIMIT_HEADERS,
    },
  },
  body: ownPasswordBody,
  query: NO_QUERY,
  load: async ({ actor, dependencies }) =>
    taken(await users.find(tenant(dependencies.database, actor.organizationId), actor.userId), 'user'),
  handle: async ({ actor, body, item, raw, dependencies }) => {
    const { database, passwords } = dependencies;
    const guess = { raw, email: item.email, password: body.currentPassword, actor };
    const known = await guessPassword(dependencies, guess, GUESS_LIMITS.ownPassword);
    if (known === undefined) {
      throw new Refusal(invalid('currentPassword', 'It is not your password.', 'rule'));
    }
    const isChanged = await changeOwnPassword(database, tenant(database, actor.organizationId), {
      userId: actor.userId,
      keptSessionId: actor.sessionId,
      knownHash: known.passwordHash,
      passwordHash: await passwords.hash(actor, body.newPassword),
    });
    if (isChanged) return { status: 204 };
    throw new Refusal({
      kind: 'conflict',
      detail: 'The password was changed at the same moment; sign in with the new one.',
    });
  },
});
