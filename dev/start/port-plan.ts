import { StartError } from '../../ops/start-mode.ts';
import { chooseFreePort } from '../engines/ports.ts';
import { say } from '../engines/progress.mjs';

const API_PORT = 8080;
const LOOPBACK: readonly string[] = ['', '127.0.0.1', 'localhost', '::1'];

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

/** The ports for Prometheus, as in docker-compose.yml: the API's, the worker's, that of Temporal's SDK. */
const METRICS_PORTS = { METRICS_PORT: 9464, WORKER_HEALTH_PORT: 8081, TEMPORAL_METRICS_PORT: 9465 };

/** Returns the settings of the ports for Prometheus; none where they would be reached from other machines. */
export async function metricsPorts(host: string | undefined): Promise<Readonly<Record<string, string>>> {
  if (host !== undefined && !LOOPBACK.includes(host)) return {};
  const ports = Object.entries(METRICS_PORTS).map(
    async ([name, usual]) => [name, String(await chooseFreePort(usual))] as const,
  );
  return Object.fromEntries(await Promise.all(ports));
}

/** Where metrics are read, by the settings that say so. */
export function metricsUrls(host: string, environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const known = Object.keys(METRICS_PORTS).flatMap((name) => {
    const port = environment[name];
    return port === undefined ? [] : [[name, `http://${host}:${port}/metrics`] as const];
  });
  return Object.fromEntries(known);
}

/** Returns the usual port of a part, or, with a message, the next free one. */
export async function choosePort(part: string, usual: number): Promise<number> {
  const port = await chooseFreePort(usual);
  if (port !== usual) say(`Port ${usual} is in use: ${part} uses port ${port}.`);
  return port;
}
