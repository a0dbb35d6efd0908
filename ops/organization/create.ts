import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { hashPassword } from '../../api/auth/passwords.ts';
import { hashSecret, newApiKey } from '../../api/auth/tokens.ts';
import { email as emailSchema } from '../../api/schema/schema-values.ts';
import { parseWith } from '../../api/schema/validate.ts';
import type { Plan } from '../../domain/enumerations.ts';
import { isOneOf, PLANS } from '../../domain/enumerations.ts';
import { isTimezone } from '../../platform/timezone.ts';
import type { Database } from '../../store/connection.ts';
import { inTransaction, violatedUniqueIndex } from '../../store/connection.ts';
import { createOrganization, createUser } from '../../store/accounts/create-organization.ts';
import { isTimezoneKnown } from '../../store/accounts/organizations.ts';
import { UsageError } from './usage-error.ts';

/** What an organization is asked for by. */
export interface CreateOptions {
  readonly name: string;
  readonly plan: Plan;
  readonly trackingPrefix: string;
  readonly currency: string;
  readonly timezone: string;
  readonly adminEmail: string;
  readonly adminFirstName: string;
  readonly adminLastName: string;
}

const USAGE = `Usage: npm run organization:create -- --name NAME --prefix PREFIX --admin-email EMAIL [options]

  --name NAME              the organization's name
  --prefix PREFIX          the prefix of its tracking numbers: 2 to 10 of A-Z and 0-9, for example ATL
  --admin-email EMAIL      the first user, who can create the others
  --plan PLAN              ${PLANS.join(', ')} (default: decouverte, which has no webhooks)
  --currency CODE          ISO 4217, for example EUR (default: EUR); cannot be changed later
  --timezone ZONE          IANA, for example Europe/Paris (default: UTC)
  --admin-first-name NAME  (default: Admin)
  --admin-last-name NAME   (default: the organization's name)

It prints the API key, the webhook secret and the admin's password once; only hashes of the key and the password are stored.`;

const MAXIMUM_TEXT_LENGTH = 255;
const PASSWORD_BYTES = 12;

/** Takes the arguments apart. Throws a UsageError that lists every fault, with the usage. */
export function parseOptions(argv: readonly string[]): CreateOptions {
  const values = readOptions(argv);
  const options: CreateOptions = {
    name: values.name?.trim() ?? '',
    plan: isOneOf(PLANS, values.plan) ? values.plan : 'decouverte',
    trackingPrefix: values.prefix ?? '',
    currency: values.currency ?? 'EUR',
    timezone: values.timezone ?? 'UTC',
    adminEmail: values['admin-email'] ?? '',
    adminFirstName: values['admin-first-name'] ?? 'Admin',
    adminLastName: values['admin-last-name'] ?? values.name?.trim() ?? '',
  };
  const faults = faultsOf(options);
  if (values.plan !== undefined && !isOneOf(PLANS, values.plan)) {
    faults.push(`--plan must be one of: ${PLANS.join(', ')}.`);
  }
  if (faults.length > 0) throw new UsageError(`${faults.join('\n')}\n\n${USAGE}`);
  return options;
}

function readOptions(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: {
        name: text,
        prefix: text,
        plan: text,
        currency: text,
        timezone: text,
        'admin-email': text,
        'admin-first-name': text,
        'admin-last-name': text,
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function faultsOf(options: CreateOptions): string[] {
  const isText = (text: string) => text.trim() !== '' && text.length <= MAXIMUM_TEXT_LENGTH;
  const rules: readonly (readonly [boolean, string])[] = [
    [isText(options.name), '--name is missing or longer than 255 characters.'],
    [/^[A-Z0-9]{2,10}$/.test(options.trackingPrefix), '--prefix must be 2 to 10 of A-Z and 0-9.'],
    [
      parseWith(emailSchema(), options.adminEmail).kind === 'valid',
      '--admin-email must be an email address, for example name@example.com.',
    ],
    [isCurrency(options.currency), '--currency must be an ISO 4217 code, for example EUR.'],
    [isTimezone(options.timezone), '--timezone must be an IANA time zone, for example Europe/Paris.'],
    [
      isText(options.adminFirstName) && isText(options.adminLastName),
      'The admin’s names must have 1 to 255 characters.',
    ],
  ];
  return rules.flatMap(([isKept, message]) => (isKept ? [] : [message]));
}

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}

/**
 * Makes an organization with its first admin in one transaction, and says once what is kept as a hash alone. Throws a
 * UsageError when the address has a user already.
 */
export async function makeOrganization(
  database: Database,
  options: CreateOptions,
): Promise<readonly string[]> {
  if (!(await isTimezoneKnown(database, options.timezone))) {
    throw new UsageError(
      `The database does not know the time zone ${options.timezone}; use its common name, for example Europe/Paris.`,
    );
  }
  const secrets = { key: newApiKey(), password: randomBytes(PASSWORD_BYTES).toString('base64url') };
  const made = await writeOrganization(database, options, secrets);
  return [
    `Created the organization ${options.name} with the plan ${options.plan}.`,
    '',
    `  id              ${made.id}`,
    `  API key         ${secrets.key.key}`,
    `  webhook secret  ${made.webhookSecret}`,
    `  admin           ${options.adminEmail.toLowerCase()}`,
    `  password        ${secrets.password}`,
    '',
    'The API key and the password are shown only once; store them now.',
  ];
}

async function writeOrganization(
  database: Database,
  options: CreateOptions,
  { key, password }: { readonly key: ReturnType<typeof newApiKey>; readonly password: string },
): ReturnType<typeof createOrganization> {
  const passwordHash = await hashPassword(password);
  return inTransaction(database, async (transaction) => {
    const organization = await createOrganization(transaction, {
      name: options.name,
      plan: options.plan,
      trackingPrefix: options.trackingPrefix,
      currency: options.currency,
      timezone: options.timezone,
      apiKeyHash: hashSecret(key.key),
      apiKeyPrefix: key.shownPrefix,
    });
    await createUser(transaction, {
      organizationId: organization.id,
      email: options.adminEmail,
      passwordHash,
      role: 'ROLE_ORG_ADMIN',
      firstName: options.adminFirstName,
      lastName: options.adminLastName,
      merchantId: null,
    });
    return organization;
  }).catch((error: unknown) => {
    if (violatedUniqueIndex(error) !== 'users_email') throw error;
    throw new UsageError(`${options.adminEmail} already belongs to a user; choose another --admin-email.`);
  });
}
