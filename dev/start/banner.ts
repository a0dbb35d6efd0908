import type { UserRole } from '../../domain/permission.ts';
import type { DemoCredentials } from '../seed.ts';

/** Where the running service answers, and where what it made lies. */
export interface Addresses {
  readonly publicUrl: string;
  readonly temporalUiUrl: string;
  readonly temporalAddress: string;
  readonly credentialsFile: string;
  readonly logFolder: string;
  readonly authority: { readonly certificateFile: string; readonly keyFile: string };
}

/** Writes the page that ends a successful start: addresses, the demo's accounts, and what to try. */
export function banner(
  addresses: Addresses,
  credentials: DemoCredentials | undefined,
  seconds: number,
): string {
  const lines = [
    '',
    `The shipment delivery service is running (ready in ${seconds.toFixed(1)} s).`,
    '',
    ...table([
      ['Console', `${addresses.publicUrl}/desk/`],
      ['API', `${addresses.publicUrl}/api/v1`],
      ['Documentation', `${addresses.publicUrl}/api/v1/docs`],
      ['Temporal Web UI', addresses.temporalUiUrl],
      ['Logs', addresses.logFolder],
      ['Demo accounts', `${addresses.credentialsFile} (readable only by you)`],
    ]),
    '',
    ...(credentials === undefined ? lostCredentials(addresses) : accounts(credentials)),
    ...tryIt(addresses, credentials),
    'Ctrl-C stops everything; the data is kept for the next start.',
    '',
  ];
  return lines.join('\n');
}

/** What a user of each role sees in the console. */
const SEES = {
  ROLE_ORG_ADMIN: 'admin: everything, webhooks and settings too',
  ROLE_DISPATCHER: 'dispatcher: board, shipments, drivers, runs, approvals',
  ROLE_MERCHANT: 'merchant: the shipments of one shop, import, labels',
  ROLE_DRIVER: 'driver: the own tasks',
} as const satisfies Record<UserRole, string>;

function accounts(credentials: DemoCredentials): readonly string[] {
  return credentials.organizations.flatMap((organization) => [
    `  ${organization.name} (plan ${organization.plan}), API key ${organization.apiKey}`,
    ...table(organization.users.map(({ role, email, password }) => [email, password, SEES[role]])).map(
      (line) => `  ${line}`,
    ),
    '',
  ]);
}

function lostCredentials(addresses: Addresses): readonly string[] {
  return [
    `  The demo data was created by an earlier start, and ${addresses.credentialsFile} is missing.`,
    '  Delete the data folder to start again with new passwords.',
    '',
  ];
}

function tryIt(addresses: Addresses, credentials: DemoCredentials | undefined): readonly string[] {
  const apiKey = credentials?.organizations[0]?.apiKey;
  if (apiKey === undefined) return [];
  const body = {
    recipient: {
      firstName: 'Amina',
      phoneNumber: '+212661234567',
      address: { street: '12 rue des Orangers', city: 'Rabat' },
    },
    codAmount: '250.00',
  };
  return [
    'Try:',
    `  curl -X POST ${addresses.publicUrl}/api/v1/external/shipments \\`,
    `    -H 'X-API-KEY: ${apiKey}' -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify(body)}'`,
    '',
    'Or see a shipment live, from one call to a signed webhook:  npm run story',
    '',
  ];
}

/** Aligns rows of words into columns, indented by two. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((word, column) => word.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  );
}
