import { field, newPassword, Unexpected, type Visitor } from './visitor.ts';

/** An organization with everybody whom the story needs, in the form of `npm start`'s credentials file. */
export interface StaffedOrganization {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly apiKey: string;
  readonly users: readonly { readonly email: string; readonly password: string; readonly role: string }[];
}

/** What an organization begins with: its key and its first user. */
interface FoundedOrganization {
  readonly id: string;
  readonly apiKey: string;
  readonly admin: { readonly email: string; readonly password: string };
}

const NAME = 'Probe Livraison';
const PLAN = 'pro';
const DOMAIN = 'probe.example';

/** The words of `organization-create` for the organization of this proof. */
export const FOUNDING = [
  'organization-create',
  ...['--name', NAME, '--prefix', 'PRB', '--plan', PLAN, '--timezone', 'Europe/Paris'],
  ...['--admin-email', `admin@${DOMAIN}`],
] as const;

/** Reads what the command says once. Throws Unexpected when a part is missing. */
export function readFounded(output: string): FoundedOrganization {
  const told = (label: string): string => {
    const [, value] = new RegExp(`^ +${label} +(\\S+)$`, 'm').exec(output) ?? [];
    if (value === undefined) throw new Unexpected(`organization-create tells no ${label}:\n${output}`);
    return value;
  };
  return {
    id: told('id'),
    apiKey: told('API key'),
    admin: { email: told('admin'), password: told('password') },
  };
}

/** Gives a founded organization, over HTTP as its admin, a merchant, a user of each role, and drivers. */
export async function staffOrganization(
  visitor: Visitor,
  founded: FoundedOrganization,
): Promise<StaffedOrganization> {
  const admin = await visitor.signIn(founded.admin.email, founded.admin.password);
  const merchant = await admin.send('POST', '/merchants', 201, { name: 'Épicerie du Marché' });
  const hire = async (role: string, firstName: string, lastName: string, more: object = {}) => {
    const email = `${firstName.toLowerCase()}@${DOMAIN}`;
    const password = newPassword();
    const { body } = await admin.send('POST', '/users', 201, {
      ...{ email, password, role, firstName, lastName },
      ...more,
    });
    return { iri: field(body, '@id'), email, password, role };
  };
  const dispatcher = await hire('ROLE_DISPATCHER', 'Marc', 'Lefevre');
  const shop = await hire('ROLE_MERCHANT', 'Salma', 'Idrissi', { merchant: field(merchant.body, '@id') });
  const driver = await hire('ROLE_DRIVER', 'Yanis', 'Moreau');
  for (const [firstName, user] of [
    ['Yanis', driver.iri],
    ['Lina', null],
  ] as const) {
    const names = { firstName, lastName: 'Moreau', phoneNumber: '+33612000001' };
    await admin.send('POST', '/drivers', 201, { ...names, ...(user === null ? {} : { user }) });
  }
  const users = [{ ...founded.admin, role: 'ROLE_ORG_ADMIN' }, dispatcher, shop, driver];
  return { id: founded.id, name: NAME, plan: PLAN, apiKey: founded.apiKey, users };
}
