import pg from 'pg';
import type { Say } from '../dev/engines/progress.mjs';
import { ensureDatabase } from '../dev/engines/postgres.ts';
import { buildWeb } from '../dev/web/build-web.ts';
import { connectDatabase, type Database } from '../store/connection.ts';
import { startDeployment, type Deployment } from '../test/harness/deployment.ts';

/** The service with engines of its own, as `npm start` runs it: durable, each part a process. */
export interface BenchDeployment extends Deployment {
  readonly baseUrl: string;
  /** A second database of the same server, for the bare counterparts. */
  readonly bareDatabaseUrl: string;
  /** The service's database: for making data. */
  readonly database: Database;
  /** The same database by the bare driver, for the bare counterparts and the checks. */
  readonly pool: pg.Pool;
  /** What signs the users' tokens. */
  readonly config: { readonly jwtSecret: string };
  /** Ends the worker and starts another with these settings on top of the service's. */
  readonly restartWorker: (environment: Readonly<Record<string, string>>) => Promise<void>;
}

const SETTINGS = {
  // A busy machine must not turn a late answer into a 202: the wait is part of what is measured.
  COMMAND_WAIT_MS: '60000',
  // One organization of the bench asks for what the machine can do; a case about budgets starts an API with `100`.
  REQUEST_BUDGET_PERCENT: '1000000',
};

/** Starts the engines, the API and the worker. Rejects, with nothing left running, when one of them cannot be started. */
export async function startBenchDeployment(
  environment: NodeJS.ProcessEnv,
  say: Say,
): Promise<BenchDeployment> {
  // The API reads the console when it starts.
  await buildWeb();
  const profiles = environment['BENCH_PROFILE'] ?? '';
  const nodeOptions = profiles === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const options = { purpose: 'bench', environment, say, settings: SETTINGS, nodeOptions } as const;
  return startDeployment(options, async (deployment) => {
    const { makeService, adminUrl, databaseUrl, jwtSecret } = deployment;
    const api = await makeService('api');
    let worker = await makeService('worker');
    await Promise.all([api.start(), worker.start()]);
    const database = connectDatabase(databaseUrl, { poolSize: 4, applicationName: 'bench' });
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 40 });
    // An interrupted run ends PostgreSQL under the connections, and must still end the rest.
    pool.on('error', () => undefined);
    return {
      ...{ database, pool, baseUrl: api.baseUrl, config: { jwtSecret } },
      bareDatabaseUrl: await ensureDatabase(adminUrl, 'bare'),
      restartWorker: async (own: Readonly<Record<string, string>>) => {
        await worker.stop();
        worker = await makeService('worker', { environment: own });
        await worker.start();
      },
      stop: async (isKept: boolean) => {
        await Promise.allSettled([pool.end(), database.close()]);
        await deployment.stop(isKept);
      },
    };
  });
}
