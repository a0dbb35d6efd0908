// `npm run reset`: deletes the laptop's data (shipments, workflows, demo users), so that the next start begins empty.
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { claimDataFolder } from './start/claim-data-folder.ts';
import { openDataFolder } from './start/data-folder.ts';
import { say } from './engines/progress.ts';

try {
  const data = await openDataFolder(process.env, join(import.meta.dirname, '..'));
  const ledger = await claimDataFolder(data, say);
  for (const path of [
    data.postgresFolder,
    data.postgresPasswordFile,
    dirname(data.temporalDatabaseFile),
    data.credentialsFile,
    data.addressesFile,
  ]) {
    await rm(path, { recursive: true, force: true });
  }
  ledger.close();
  say(
    `The data in ${data.path} has been deleted. \`npm start\` creates an empty database and new demo data.`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
