import type { CommandId } from '../../domain/ids.ts';
import { findCommand } from '../../store/commands/commands.ts';
import { checkTenant } from '../../store/tenant.ts';
import { dashboardRoute } from '../http/route.ts';
import { loaderOf } from '../resource/resource.ts';
import { command } from './fields.ts';

const load = loaderOf({
  one: 'command',
  find: async (scope, id: CommandId) => checkTenant(scope, await findCommand(scope.executor, id)),
  isOwn: ({ userId }, { actorId }) => actorId === userId,
});

const read = dashboardRoute({
  operation: 'commands.read',
  method: 'GET',
  path: '/commands/{id}',
  action: 'command.read',
  summary: 'Read the outcome of an accepted command',
  description:
    '`received` until the command is decided, then `applied`, or `rejected` with a problem. `failed`: every attempt to decide it failed, and the service operator has to look at it. Merchants and drivers see only their own commands.',
  answers: { 200: { description: 'The command.', schema: command.shapes.record } },
  load,
  handle: ({ item }) => ({ status: 200, body: command.present(item) }),
});

export const commandRoutes = [read];
