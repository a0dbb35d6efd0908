// `npm run reset`: deletes the laptop's data (shipments, workflows, demo users), so that the next start begins empty.
import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_STATE_FILE } from '../demo/day/day-state.ts';
import { Keeper } from './engines/keeper.ts';
import { say } from './engines/progress.mjs';
import { openDataFolder } from './start/data-folder.ts';

const ENGINES = ['postgres', 'postgres-password', 'temporal'];
const DATA = [...ENGINES, 'demo-credentials.json', DAY_STATE_FILE, 'addresses.json'];

try {
  const dataFolder = await openDataFolder(join(import.meta.dirname, '..'));
  const keeper = await Keeper.open({ ownedFolder: dataFolder });
  // For root the database may be a link.
  const database = await realpath(join(dataFolder, 'postgres')).catch(() => '');
  if (database !== '') await rm(database, { recursive: true });
  for (const name of DATA) await rm(join(dataFolder, name), { recursive: true, force: true });
  await keeper.close();
  say(
    `The data in ${dataFolder} has been deleted. \`npm start\` creates an empty database and new demo data.`,
  );
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
