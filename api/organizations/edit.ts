import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_TARIFF } from '../../domain/pricing.ts';
import { say } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import { DEFAULT_DEADLINE_HOURS } from '../../domain/deadline.ts';
import { targetProblem } from '../../platform/outbound-address.ts';
import { isTimezoneKnown } from '../../store/accounts/organizations.ts';
import type { OrganizationRow, OrganizationSettings } from '../../store/models/models.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Editing } from '../resource/edit.ts';
import type { OrganizationBody } from './fields.ts';
import { organization, tariffOf } from './fields.ts';

/** What may be edited of an organization. A changed webhook URL is resolved, a changed time zone looked up (interpretations 45 and 47). */
export const EDITING: Editing<OrganizationRow, OrganizationBody> = {
  ...organization.editing,
  check: async (
    { actor, dependencies },
    { webhookUrl = null, timezone = null, requiresSecondFactor },
    row,
  ) => {
    const found = await Promise.all([
      webhookUrlViolation(dependencies, row, webhookUrl),
      timezoneViolation(dependencies, row, timezone),
    ]);
    const known = found.filter((violation) => violation !== undefined);
    return requiresSecondFactor === true && !row.requiresSecondFactor && actor.secondFactor !== 'on'
      ? [...known, { propertyPath: 'requiresSecondFactor', ...say('own_factor_first'), code: 'rule' }]
      : known;
  },
};

/** What equals the service's own stays the service's own, so that a document sent back freezes nothing. */
export function settingsOf(body: OrganizationBody): OrganizationSettings {
  const tariff = body.tariff === null ? null : tariffOf(body.tariff);
  const { deadlineHours } = body;
  return {
    name: body.name,
    timezone: body.timezone,
    tariff: isDeepStrictEqual(tariff, DEFAULT_TARIFF) ? null : tariff,
    deadlineHours: isDeepStrictEqual(deadlineHours, DEFAULT_DEADLINE_HOURS) ? null : deadlineHours,
    webhookUrl: body.webhookUrl,
    isWebhookEnabled: body.isWebhookEnabled,
    requiresSecondFactor: body.requiresSecondFactor,
  };
}

async function webhookUrlViolation(
  { config, resolve }: Dependencies,
  row: OrganizationRow,
  webhookUrl: string | null,
): Promise<Violation | undefined> {
  if (webhookUrl === null || webhookUrl === row.webhookUrl) return undefined;
  const problem = await targetProblem(webhookUrl, resolve, config.webhookAllowPrivate);
  if (problem === undefined) return undefined;
  return { propertyPath: 'webhookUrl', ...say('webhook_address', { reason: problem }), code: 'rule' };
}

async function timezoneViolation(
  { database }: Dependencies,
  row: OrganizationRow,
  timezone: string | null,
): Promise<Violation | undefined> {
  if (timezone === null || timezone === row.timezone || (await isTimezoneKnown(database, timezone)))
    return undefined;
  return { propertyPath: 'timezone', ...say('unknown_time_zone'), code: 'choice' };
}
