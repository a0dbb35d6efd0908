import { revoke } from '../../store/accounts/sessions.ts';
import { audited } from '../http/audited.ts';
import type { RouteRequest } from '../http/route.ts';

/** Ends the session of the request, by its token or its cookie, and records it. */
export function signOut(request: RouteRequest): Promise<void> {
  const { sessionId, userId } = request.actor;
  return audited(
    request,
    ({ executor }) => revoke(executor, sessionId, 'signed out'),
    () => ({ kind: 'session.revoked', subject: { kind: 'user', id: userId } }),
  );
}
