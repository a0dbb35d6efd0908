import type { PackageSize, Priority } from '../../domain/enumerations.ts';
import type { Tariff } from '../../domain/pricing.ts';
import { isTimezone } from '../../platform/timezone.ts';
import type { Infer, Schema } from '../schema/schema.ts';
import type { Field } from '../schema/schema-objects.ts';
import { named, violation } from '../schema/schema.ts';
import { defaulted, object, optional, required } from '../schema/schema-objects.ts';
import { boolean, decimal, integer, money, pattern, text } from '../schema/schema-values.ts';

/** The longest grace period of a replaced key (interpretation 35). */
export const MAXIMUM_GRACE_HOURS = 24;
const MAXIMUM_DEADLINE_HOURS = 8_760;
const MAXIMUM_WEIGHT = 1_000;
const MAXIMUM_URL_LENGTH = 2_000;
export const KILOGRAM_GRAMS = 1_000;

const fee = required(money());
const hours = required(integer({ min: 1, max: MAXIMUM_DEADLINE_HOURS }));

const tariffSchema = named(
  'Tariff',
  object(
    {
      defaultBaseFee: required(money('Applies when the recipient is in no active zone.')),
      sizeSupplements: required(
        object({ small: fee, medium: fee, large: fee, extra_large: fee } satisfies Record<
          PackageSize,
          Field<number>
        >),
      ),
      prioritySupplements: required(
        object({ low: fee, normal: fee, high: fee, urgent: fee } satisfies Record<Priority, Field<number>>),
      ),
      freeWeight: required(
        decimal({
          min: 0,
          max: MAXIMUM_WEIGHT,
          decimals: 3,
          description: 'Kilograms without an additional charge.',
        }),
      ),
      perKilogram: required(money('For each started kilogram above freeWeight.')),
    },
    { description: 'The prices of deliveries; null means the default tariff of the service.' },
  ),
);

function timezone(): Schema<string> {
  const base = text({ description: 'An IANA time zone, for tracking numbers, run dates and spreadsheets.' });
  return {
    joi: base.joi.custom((value: string, helpers) =>
      isTimezone(value)
        ? value
        : violation(helpers, 'choice', 'Must be an IANA time zone, for example Europe/Paris.'),
    ),
    json: { ...base.json, examples: ['Europe/Paris'] },
  };
}

const TIMEZONE = timezone();
const WEBHOOK_URL = pattern('^https://[^\\s\\u0000]+$', {
  message: 'Must begin with https:// and must not contain white space.',
  max: MAXIMUM_URL_LENGTH,
  example: 'https://shop.example.com/webhooks',
  description: 'The public HTTPS URL of the receiver.',
});

/** What a PATCH of an organization must come to. */
export const organizationBody = named(
  'OrganizationRequest',
  object({
    name: required(text()),
    timezone: required(TIMEZONE),
    tariff: optional(tariffSchema),
    deadlineHours: optional(
      object(
        { urgent: hours, high: hours, normal: hours, low: hours } satisfies Record<Priority, Field<number>>,
        {
          description:
            'Hours until the delivery deadline, by priority; null means the default of the service.',
        },
      ),
    ),
    webhookUrl: optional(WEBHOOK_URL),
    isWebhookEnabled: defaulted(boolean('Whether notifications are sent.'), false),
  }),
);
export type OrganizationBody = Infer<typeof organizationBody>;

/** Body of `POST /organizations/{id}/api-key`. */
export const rollBody = named(
  'ApiKeyRollRequest',
  object({
    graceHours: defaulted(
      integer({
        min: 0,
        max: MAXIMUM_GRACE_HOURS,
        description: 'How many hours the previous key stays valid.',
      }),
      0,
    ),
  }),
);

/** The tariff of a body, in cents and grams. */
export function tariffOf(body: Infer<typeof tariffSchema>): Tariff {
  return {
    defaultBaseFeeCents: body.defaultBaseFee,
    sizeSupplementCents: body.sizeSupplements,
    prioritySupplementCents: body.prioritySupplements,
    freeWeightGrams: Math.round(body.freeWeight * KILOGRAM_GRAMS),
    perKilogramCents: body.perKilogram,
  };
}
