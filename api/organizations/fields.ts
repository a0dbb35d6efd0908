import { say } from '../../domain/messages.ts';
import type { PackageSize, Priority } from '../../domain/enumerations.ts';
import { PLANS } from '../../domain/enumerations.ts';
import { DEFAULT_DEADLINE_HOURS } from '../../domain/deadline.ts';
import type { Tariff } from '../../domain/pricing.ts';
import { DEFAULT_TARIFF } from '../../domain/pricing.ts';
import { PLAN_HAS_WEBHOOKS, WEBHOOK_SECRET_PATTERN } from '../../domain/webhook.ts';
import type { Sealing } from '../../platform/sealing.ts';
import { isTimezone } from '../../platform/timezone.ts';
import type { OrganizationRow } from '../../store/models/models.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import type { UserActor } from '../http/route.ts';
import type { Document } from '../hydra/resource.ts';
import { fieldsOf } from '../schema/fields.ts';
import type { Infer, Schema } from '../schema/schema.ts';
import { named, shownAsIs, violation } from '../schema/schema.ts';
import { dateTime } from '../schema/schema-moments.ts';
import type { Field } from '../schema/schema-objects.ts';
import { defaulted, nullable, object, optional, required } from '../schema/schema-objects.ts';
import { boolean, choice, httpsUrl, integer, money, text, weight } from '../schema/schema-values.ts';
import { iri, shape, string } from '../schema/shapes.ts';

/** The longest grace period of a replaced key (interpretation 35). */
export const MAXIMUM_GRACE_HOURS = 24;
const MAXIMUM_DEADLINE_HOURS = 8_760;
const MAXIMUM_KILOGRAMS = 1_000;
const MAXIMUM_URL_LENGTH = 2_000;

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
      freeWeight: required(weight(MAXIMUM_KILOGRAMS, 'Kilograms without an additional charge.')),
      perKilogram: required(money('For each started kilogram above freeWeight.')),
    },
    { description: 'The prices of deliveries; null means the default tariff of the service.' },
  ),
);

function timezone(): Schema<string> {
  const base = text({ description: 'An IANA time zone, for tracking numbers, run dates and spreadsheets.' });
  const joi = base.joi.custom((value: string, helpers) =>
    isTimezone(value) ? value : violation(helpers, 'choice', say('time_zone')),
  );
  return { ...base, joi, json: { ...base.json, examples: ['Europe/Paris'] } };
}

export const TIMEZONE = timezone();
export const WEBHOOK_URL = httpsUrl({
  max: MAXIMUM_URL_LENGTH,
  example: 'https://shop.example.com/webhooks',
  description: 'The public HTTPS URL of the receiver; shown to admins only.',
});

const DEADLINE_HOURS = object(
  { urgent: hours, high: hours, normal: hours, low: hours } satisfies Record<Priority, Field<number>>,
  {
    description: 'Hours until the delivery deadline, by priority; null means the default of the service.',
  },
);

const { field, twofold, shown, shownIfSet } = fieldsOf<OrganizationRow>();
const BY_OPERATOR = 'Only the service operator can change it.';

/**
 * An organization with its effective tariff and deadlines, and what a PATCH of one must come to.
 */
