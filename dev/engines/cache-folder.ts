import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

const FOLDER_NAME = 'shipment-delivery-service';

/**
 * Returns the folder, one per user, for programs that took minutes to get, so that a second clone of the project
 * finds them: below `XDG_CACHE_HOME` (XDG Base Directory Specification: a relative value is ignored), else
 * below `~/.cache`.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const base = environment['XDG_CACHE_HOME'];
  const isUsable = base !== undefined && isAbsolute(base);
  return join(isUsable ? base : join(homedir(), '.cache'), FOLDER_NAME);
}
