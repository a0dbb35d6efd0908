import type { Plan } from '../domain/enumerations.ts';
import { isOneOf, PLANS } from '../domain/enumerations.ts';
import type { OrganizationId } from '../domain/ids.ts';
import { parseId } from '../domain/ids.ts';
import { PLAN_HAS_WEBHOOKS } from '../domain/webhook.ts';
import { operatorCaller, recordAudit } from '../store/audit/audit-events.ts';
import { inTransaction } from '../store/connection.ts';
import { changePlanAcrossTenants } from '../store/accounts/organizations.ts';
import type { Command } from './command-line.ts';
import { CommandError, onDatabase } from './command-line.ts';

const USAGE = `Usage: npm run organization:plan -- ID PLAN

  ID    the organization's id, a UUID; GET /users/me shows it after /api/v1/organizations/
  PLAN  ${PLANS.join(', ')}; all but decouverte include webhooks`;

/** Moves an organization to a plan; what it sends from the next transition on follows it. */
export const command: Command = {
  failure: 'Nothing was changed',
  run: (line) => {
    const { id, plan } = parseArguments(line.arguments);
    return onDatabase(line, async (database) => {
      const changed = await inTransaction(database, async (transaction) => {
        const move = await changePlanAcrossTenants(transaction, id, plan);
        if (move === undefined) throw new CommandError(`There is no organization ${id}.`);
        await recordAudit(transaction, operatorCaller('organization-plan', id), {
          kind: 'organization.plan_changed',
          subject: { kind: 'organization', id },
          fields: ['plan'],
        });
        return move;
      });
      const webhooks = PLAN_HAS_WEBHOOKS[plan] ? 'Webhooks are included.' : 'Webhooks are not included.';
      const isSame = changed.planBefore === plan;
      const move = isSame ? `already has the plan ${plan}` : `moved from ${changed.planBefore} to ${plan}`;
      return [`${changed.name} ${move}. ${webhooks}`];
    });
  },
};

function parseArguments([idText = '', plan, ...rest]: readonly string[]): {
  readonly id: OrganizationId;
  readonly plan: Plan;
} {
  const id = parseId<'organization'>(idText);
  if (id !== undefined && isOneOf(PLANS, plan) && rest.length === 0) return { id, plan };
  const faults = [
    ...(id === undefined ? ['The first argument must be the organization’s id.'] : []),
    ...(isOneOf(PLANS, plan) ? [] : [`The second argument must be one of: ${PLANS.join(', ')}.`]),
    ...(rest.length > 0 ? ['There are more than two arguments.'] : []),
  ];
  throw new CommandError(`${faults.join('\n')}\n\n${USAGE}`);
}
