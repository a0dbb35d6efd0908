import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_TARIFF } from '../../domain/pricing.ts';
import type { Violation } from '../../domain/problem.ts';
import { DEFAULT_DEADLINE_HOURS } from '../../domain/deadline.ts';
import { refusalOfTarget } from '../../platform/outbound-address.ts';
import type { OrganizationRow, OrganizationSettings } from '../../store/accounts/organizations.ts';
import { isTimezoneKnown } from '../../store/accounts/organizations.ts';
import type { Dependencies } from '../dependencies.ts';
import { refuseFor, soundPart, withOtherViolations } from '../schema/all-violations.ts';
import { readPatch } from '../schema/merge-patch.ts';
import type { Document } from '../hydra/resource.ts';
import type { OrganizationBody } from './parse.ts';
import { organizationBody, tariffOf, TIMEZONE, WEBHOOK_URL } from './parse.ts';

const BY_US = 'Ask whoever runs the service.';
const READ_ONLY = {
  plan: BY_US,
  hasWebhooks: 'It follows the plan.',
  trackingPrefix: BY_US,
  currency: 'Amounts that were frozen on shipments are in it.',
  webhookFailingSince: 'It ends with the next delivery; POST /organizations/{id}/webhook-test tries one.',
  webhookSecret: 'It was made with the organization and stays.',
  apiKeyPrefix: 'Use POST /organizations/{id}/api-key.',
};
const FRAME = ['@id', '@type', 'id', 'createdAt', 'updatedAt'];

/**
 * The settings after a merge patch that was merged. A changed webhook URL is resolved, a changed time zone looked up
 * (interpretations 45 and 47). Throws a Refusal with every violation; writes nothing.
 */
export async function patchedSettings(
  dependencies: Dependencies,
  row: OrganizationRow,
  current: Document,
  { patch, merged }: { readonly patch: Document; readonly merged: unknown },
): Promise<OrganizationSettings> {
  const worldly = () => worldlyViolations(dependencies, row, merged);
  const body = await withOtherViolations(
    () =>
      readPatch(current, patch, organizationBody, {
        readOnly: [...FRAME, ...Object.keys(READ_ONLY)],
        hints: READ_ONLY,
        merged,
      }),
    worldly,
  );
  refuseFor(await worldly());
  return settingsOf(body);
}

/** What only the world can say of the sound parts of a document: the host's addresses, the database's time zones. */
async function worldlyViolations(
  dependencies: Dependencies,
  row: OrganizationRow,
  merged: unknown,
): Promise<readonly Violation[]> {
  const found = await Promise.all([
    webhookUrlViolation(dependencies, row, soundPart(WEBHOOK_URL, merged, 'webhookUrl')),
    timezoneViolation(dependencies, row, soundPart(TIMEZONE, merged, 'timezone')),
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
  const refusal = await refusalOfTarget(webhookUrl, resolve, config.webhookAllowPrivate);
  if (refusal === undefined) return undefined;
  const message = `It cannot be used: ${refusal}. Give a public HTTPS address.`;
  return { propertyPath: 'webhookUrl', message, code: 'rule' };
}

async function timezoneViolation(
  { database }: Dependencies,
  row: OrganizationRow,
  timezone: string | null,
): Promise<Violation | undefined> {
  if (timezone === null || timezone === row.timezone || (await isTimezoneKnown(database, timezone)))
    return undefined;
  const message = 'The database does not know this time zone; take its common name, like Europe/Paris.';
  return { propertyPath: 'timezone', message, code: 'choice' };
}
