import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_TARIFF } from '../../domain/pricing.ts';
import type { Violation } from '../../domain/problem.ts';
import { DEFAULT_DEADLINE_HOURS } from '../../domain/deadline.ts';
import { targetProblem } from '../../platform/outbound-address.ts';
import { isTimezoneKnown } from '../../store/accounts/organizations.ts';
import type { OrganizationRow, OrganizationSettings } from '../../store/models/organization.ts';
import type { Dependencies } from '../dependencies.ts';
import { throwIfInvalid, validPart, withLookupViolations } from '../schema/lookup-violations.ts';
import { readPatch } from '../schema/merge-patch.ts';
import type { Document } from '../hydra/resource.ts';
import type { OrganizationBody } from './fields.ts';
import { organization, tariffOf, TIMEZONE, WEBHOOK_URL } from './fields.ts';

/**
 * The settings after a merge patch that was merged. A changed webhook URL is resolved, a changed time zone looked up
 * (interpretations 45 and 47). Throws a ProblemError with every violation; writes nothing.
 */
export async function patchedSettings(
  dependencies: Dependencies,
  row: OrganizationRow,
  current: Document,
  { patch, merged }: { readonly patch: Document; readonly merged: unknown },
): Promise<OrganizationSettings> {
  const lookupViolations = () => settingsLookupViolations(dependencies, row, merged);
  const body = await withLookupViolations(
    () => readPatch(current, patch, organization.body, { ...organization.patching, merged }),
    lookupViolations,
  );
  throwIfInvalid(await lookupViolations());
  return settingsOf(body);
}

/** What only the world can say of the sound parts of a document: the host's addresses, the database's time zones. */
async function settingsLookupViolations(
  dependencies: Dependencies,
  row: OrganizationRow,
  merged: unknown,
): Promise<readonly Violation[]> {
  const found = await Promise.all([
    webhookUrlViolation(dependencies, row, validPart(WEBHOOK_URL, merged, 'webhookUrl')),
    timezoneViolation(dependencies, row, validPart(TIMEZONE, merged, 'timezone')),
  ]);
  return found.filter((violation) => violation !== undefined);
}

/** What equals the service's own stays the service's own, so that a document sent back freezes nothing. */
function settingsOf(body: OrganizationBody): OrganizationSettings {
  const tariff = body.tariff === null ? null : tariffOf(body.tariff);
  const { deadlineHours } = body;
  return {
    name: body.name,
    timezone: body.timezone,
    tariff: isDeepStrictEqual(tariff, DEFAULT_TARIFF) ? null : tariff,
    deadlineHours: isDeepStrictEqual(deadlineHours, DEFAULT_DEADLINE_HOURS) ? null : deadlineHours,
    webhookUrl: body.webhookUrl,
    isWebhookEnabled: body.isWebhookEnabled,
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
  const message = `This address cannot be used: ${problem}. Send a public HTTPS URL.`;
  return { propertyPath: 'webhookUrl', message, code: 'rule' };
}

async function timezoneViolation(
  { database }: Dependencies,
  row: OrganizationRow,
  timezone: string | null,
): Promise<Violation | undefined> {
  if (timezone === null || timezone === row.timezone || (await isTimezoneKnown(database, timezone)))
    return undefined;
  const message = 'The database does not know this time zone; use its common name, for example Europe/Paris.';
  return { propertyPath: 'timezone', message, code: 'choice' };
}
