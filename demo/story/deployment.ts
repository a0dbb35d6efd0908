import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { listAt, StoryStopped, textAt } from './reading.ts';

/** One organization with what is needed to act for it. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly apiKey: string;
  readonly users: readonly { readonly email: string; readonly password: string; readonly role: string }[];
}

/** The running service that the story is told against. */
export interface Deployment {
  /** With the version prefix: `http://localhost:8080/api/v1`. */
  readonly baseUrl: string;
  readonly temporalUiUrl: string | null;
  readonly temporalNamespace: string;
  /** An organization whose plan includes webhooks. */
  readonly organization: Organization;
  /** Another organization, where there is one. */
  readonly stranger: Organization | undefined;
  readonly authority: { readonly certificateFile: string; readonly keyFile: string };
  readonly receiver: { readonly host: string; readonly bindAddress: string };
}

const PLANS_WITH_WEBHOOKS = ['pro', 'business', 'entreprise'];

/**
 * Finds the service: by what `npm start` wrote into the data folder (DATA_DIR, else `.data`), each part replaced by its
 * STORY_ variable where one is set (README «The story»). Throws StoryStopped with what to do when a part is missing.
 */
export async function findDeployment(
  environment: NodeJS.ProcessEnv,
  projectFolder: string,
): Promise<Deployment> {
  const setting = (name: string): string | undefined =>
    environment[name] === '' ? undefined : environment[name];
  const addressesFile = resolve(projectFolder, setting('DATA_DIR') ?? '.data', 'addresses.json');
  const addresses = await readJson(addressesFile);
  const find = (name: string, path: string): string => {
    const found = setting(name) ?? textAt(addresses, path);
    if (found !== '') return found;
    throw new StoryStopped(
      `Nothing tells where the service is. Run \`npm start\` in another terminal first (it writes ${addressesFile}), or set ${name}.`,
    );
  };
  const publicUrl = find('STORY_BASE_URL', 'publicUrl').replace(/\/+$/, '');
  const credentialsFile = find('STORY_CREDENTIALS_FILE', 'credentialsFile');
  const organizations = readOrganizations(await readJson(credentialsFile));
  const organization = organizations.find(({ plan }) => PLANS_WITH_WEBHOOKS.includes(plan));
  if (organization === undefined) {
    throw new StoryStopped(
      `${credentialsFile} names no organization on a plan with webhooks (${PLANS_WITH_WEBHOOKS.join(', ')}). If the file is lost, delete the data folder and start anew.`,
    );
  }
  return {
    baseUrl: publicUrl.endsWith('/api/v1') ? publicUrl : `${publicUrl}/api/v1`,
    temporalUiUrl: setting('STORY_TEMPORAL_UI_URL') ?? nullIfEmpty(textAt(addresses, 'temporalUiUrl')),
    temporalNamespace: setting('STORY_TEMPORAL_NAMESPACE') ?? 'default',
    organization,
    stranger: organizations.find(({ id }) => id !== organization.id),
    authority: {
      certificateFile: find('STORY_AUTHORITY_CERTIFICATE_FILE', 'authority.certificateFile'),
      keyFile: find('STORY_AUTHORITY_KEY_FILE', 'authority.keyFile'),
    },
    receiver: {
      host: setting('STORY_RECEIVER_HOST') ?? '127.0.0.1',
      bindAddress: setting('STORY_RECEIVER_BIND_ADDRESS') ?? '127.0.0.1',
    },
  };
}

/** Where the input lies. */
export function inputFile(projectFolder: string): string {
  return join(projectFolder, 'demo', 'story', 'shipments.json');
}

/** Reads a JSON file; undefined where there is none. Throws StoryStopped where it holds no JSON. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new StoryStopped(`${file} holds no JSON.`);
  }
}

function nullIfEmpty(text: string): string | null {
  return text === '' ? null : text;
}

function readOrganizations(document: unknown): readonly Organization[] {
  return listAt(document, 'organizations').map((organization) => ({
    id: textAt(organization, 'id'),
    name: textAt(organization, 'name'),
    plan: textAt(organization, 'plan'),
    apiKey: textAt(organization, 'apiKey'),
    users: listAt(organization, 'users').map((user) => ({
      email: textAt(user, 'email'),
      password: textAt(user, 'password'),
      role: textAt(user, 'role'),
    })),
  }));
}
