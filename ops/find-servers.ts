import { loadDatabaseUrl, loadTemporalConfig } from '../platform/config.ts';
import type { CommandLine } from './command-line.ts';
import { CommandError, laptopAddresses } from './command-line.ts';
import { chooseMode } from './start-mode.ts';

/** Finds both sides: by DATABASE_URL and TEMPORAL_ADDRESS, else the service that `npm start` runs on this machine. */
export async function findServers(line: CommandLine) {
  const { environment } = line;
  const taskQueue = environment['TASK_QUEUE'] ?? 'shipments';
  if (chooseMode(environment) === 'production') {
    const databaseUrl = loadDatabaseUrl(environment);
    return { databaseUrl, temporal: loadTemporalConfig(environment), taskQueue };
  }
  const { databaseUrl, temporalAddress: address } = await laptopAddresses(line);
  if (databaseUrl !== undefined && address !== undefined) {
    return { databaseUrl, temporal: { address, namespace: 'default', apiKey: null, tls: false }, taskQueue };
  }
  throw new CommandError(
    'No service found. Set DATABASE_URL and TEMPORAL_ADDRESS, or run `npm start` in another terminal.',
  );
}
