import { readFile } from 'node:fs/promises';
import { writePrivateFile } from './data-folder.ts';

/** What the seed made on the first start, with the only plain copy of its passwords and keys. */
export interface DemoCredentials {
  readonly organizations: readonly {
    readonly id: string;
    readonly name: string;
    readonly plan: string;
    readonly apiKey: string;
    readonly webhookSecret: string;
    readonly users: readonly { readonly email: string; readonly password: string; readonly role: string }[];
  }[];
}

/**
 * Keeps fresh credentials in the file, or reads those of the first start from it. Returns undefined when the demo
 * was made earlier and its file is missing: the passwords are lost.
 */
export async function keepCredentials(
  fresh: DemoCredentials | undefined,
  file: string,
): Promise<DemoCredentials | undefined> {
  if (fresh !== undefined) {
    await writePrivateFile(file, `${JSON.stringify(fresh, null, 2)}\n`);
    return fresh;
  }
  return parseCredentials(
    await readFile(file, 'utf8')
      .then((text): unknown => JSON.parse(text))
      .catch(() => undefined),
  );
}

function parseCredentials(value: unknown): DemoCredentials | undefined {
  const organizations = listIn(value, 'organizations').map((organization) => ({
    id: textIn(organization, 'id'),
    name: textIn(organization, 'name'),
    plan: textIn(organization, 'plan'),
    apiKey: textIn(organization, 'apiKey'),
    webhookSecret: textIn(organization, 'webhookSecret'),
    users: listIn(organization, 'users').map((user) => ({
      email: textIn(user, 'email'),
      password: textIn(user, 'password'),
      role: textIn(user, 'role'),
    })),
  }));
  return organizations.length === 0 ? undefined : { organizations };
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return Array.isArray(list) ? list : [];
}

function textIn(value: unknown, name: string): string {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof text === 'string' ? text : '';
}
