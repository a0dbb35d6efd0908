import { ConfigError } from '../../platform/setting-reader.ts';
import { createTemporalClient } from '../../platform/temporal.ts';
import { connectDatabase, isDatabaseUnavailable } from '../../store/connection.ts';
import { createShipmentWorkflowClient } from '../../workflows/client/shipment-workflow-client.ts';
import type { CommandLine } from '../organization/run-command.ts';
import { UsageError } from '../organization/usage-error.ts';
import { StartError } from '../start-mode.ts';
import { checkConsistency } from './command.ts';
import { findSettings, parseCheckOptions } from './settings.ts';

const PROGRESS_EVERY_MS = 5_000;

/** Runs the command: 0 when nothing differs, 1 when something does, 2 with a message when it could not be compared. */
export async function runCheckConsistency(line: CommandLine): Promise<0 | 1 | 2> {
  try {
    const options = parseCheckOptions(line.arguments);
    const { databaseUrl, temporal, taskQueue } = await findSettings(line.environment, line.projectFolder);
    const database = connectDatabase(databaseUrl, { poolSize: 1, applicationName: 'check-consistency' });
    const client = createTemporalClient(temporal);
    try {
      const comparison = {
        ...{ database, temporal: client, taskQueue, olderThanSeconds: options.olderThanSeconds },
        onProgress: sometimes(line.printError),
      };
      const left = await checkConsistency(
        comparison,
        createShipmentWorkflowClient(client, taskQueue),
        options,
        line.print,
      );
      return left.length === 0 ? 0 : 1;
    } finally {
      await client.connection.close();
      await database.close();
    }
  } catch (error) {
    line.printError(messageOf(error));
    return 2;
  }
}

/** Passes a line on every few seconds, so that long work is seen to go on and a short one prints none. */
function sometimes(print: (line: string) => void): (line: string) => void {
  let lastMs = performance.now();
  return (line) => {
    if (performance.now() - lastMs < PROGRESS_EVERY_MS) return;
    lastMs = performance.now();
    print(`… ${line}`);
  };
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof StartError) {
    return error.message;
  }
  if (isDatabaseUnavailable(error))
    return 'The database is unreachable. Check that it is running, and check DATABASE_URL.';
  const reason = error instanceof Error ? error.message : String(error);
  return `The comparison failed. Check that Temporal is running, and check TEMPORAL_ADDRESS: ${reason}`;
}
