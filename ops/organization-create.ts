import { randomBytes } from 'node:crypto';
import { hashPassword } from '../api/auth/passwords.ts';
import { hashSecret, newApiKey } from '../api/auth/tokens.ts';
import { email as emailSchema } from '../api/schema/schema-values.ts';
import { parseWith } from '../api/schema/validate.ts';
import { isOneOf, PLANS } from '../domain/enumerations.ts';
import { isTimezone } from '../platform/timezone.ts';
import type { Database } from '../store/connection.ts';
import { inTransaction, violatedUniqueIndex } from '../store/connection.ts';
import { operatorCaller, recordAudit } from '../store/audit/audit-events.ts';
import { createUser } from '../store/accounts/users.ts';
import { createOrganization, isTimezoneKnown } from '../store/accounts/organizations.ts';
import type { Command } from './command-line.ts';
import { CommandError, onDatabase, readOptions } from './command-line.ts';
import { requireSealingKey } from './require-sealing-key.ts';

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

const OPTIONS = {
  name: { type: 'string', default: '' },
  prefix: { type: 'string', default: '' },
  plan: { type: 'string', default: 'decouverte' },
  currency: { type: 'string', default: 'EUR' },
  timezone: { type: 'string', default: 'UTC' },
  'admin-email': { type: 'string', default: '' },
  'admin-first-name': { type: 'string', default: 'Admin' },
  'admin-last-name': { type: 'string' },
} as const;

const MAXIMUM_TEXT_LENGTH = 255;
const PASSWORD_BYTES = 12;

/** Makes an organization with its first admin in one transaction, and prints once what is kept as a hash alone. */
export const command: Command = {
  failure: 'Nothing was changed',
  run: (line) => {
    const options = parseOptions(line.arguments);
    return onDatabase(line, (database) => makeOrganization(database, options));
  },
};

function parseOptions(argv: readonly string[]) {
  const values = readOptions(argv, OPTIONS, USAGE);
  const { plan, prefix: trackingPrefix, currency, timezone, 'admin-email': adminEmail } = values;
  const name = values.name.trim();
  const firstName = values['admin-first-name'];
  const lastName = values['admin-last-name'] ?? name;
  const isText = (text: string) => text.trim() !== '' && text.length <= MAXIMUM_TEXT_LENGTH;
  const rules: readonly (readonly [boolean, string])[] = [
    [isText(name), '--name is missing or longer than 255 characters.'],
    [/^[A-Z0-9]{2,10}$/.test(trackingPrefix), '--prefix must be 2 to 10 of A-Z and 0-9.'],
    [
      parseWith(emailSchema(), adminEmail).kind === 'valid',
      '--admin-email must be an email address, for example name@example.com.',
    ],
    [isOneOf(PLANS, plan), `--plan must be one of: ${PLANS.join(', ')}.`],
    [
      Intl.supportedValuesOf('currency').includes(currency),
      '--currency must be an ISO 4217 code, for example EUR.',
    ],
    [isTimezone(timezone), '--timezone must be an IANA time zone, for example Europe/Paris.'],
    [isText(firstName) && isText(lastName), 'The admin’s names must have 1 to 255 characters.'],
  ];
  const faults = rules.flatMap(([isKept, message]) => (isKept ? [] : [message]));
  if (faults.length > 0 || !isOneOf(PLANS, plan)) throw new CommandError(`${faults.join('\n')}\n\n${USAGE}`);
  return {
    organization: { name, plan, trackingPrefix, currency, timezone },
    adminEmail,
    firstName,
    lastName,
  };
}

async function makeOrganization(
  database: Database,
  { organization, adminEmail, firstName, lastName }: ReturnType<typeof parseOptions>,
): Promise<readonly string[]> {
  const { name, plan, timezone } = organization;
  await requireSealingKey(database);
  if (!(await isTimezoneKnown(database, timezone))) {
    throw new CommandError(
      `The database does not know the time zone ${timezone}; use its common name, for example Europe/Paris.`,
    );
  }
  const { key, shownPrefix: apiKeyPrefix } = newApiKey();
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const passwordHash = await hashPassword(password);
  const made = await inTransaction(database, async (transaction) => {
    const owner = await createOrganization(transaction, {
      ...organization,
      apiKeyHash: hashSecret(key),
      apiKeyPrefix,
    });
    await createUser(transaction, {
      organizationId: owner.id,
      email: adminEmail,
      passwordHash,
      role: 'ROLE_ORG_ADMIN',
      firstName,
      lastName,
      merchantId: null,
    });
    await recordAudit(transaction, operatorCaller('organization-create', owner.id), {
      kind: 'organization.created',
      subject: { kind: 'organization', id: owner.id },
    });
    return owner;
  }).catch((error: unknown) => {
    if (violatedUniqueIndex(error) !== 'users_email') throw error;
    throw new CommandError(`${adminEmail} already belongs to a user; choose another --admin-email.`);
  });
  return [
    `Created the organization ${name} with the plan ${plan}.`,
    '',
    `  id              ${made.id}`,
    `  API key         ${key}`,
    `  webhook secret  ${made.webhookSecret}`,
    `  admin           ${adminEmail.toLowerCase()}`,
    `  password        ${password}`,
    '',
    'The API key and the password are shown only once; store them now.',
  ];
}
