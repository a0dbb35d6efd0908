import { toId } from '../../domain/ids.ts';
import { findCommand } from '../../store/commands/commands.ts';
import { checkTenant, tenant } from '../../store/tenant.ts';
import { requireOwn, requireFound } from '../http/require-found.ts';
import { dashboardRoute, NO_BODY, NO_QUERY } from '../http/route.ts';
import { command as commandType } from './fields.ts';

const read = dashboardRoute({
  operation: 'commands.read',
  method: 'GET',
  path: '/commands/{id}',
  action: 'command.read',
  tag: 'Commands',
  summary: 'Read the outcome of an accepted command',
  description:
    '`received` until the command is decided, then `applied`, or `rejected` with a problem. `failed`: every attempt to decide it failed, and the service operator has to look at it. Merchants and drivers see only their own commands.',
  answers: { 200: { description: 'The command.', schema: commandType.shapes.record } },
  body: NO_BODY,
  query: NO_QUERY,
  load: async ({ actor, permissionScope, params, dependencies }) => {
    const { database } = dependencies;
    const row = await findCommand(database, toId<'command'>(params['id'] ?? ''));
    const command = requireFound(checkTenant(tenant(database, actor.organizationId), row), 'command');
    requireOwn(permissionScope === 'organization' || command.actorId === actor.userId, 'command');
    return command;
  },
  handle: ({ item }) => Promise.resolve({ status: 200, body: commandType.present(item) }),
});

export const commandRoutes = [read];
