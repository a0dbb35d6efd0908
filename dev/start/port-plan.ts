import { StartError } from '../../ops/start-mode.ts';
import { chooseFreePort } from '../engines/ports.ts';
import { say } from '../engines/progress.mjs';

const API_PORT = 8080;

/**
 * Returns the port of the API: PORT, which is never exchanged, else 8080. Throws StartError when PORT is not a port, and when
 * it is in use.
 */
export async function choosePortOfApi(environment: NodeJS.ProcessEnv): Promise<number> {
  const setting = environment['PORT'] ?? '';
  if (setting === '') return choosePort('the API', API_PORT);
  const port = Number(setting);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StartError(`PORT is ${JSON.stringify(setting)}; it must be a number from 1 to 65535.`);
  }
  if ((await chooseFreePort(port)) === port) return port;
  throw new StartError(
    `Port ${port} (PORT) is in use by another program. Stop that program, set PORT to a free port, or unset it.`,
  );
}

/** Returns the usual port of a part, or, with a message, the next free one. */
export async function choosePort(part: string, usual: number): Promise<number> {
  const port = await chooseFreePort(usual);
  if (port !== usual) say(`Port ${usual} is in use: ${part} uses port ${port}.`);
  return port;
}
