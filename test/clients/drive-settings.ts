import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDriver, makeOrganization, makeUser } from '../harness/make.ts';
import type { TestService } from '../harness/service.ts';
import type { DriveSettings } from './run-client.ts';
import { WORK_FOLDER } from './run-client.ts';

/** Writes the description as the service serves it, to where the clients are generated from. */
export async function fetchDescription({ baseUrl }: TestService): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v1/docs`, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`/docs answered ${answer.status}`);
  const text = await answer.text();
  await mkdir(WORK_FOLDER, { recursive: true });
  await writeFile(join(WORK_FOLDER, 'openapi.json'), text);
  return text;
}

/** Nothing listens there: what is sent stays a webhook delivery that failed. */
const RECEIVER = 'https://127.0.0.1:9/webhooks';

/** Makes an organization of a client's own, with a dispatcher and an available driver, and one with an admin. */
export async function makeDriveSettings(service: TestService): Promise<DriveSettings> {
  const organization = await makeOrganization(service);
  const { email, password } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  await makeDriver(service, organization);
  const other = await makeOrganization(service, { webhookUrl: RECEIVER });
  const admin = await makeUser(service, other, 'ROLE_ORG_ADMIN');
  return {
    BASE_URL: `${service.baseUrl}/api/v1`,
    API_KEY: organization.apiKey,
    EMAIL: email,
    ADMIN_EMAIL: admin.email,
    PASSWORD: password,
  };
}
