import { iriOf } from '../../domain/iri.ts';
import { formatAmount } from '../../domain/money.ts';
import { PLAN_HAS_WEBHOOKS } from '../../domain/webhook.ts';
import type { UserRole } from '../../domain/permission.ts';
import type { Tariff } from '../../domain/pricing.ts';
import { DEFAULT_TARIFF } from '../../domain/pricing.ts';
import { DEFAULT_DEADLINE_HOURS } from '../../domain/deadline.ts';
import type { OrganizationRow } from '../../store/models/models.ts';
import type { Document } from '../hydra/resource.ts';
import { resource } from '../hydra/resource.ts';
import { KILOGRAM_GRAMS } from './parse.ts';

/**
 * An organization with its effective tariff and deadlines. Only an admin sees the webhook secret (interpretation 47).
 */
export function presentOrganization(row: OrganizationRow, role: UserRole): Document {
  return resource('Organization', iriOf('organization', row.id), {
    id: row.id,
    name: row.name,
    plan: row.plan,
    hasWebhooks: PLAN_HAS_WEBHOOKS[row.plan],
    trackingPrefix: row.trackingPrefix,
    currency: row.currency,
    timezone: row.timezone,
    tariff: presentTariff(row.tariff ?? DEFAULT_TARIFF),
    deadlineHours: row.deadlineHours ?? DEFAULT_DEADLINE_HOURS,
    webhookUrl: row.webhookUrl,
    isWebhookEnabled: row.isWebhookEnabled,
    webhookFailingSince: row.webhookFailingSince?.toISOString(),
    webhookSecret: role === 'ROLE_ORG_ADMIN' ? row.webhookSecret : null,
    apiKeyPrefix: row.apiKeyPrefix,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  });
}

function presentTariff(tariff: Tariff): Document {
  return {
    defaultBaseFee: formatAmount(tariff.defaultBaseFeeCents),
    sizeSupplements: presentFees(tariff.sizeSupplementCents),
    prioritySupplements: presentFees(tariff.prioritySupplementCents),
    freeWeight: tariff.freeWeightGrams / KILOGRAM_GRAMS,
    perKilogram: formatAmount(tariff.perKilogramCents),
  };
}

function presentFees(amountsCents: Readonly<Record<string, number>>): Document {
  return Object.fromEntries(
    Object.entries(amountsCents).map(([word, amountCents]) => [word, formatAmount(amountCents)]),
  );
}
