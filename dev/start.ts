// `npm start`: the whole service, with engines of its own unless DATABASE_URL and TEMPORAL_ADDRESS are set.
import { join } from 'node:path';
import { chooseMode } from '../ops/start-mode.ts';
import { failure, Keeper, type RunningProcess } from './engines/keeper.ts';
import { say } from './engines/progress.mjs';
import { untilInterrupted } from './interruption.ts';
import { banner } from './start/banner.ts';
import { openDataFolder } from './start/data-folder.ts';
import { startDemo } from './start/demo.ts';
import { startLaptop } from './start/laptop.ts';
import { choosePortOfApi } from './start/port-plan.ts';
import { startService } from './start/service.ts';

const projectFolder = join(import.meta.dirname, '..');
const environment = process.env;
// A closed terminal must not keep the parts from being ended in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  const mode = chooseMode(environment);
  const dataFolder = await openDataFolder(projectFolder);
  const keeper = await Keeper.open({ ownedFolder: dataFolder });
  const start = mode === 'laptop' ? startOnLaptop : startOnOwnServers;
  await Promise.race([untilInterrupted(), start(dataFolder, keeper).then(firstToEnd)]).catch(complain);
  say('\nStopping: first the API finishes its requests, then the worker, Temporal and PostgreSQL stop…');
  await keeper.close();
  say('Everything has stopped. The data is kept for the next start.');
} catch (error) {
  complain(error);
}
process.exit();

async function startOnLaptop(dataFolder: string, keeper: Keeper): Promise<readonly RunningProcess[]> {
  say('Starting the service on this machine…');
  const { parts, addresses, credentials, baseUrl } = await startLaptop(projectFolder, dataFolder, keeper);
  say(banner(addresses, credentials, performance.now() / 1000));
  await startDemo({ projectFolder, dataFolder, baseUrl, keeper });
  return parts;
}

/** Starts one API and one worker against the PostgreSQL and Temporal that the settings name; nothing is migrated. */
async function startOnOwnServers(dataFolder: string, keeper: Keeper): Promise<readonly RunningProcess[]> {
  const logFolder = join(dataFolder, 'logs');
  const apiPort = await choosePortOfApi({ PORT: '8080', ...environment });
  const service = { SERVICE_MODE: 'production', ...environment };
  const parts = await startService({ projectFolder, logFolder, environment: service, apiPort, keeper });
  say(
    `The API is listening on port ${apiPort}; the worker is running. Logs: ${logFolder}. Ctrl-C stops both.`,
  );
  return parts;
}

/** A part that ends by itself ends the service: on a laptop nothing is started again. */
async function firstToEnd(parts: readonly RunningProcess[]): Promise<never> {
  const ended = await Promise.race(parts.map((part) => part.exited.then(() => part)));
  throw failure(ended, `has ended (${await ended.exited})`);
}

function complain(error: unknown): void {
  say(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
