import { chooseFreePort, isPortFree } from '../engines/ports.ts';
import type { Say } from '../engines/progress.ts';
import { StartError } from '../../ops/start-mode.ts';

/** Which port each part listens on. */
export interface PortPlan {
  readonly api: number;
  readonly temporal: number;
  readonly temporalUi: number;
  readonly postgres: number;
}

const USUAL: PortPlan = { api: 8080, temporal: 7233, temporalUi: 8233, postgres: 54320 };
const TITLES: Readonly<Record<keyof PortPlan, string>> = {
  api: 'the API',
  temporal: 'Temporal',
  temporalUi: "Temporal's Web UI",
  postgres: 'PostgreSQL',
};

/**
 * Chooses a port for each part: the usual one, else, said aloud, the next free one. A PORT that the user set is
 * never exchanged: StartError is thrown when it is in use.
 */
export async function planPorts(environment: NodeJS.ProcessEnv, say: Say): Promise<PortPlan> {
  const api = readPort(environment['PORT']);
  if (api !== undefined) await rejectPortInUse(api);
  const taken = api === undefined ? [] : [api];
  const choose = async (part: keyof PortPlan): Promise<number> => {
    const port = await chooseFreePort(USUAL[part], taken);
    taken.push(port);
    if (port !== USUAL[part]) say(`Port ${USUAL[part]} is in use: ${TITLES[part]} uses port ${port}.`);
    return port;
  };
  return {
    api: api ?? (await choose('api')),
    temporal: await choose('temporal'),
    temporalUi: await choose('temporalUi'),
    postgres: await choose('postgres'),
  };
}

/** Throws StartError when the port that PORT names is in use. */
export async function rejectPortInUse(port: number): Promise<void> {
  if (await isPortFree(port)) return;
  throw new StartError(
    `Port ${port} (PORT) is in use by another program. Stop that program, set PORT to a free port, or unset it.`,
  );
}

/** Returns the number in PORT, undefined when it is not set. Throws StartError when it is not a port. */
export function readPort(setting: string | undefined): number | undefined {
  if (setting === undefined || setting === '') return undefined;
  const port = Number(setting);
  if (Number.isInteger(port) && port > 0 && port <= 65_535) return port;
  throw new StartError(`PORT is ${JSON.stringify(setting)}; it must be a number from 1 to 65535.`);
}
