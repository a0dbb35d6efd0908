import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import type { UserRole } from '../../domain/permission.ts';
import { testEngines } from '../harness/engines.ts';
import {
  makeDriver,
  makeMerchant,
  makeOrganization,
  makePickupPoint,
  makeUser,
  type MadeUser,
} from '../harness/make.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;

test.before(async () => {
  service = await startService();
});
test.after.always(() => service.stop());

/** Writes down a service as `npm start` does, with an organization of the test's own. Returns the data folder. */
async function writeAddresses(t: ExecutionContext): Promise<string> {
  const [own, other] = [await makeOrganization(service), await makeOrganization(service)];
  const merchantId = await makeMerchant(service, own);
  await makePickupPoint(service, own, { merchantId });
  const userOf = async (role: UserRole): Promise<MadeUser & { readonly role: UserRole }> => ({
    ...(await makeUser(service, own, role, role === 'ROLE_MERCHANT' ? { merchantId } : {})),
    role,
  });
  const driver = await userOf('ROLE_DRIVER');
  await makeDriver(service, own, { userId: driver.id });
  const staff = ['ROLE_ORG_ADMIN', 'ROLE_DISPATCHER', 'ROLE_MERCHANT'] as const;
  const users = [driver, ...(await Promise.all(staff.map(userOf)))];
  const folder = await mkdtemp(join(tmpdir(), 'story-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const credentialsFile = join(folder, 'credentials.json');
  const { authorityCertificateFile: certificateFile, authorityKeyFile: keyFile } = testEngines();
  const addresses = {
    publicUrl: service.baseUrl,
    temporalUiUrl: 'http://127.0.0.1:8233',
    credentialsFile,
    authority: { certificateFile, keyFile },
  };
  await writeFile(
    credentialsFile,
    JSON.stringify({ organizations: [{ ...own, name: 'Atlas', users }, other] }),
  );
  await writeFile(join(folder, 'addresses.json'), JSON.stringify(addresses));
  return folder;
}

async function runStory(dataFolder: string) {
  const story = spawn(process.execPath, ['--import=tsx', 'demo/story.ts'], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { ...process.env, DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(story.stdout), once(story, 'exit')]);
  return { output, exitCode: story.exitCode };
}

test('the story ends with exit code 0 against the service', async (t) => {
  const { output, exitCode } = await runStory(await writeAddresses(t));
  t.is(exitCode, 0, output);
  t.false(output.includes('✘'));
});

test('the story ends with exit code 1 and says what is missing where no service runs', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'story-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const { output, exitCode } = await runStory(folder);
  t.is(exitCode, 1);
  t.true(output.includes('npm start'));
});
