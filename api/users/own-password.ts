import { say } from '../../domain/messages.ts';
import { ProblemError, stated } from '../../domain/problem.ts';
import { changeOwnPassword } from '../../store/accounts/users.ts';
import { requireOwnPassword } from '../auth/own-password.ts';
import { audited } from '../http/audited.ts';
import { RATE_LIMIT_HEADERS } from '../http/rate-limit.ts';
import { dashboardRoute } from '../http/route.ts';
import { ownPasswordBody } from './fields.ts';

/** `POST /users/me/password` (interpretations 35 and 37). */
export const changePassword = dashboardRoute({
  operation: 'users.changeOwnPassword',
  method: 'POST',
  path: '/users/me/password',
  action: 'user.change_own_password',
  summary: 'Change your password',
  description:
    'currentPassword must be correct (422); wrong ones count against the limits of sign-in. Every other session of the user ends; the current one continues. 409 when another request changed the password at the same time.',
  answers: {
    204: { description: 'Changed.', headers: RATE_LIMIT_HEADERS },
    409: { description: 'Another request changed the password at the same time.' },
    429: {
      description: 'Too many attempts; Retry-After says when to retry.',
      headers: RATE_LIMIT_HEADERS,
    },
  },
  body: ownPasswordBody,
  handle: async (request) => {
    const { actor, body, dependencies } = request;
    const { passwords } = dependencies;
    const known = await requireOwnPassword(request, body.currentPassword, 'currentPassword');
    const change = {
      userId: actor.userId,
      keptSessionId: actor.sessionId,
      knownHash: known.passwordHash,
      passwordHash: await passwords.hash(actor, body.newPassword),
    };
    const isChanged = await audited(
      request,
      (inside) => changeOwnPassword(inside, change),
      (isWritten) => (isWritten ? { kind: 'password.changed' } : undefined),
    );
    if (isChanged) return { status: 204 };
    throw new ProblemError({
      kind: 'conflict',
      ...stated(say('password_changed_meanwhile')),
    });
  },
});
