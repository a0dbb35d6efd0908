import type { ProcessLedger } from '../engines/process-ledger.ts';
import { withProgress, type Say } from '../engines/progress.ts';
import { rejectPortInUse, readPort } from './port-plan.ts';
import { apiPart, workerPart } from './service-process.ts';
import type { Supervisor } from './supervisor.ts';

/** What a start against servers of one's own is given to work with. */
export interface ProductionContext {
  readonly projectFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly logFolder: string;
  readonly ledger: ProcessLedger;
  readonly supervisor: Supervisor;
  readonly say: Say;
  readonly onWarning: (part: string, line: string) => void;
}

const DEFAULT_API_PORT = 8080;

/**
 * Starts one API and one worker against the PostgreSQL and Temporal that the settings name; nothing is migrated
 * and nothing is seeded. Resolves with the API's port when both are ready.
 */
export async function startProduction(context: ProductionContext): Promise<number> {
  const port = readPort(context.environment['PORT']) ?? DEFAULT_API_PORT;
  await rejectPortInUse(port);
  const service = {
    ...context,
    environment: { SERVICE_MODE: 'production', ...context.environment, PORT: String(port) },
  };
  await withProgress('starting the API and the worker', context.say, () =>
    Promise.all([
      context.supervisor.run(apiPart(service, port)),
      context.supervisor.run(workerPart(service)),
    ]),
  );
  return port;
}
