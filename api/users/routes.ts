import { tenant } from '../../store/tenant.ts';
import { users } from '../../store/accounts/users.ts';
import { recordAnswer, recordRoutes } from '../resource/record-routes.ts';
import { requireFound } from '../http/require-found.ts';
import { dashboardRoute, NO_BODY, NO_QUERY } from '../http/route.ts';
import { changePassword } from './own-password.ts';
import { userRecords } from './records.ts';

const me = dashboardRoute({
  operation: 'users.readMe',
  method: 'GET',
  path: '/users/me',
  action: 'user.read_self',
  tag: userRecords.words.tag,
  summary: 'Read the signed-in user',
  answers: {
    200: { description: 'The user.', schema: userRecords.shapes.record, headers: ['ETag'] },
  },
  body: NO_BODY,
  query: NO_QUERY,
  load: async ({ actor, dependencies }) =>
    requireFound(await users.find(tenant(dependencies.database, actor.organizationId), actor.userId), 'user'),
  handle: ({ item }) => Promise.resolve(recordAnswer(userRecords, 200, item)),
});

export const userRoutes = [me, changePassword, ...recordRoutes(userRecords)];
