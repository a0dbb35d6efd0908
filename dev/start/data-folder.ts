import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The files below the data folder that `npm start` makes or reads. */
export interface DataFolder {
  readonly path: string;
  readonly ledgerFile: string;
  readonly logFolder: string;
  readonly secretFile: string;
  readonly authorityFolder: string;
  readonly postgresFolder: string;
  readonly postgresPasswordFile: string;
  readonly temporalDatabaseFile: string;
  /** The demo's users, passwords and API keys, readable by their owner alone. */
  readonly credentialsFile: string;
  /** Where the running service answers, for `npm run story`. */
  readonly addressesFile: string;
}

/**
 * Opens the data folder: DATA_DIR (relative to the project), else `.data` in the project. Nobody else may look
 * inside; for root others may pass through, because PostgreSQL runs as another user.
 */
export async function openDataFolder(
  environment: NodeJS.ProcessEnv,
  projectFolder: string,
): Promise<DataFolder> {
  const setting = environment['DATA_DIR'];
  const hasSetting = setting !== undefined && setting !== '';
  const path = resolve(projectFolder, hasSetting ? setting : '.data');
  const isNew = !existsSync(path);
  await mkdir(path, { recursive: true });
  // A folder that was there before may be the user's own: its mode is left alone.
  if (isNew || !isAbsolute(setting ?? '')) await chmod(path, userInfo().uid === 0 ? 0o711 : 0o700);
  return {
    path,
    ledgerFile: join(path, 'processes.json'),
    logFolder: join(path, 'logs'),
    secretFile: join(path, 'jwt-secret'),
    authorityFolder: join(path, 'authority'),
    postgresFolder: join(path, 'postgres'),
    postgresPasswordFile: join(path, 'postgres-password'),
    temporalDatabaseFile: join(path, 'temporal', 'temporal.db'),
    credentialsFile: join(path, 'demo-credentials.json'),
    addressesFile: join(path, 'addresses.json'),
  };
}

/** Returns the secret that signs the laptop's tokens; made once, so that tokens survive a restart. */
export async function loadOrCreateSecret(file: string): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  const secret = randomBytes(48).toString('base64url');
  await writePrivateFile(file, `${secret}\n`);
  return secret;
}

/** Writes a file that only its owner can read, whatever its mode was before. */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  await writeFile(file, content, { mode: 0o600 });
  await chmod(file, 0o600);
}