export const organization = recordType(
  'organization',
  'Organization',
  {
    name: field(required(text()), (row) => row.name),
    timezone: field(required(TIMEZONE), (row) => row.timezone),
    tariff: twofold(
      optional(tariffSchema),
      tariffSchema,
      (row) => shownTariff(row.tariff ?? DEFAULT_TARIFF),
      true,
    ),
    deadlineHours: twofold(
      optional(DEADLINE_HOURS),
      DEADLINE_HOURS,
      (row) => row.deadlineHours ?? DEFAULT_DEADLINE_HOURS,
      true,
    ),
    webhookUrl: field(optional(WEBHOOK_URL), (row) => row.webhookUrl),
    isWebhookEnabled: field(
      defaulted(boolean('Whether notifications are sent.'), false),
      (row) => row.isWebhookEnabled,
    ),
    requiresSecondFactor: field(
      defaulted(
        boolean(
          'Whether every user needs a second factor: without one a user can do nothing but set it up, at the console.',
        ),
        false,
      ),
      (row) => row.requiresSecondFactor,
    ),
    plan: shown(choice(PLANS), (row) => row.plan, BY_OPERATOR),
    hasWebhooks: shown(
      boolean('Whether the plan includes webhooks.'),
      (row) => PLAN_HAS_WEBHOOKS[row.plan],
      'It depends on the plan.',
    ),
    trackingPrefix: shown(text(), (row) => row.trackingPrefix, BY_OPERATOR),
    currency: shown(
      text({ description: 'ISO 4217.' }),
      (row) => row.currency,
      'The amounts of existing shipments are in this currency.',
    ),
    webhookFailingSince: shownIfSet(
      dateTime(
        'Present when no delivery to webhookUrl has succeeded for an hour or more: since when. Deliveries continue; nothing is disabled.',
      ),
      (row) => row.webhookFailingSince,
      'The next successful delivery clears it; POST /organizations/{id}/webhook-test sends a test.',
    ),
    webhookSecret: shownIfSet(
      shownAsIs<string>({
        type: 'string',
        pattern: WEBHOOK_SECRET_PATTERN,
        description: 'Signs the notifications; shown to admins only.',
      }),
      (row) => row.webhookSecret,
      'It was generated with the organization and cannot be changed.',
    ),
    apiKeyPrefix: shown(
      text({ description: 'The first characters of the API key, to identify it.' }),
      (row) => row.apiKeyPrefix,
      'Use POST /organizations/{id}/api-key.',
    ),
    ...DATES,
  },
  {},
);
export type OrganizationBody = Infer<typeof organization.body>;

/**
 * An organization as a user of it sees it. Only an admin sees the webhook secret and its URL, whose path is often a secret too
 * (interpretation 47); `open` opens the secret for that alone. A session of the console gets the secret by its own request, for
 * which the password is asked again (decision 0046).
 */
export function presentOrganization(
  row: OrganizationRow,
  { role, isConfirmed }: Pick<UserActor, 'role' | 'isConfirmed'>,
  { open }: Pick<Sealing, 'open'>,
): Document {
  const shownToAdmins = organization.present(row);
  if (role === 'ROLE_ORG_ADMIN' && isConfirmed === null)
    return { ...shownToAdmins, webhookSecret: open(row.webhookSecret, row.id) };
  if (role === 'ROLE_ORG_ADMIN') {
    const { webhookSecret: _sealed, ...withoutSecret } = shownToAdmins;
    return withoutSecret;
  }
  const { webhookSecret: _secret, webhookUrl: _url, ...others } = shownToAdmins;
  return others;
}

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

/** What the webhook secret is answered with. */
export const webhookSecretJson = {
  title: 'WebhookSecret',
  ...shape({ organization: iri, webhookSecret: { ...string, pattern: WEBHOOK_SECRET_PATTERN } }),
};

/** What a new key is answered with. */
export const rolledKeyJson = {
  title: 'ApiKey',
  ...shape({
    organization: iri,
    apiKey: { ...string, description: 'Shown only once; only a hash of it is stored.' },
    apiKeyPrefix: string,
    previousKeyExpiresAt: nullable(dateTime().shown),
  }),
};

/** The tariff of a body, in cents and grams. */
export function tariffOf(body: Infer<typeof tariffSchema>): Tariff {
  return {
    defaultBaseFeeCents: body.defaultBaseFee,
    sizeSupplementCents: body.sizeSupplements,
    prioritySupplementCents: body.prioritySupplements,
    freeWeightGrams: body.freeWeight,
    perKilogramCents: body.perKilogram,
  };
}

function shownTariff(tariff: Tariff): Infer<typeof tariffSchema> {
  return {
    defaultBaseFee: tariff.defaultBaseFeeCents,
    sizeSupplements: tariff.sizeSupplementCents,
    prioritySupplements: tariff.prioritySupplementCents,
    freeWeight: tariff.freeWeightGrams,
    perKilogram: tariff.perKilogramCents,
  };
}
