import { users } from '../../store/accounts/users.ts';
import { dashboardRoute } from '../http/route.ts';
import { requireFound } from '../http/require-found.ts';
import { changePassword } from './own-password.ts';
import { userRecords } from './records.ts';
import { ownFactorRoutes } from './second-factor.ts';

const me = dashboardRoute({
  operation: 'users.readMe',
  method: 'GET',
  path: '/users/me',
  action: 'user.read_self',
  summary: 'Read the signed-in user',
  answers: { 200: { description: 'The user.', schema: userRecords.shape, headers: ['ETag'] } },
  load: async ({ actor, scope }) => requireFound(await users.find(scope, actor.userId), 'user'),
  handle: (request) => userRecords.answer(request, request.item),
});

export const userRoutes = [me, changePassword, ...ownFactorRoutes, ...userRecords.routes];
