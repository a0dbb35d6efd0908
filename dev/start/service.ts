import { join } from 'node:path';
import { checkHealth, untilReady, type Keeper, type RunningProcess } from '../engines/keeper.ts';
import { anyFreePort } from '../engines/ports.ts';
import { withProgress } from '../engines/progress.mjs';

/** What the API and the worker need to run as processes. */
export interface ServiceOptions {
  readonly projectFolder: string;
  readonly logFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly apiPort: number;
  readonly keeper: Keeper;
}

/** Starts one worker and one API, and resolves when the health pages of both answer 200. Throws with the end of a log. */
export async function startService(options: ServiceOptions): Promise<readonly RunningProcess[]> {
  const { environment, apiPort } = options;
  // The worker makes and reads no tokens: what they are made of is kept from it.
  const others = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(?:JWT|TRACKING)_SECRET(?:_FILE)?$/.test(name)),
  );
  const healthPort = others['WORKER_HEALTH_PORT'] ?? String(await anyFreePort());
  const baseUrl = `http://${reachableHost(environment['HOST'] ?? '')}`;
  return withProgress('starting the API and the worker', async () => {
    // The API is stopped before the worker: it finishes its requests while their commands are still decided.
    const worker = await start('worker', { ...others, WORKER_HEALTH_PORT: healthPort }, options);
    const api = await start('api', { ...environment, PORT: String(apiPort) }, options);
    await Promise.all([
      untilReady(worker, () => checkHealth(`${baseUrl}:${healthPort}`)),
      untilReady(api, () => checkHealth(`${baseUrl}:${apiPort}`)),
    ]);
    return [worker, api];
  });
}

function start(
  name: 'api' | 'worker',
  environment: NodeJS.ProcessEnv,
  { projectFolder, logFolder, keeper }: ServiceOptions,
): Promise<RunningProcess> {
  return keeper.start({
    name,
    command: process.execPath,
    arguments: ['--import', 'tsx', join(name, 'main.ts')],
    environment,
    folder: projectFolder,
    logFile: join(logFolder, `${name}.log`),
    stopSignal: 'SIGTERM',
    graceMs: 30_000,
  });
}

/** A server that listens on every address is reached by the loopback address. */
export function reachableHost(host: string): string {
  if (['', '0.0.0.0', '::'].includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
