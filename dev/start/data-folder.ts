import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

/**
 * Makes the data folder, and returns its path: DATA_DIR (relative to the project), else `.data` in the project. No other
 * user may look inside; for root others may pass through, because PostgreSQL runs as another user.
 */
export async function openDataFolder(projectFolder: string): Promise<string> {
  const setting = process.env['DATA_DIR'] ?? '';
  const path = resolve(projectFolder, setting === '' ? '.data' : setting);
  const isNew = !existsSync(path);
  await mkdir(path, { recursive: true });
  // A folder that was there before may be the user's own: its mode is left alone.
  if (isNew || !isAbsolute(setting)) await chmod(path, userInfo().uid === 0 ? 0o711 : 0o700);
  return path;
}
