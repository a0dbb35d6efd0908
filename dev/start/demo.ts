import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_STATE_FILE } from '../../demo/day/day-state.ts';
import type { Keeper } from '../engines/keeper.ts';
import { say } from '../engines/progress.mjs';

const SHOWN = 'Demo: ';

/** Whether the demo's shipments are wanted: `DEMO=0` leaves them out. */
export function wantsDemo(environment: NodeJS.ProcessEnv): boolean {
  return environment['DEMO'] !== '0';
}

/**
 * Starts the demo's process (demo/run-demo.ts) next to a service that is ready, where this data folder has a day. The service
 * goes on without it. `DEMO_LIFE=1` lets its drivers drive.
 */
export async function startDemo(options: {
  readonly projectFolder: string;
  readonly dataFolder: string;
  readonly baseUrl: string;
  readonly keeper: Keeper;
}): Promise<void> {
  const { projectFolder, dataFolder, baseUrl, keeper } = options;
  const wantsLife = process.env['DEMO_LIFE'] === '1';
  if (!wantsDemo(process.env) || !existsSync(join(dataFolder, DAY_STATE_FILE))) {
    if (wantsLife)
      say(`${SHOWN}there are no example shipments in this data folder, so DEMO_LIFE has no effect.`);
    return;
  }
  await keeper.start({
    name: 'demo',
    command: process.execPath,
    arguments: ['--import', 'tsx', join('demo', 'run-demo.ts'), dataFolder, baseUrl, wantsLife ? 'life' : ''],
    environment: process.env,
    folder: projectFolder,
    logFile: join(dataFolder, 'logs', 'demo.log'),
    stopSignal: 'SIGTERM',
    graceMs: 5_000,
    onLine: (line) => {
      if (line.startsWith(SHOWN)) say(line);
    },
  });
}
