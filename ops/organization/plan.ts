import type { Plan } from '../../domain/enumerations.ts';
import { isOneOf, PLANS } from '../../domain/enumerations.ts';
import type { OrganizationId } from '../../domain/ids.ts';
import { parseId } from '../../domain/ids.ts';
import { PLAN_HAS_WEBHOOKS } from '../../domain/webhook.ts';
import type { Database } from '../../store/connection.ts';
import { changePlanAcrossTenants } from '../../store/accounts/organizations.ts';
import { UsageError } from './usage-error.ts';

/** What a plan is changed by. */
export interface PlanOptions {
  readonly id: OrganizationId;
  readonly plan: Plan;
}

const USAGE = `Usage: npm run organization:plan -- ID PLAN

  ID    the organization's id, a UUID; GET /users/me shows it after /api/v1/organizations/
  PLAN  ${PLANS.join(', ')}; all but decouverte include webhooks`;

/** Takes the arguments apart. Throws a UsageError with the usage. */
export function parsePlanOptions(argv: readonly string[]): PlanOptions {
  const [idText = '', plan, ...rest] = argv;
  const id = parseId<'organization'>(idText);
  const faults = [
    ...(id === undefined ? ['The first argument must be the organization’s id.'] : []),
    ...(isOneOf(PLANS, plan) ? [] : [`The second argument must be one of: ${PLANS.join(', ')}.`]),
    ...(rest.length > 0 ? ['There are more than two arguments.'] : []),
  ];
  if (id === undefined || !isOneOf(PLANS, plan) || faults.length > 0) {
    throw new UsageError(`${faults.join('\n')}\n\n${USAGE}`);
  }
  return { id, plan };
}

/** Moves an organization to a plan; what it sends from the next transition on follows it. Throws a UsageError for an unknown id. */
export async function changePlan(database: Database, options: PlanOptions): Promise<readonly string[]> {
  const changed = await changePlanAcrossTenants(database, options.id, options.plan);
  if (changed === undefined) throw new UsageError(`There is no organization ${options.id}.`);
  const webhooks = PLAN_HAS_WEBHOOKS[options.plan] ? 'Webhooks are included.' : 'Webhooks are not included.';
  const move =
    changed.planBefore === options.plan
      ? `already has the plan ${options.plan}`
      : `moved from ${changed.planBefore} to ${options.plan}`;
  return [`${changed.name} ${move}. ${webhooks}`];
}
