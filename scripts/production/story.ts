import { spawn } from 'node:child_process';
import { chmod, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadOrCreateAuthority } from '../engines/certificate-authority.ts';
import type { StaffedOrganization } from './organization.ts';
import type { Proof } from './proof.ts';

/**
 * Tells the story against the deployment. Its receiver lies on this machine behind a certificate of its own authority,
 * which production refuses: API and worker start once more in laptop mode, with the two settings for it changed and
 * nothing else. Throws when the story differs from the contract.
 */
export async function tellStory(
  { projectFolder, run, ports, containers, ground, say }: Proof,
  organization: StaffedOrganization,
): Promise<void> {
  const authority = await loadOrCreateAuthority(join(run.folder, 'authority'), new Date());
  const certificateFile = join(run.folder, 'authority.pem');
  await copyFile(authority.certificateFile, certificateFile);
  await chmod(certificateFile, 0o444);
  const webhookSettings = {
    SERVICE_MODE: 'laptop',
    WEBHOOK_ALLOW_PRIVATE: '1',
    WEBHOOK_EXTRA_CA_FILE: certificateFile,
  };
  for (const name of ['api', 'worker']) await containers.stop(name);
  for (const name of ['worker', 'api']) await containers.start(name, webhookSettings);
  const credentialsFile = join(run.folder, 'credentials.json');
  await writeFile(credentialsFile, JSON.stringify({ organizations: [organization] }), { mode: 0o600 });
  say('  …the story, with webhooks to this machine allowed');
  const exitCode = await runStory(projectFolder, {
    STORY_BASE_URL: `http://127.0.0.1:${ports.api}`,
    STORY_CREDENTIALS_FILE: credentialsFile,
    STORY_AUTHORITY_CERTIFICATE_FILE: authority.certificateFile,
    STORY_AUTHORITY_KEY_FILE: authority.keyFile,
    STORY_TEMPORAL_NAMESPACE: ground.services.get('worker')?.environment['TEMPORAL_NAMESPACE'] ?? 'default',
  });
  if (exitCode !== 0) throw new Error('the story differs from the contract: see above');
  say('✔ the story passes against the deployment');
}

function runStory(folder: string, environment: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/story.ts'], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
