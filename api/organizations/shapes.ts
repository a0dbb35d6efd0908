import { PACKAGE_SIZES, PLANS, PRIORITIES } from '../../domain/enumerations.ts';
import { WEBHOOK_SECRET_PATTERN } from '../../domain/webhook.ts';
import type { JsonSchema } from '../schema/schema.ts';
import { amount, documentShape, iri, moment, nullable, oneOf, shape, string } from '../schema/shapes.ts';

/** The shapes of what the organization endpoints answer. */

function each(words: readonly string[], schema: JsonSchema): JsonSchema {
  return shape(Object.fromEntries(words.map((word) => [word, schema])), words);
}

export const organizationJson = documentShape(
  'Organization',
  {
    name: string,
    plan: oneOf(PLANS),
    hasWebhooks: { type: 'boolean', description: 'Whether the plan includes webhooks.' },
    trackingPrefix: string,
    currency: { type: 'string', description: 'ISO 4217.' },
    timezone: string,
    tariff: shape(
      {
        defaultBaseFee: amount,
        sizeSupplements: each(PACKAGE_SIZES, amount),
        prioritySupplements: each(PRIORITIES, amount),
        freeWeight: { type: 'number', description: 'Kilograms.' },
        perKilogram: amount,
      },
      ['defaultBaseFee', 'sizeSupplements', 'prioritySupplements', 'freeWeight', 'perKilogram'],
    ),
    deadlineHours: each(PRIORITIES, { type: 'integer' }),
    webhookUrl: string,
    isWebhookEnabled: { type: 'boolean' },
    webhookFailingSince: {
      ...moment,
      description:
        'Present when no delivery to webhookUrl has succeeded for an hour or more: since when. Deliveries continue; nothing is disabled.',
    },
    webhookSecret: {
      type: 'string',
      pattern: WEBHOOK_SECRET_PATTERN,
      description: 'Signs the notifications; shown to admins only.',
    },
    apiKeyPrefix: { type: 'string', description: 'The first characters of the API key, to identify it.' },
  },
  [
    'name',
    'plan',
    'hasWebhooks',
    'trackingPrefix',
    'currency',
    'timezone',
    'tariff',
    'deadlineHours',
    'isWebhookEnabled',
    'apiKeyPrefix',
    'createdAt',
    'updatedAt',
  ],
);

export const rolledKeyJson = {
  title: 'ApiKey',
  ...shape(
    {
      organization: iri,
      apiKey: { type: 'string', description: 'Shown only once; only a hash of it is stored.' },
      apiKeyPrefix: string,
      previousKeyExpiresAt: nullable(moment),
    },
    ['organization', 'apiKey', 'apiKeyPrefix', 'previousKeyExpiresAt'],
  ),
};
