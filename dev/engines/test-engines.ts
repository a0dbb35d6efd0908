import { join } from 'node:path';
import { loadOrCreateAuthority } from './certificate-authority.ts';
import { openRun, type Keeper, type RunningProcess } from './keeper.ts';
import { anyFreePort } from './ports.ts';
import { startPostgres } from './postgres.ts';
import { findTemporalExecutable, findTimeSkippingServer } from './programs.ts';
import { withProgress } from './progress.mjs';
import { startTemporal } from './temporal-server.ts';

/** What tests need to find the engines; test/harness/engines.ts reads it again. */
export type TestEnvironment = Readonly<
  Record<
    | 'TEST_POSTGRES_URL'
    | 'TEST_TEMPORAL_ADDRESS'
    | 'TEST_TIME_SKIPPING_SERVER'
    | 'TEST_CA_FILE'
    | 'TEST_CA_KEY_FILE',
    string
  >
>;

/** Running engines for tests. Closing the keeper ends them, in order, and removes every file they made. */
export interface TestEngines {
  readonly environment: TestEnvironment;
  readonly processes: readonly RunningProcess[];
  readonly keeper: Keeper;
}

/**
 * Starts one PostgreSQL and one Temporal server for tests, both disposable, on free ports, in a new temporary
 * folder, and makes sure that the time-skipping server is there. Throws, with nothing left running, when one of them is
 * not available.
 */
export async function startTestEngines(): Promise<TestEngines> {
  const executable = await findTemporalExecutable();
  const timeSkippingServer = await findTimeSkippingServer();
  const { folder, keeper } = await openRun('tests');
  const [postgresPort, port] = [await anyFreePort(), await anyFreePort()];
  const starting = Promise.all([
    startPostgres({ folder, port: postgresPort, isDisposable: true }, keeper),
    startTemporal({ executable, folder, port, isDisposable: true }, keeper),
    loadOrCreateAuthority(join(folder, 'authority'), new Date()),
  ]);
  try {
    const [postgres, temporal, authority] = await withProgress(
      'starting PostgreSQL and Temporal',
      () => starting,
    );
    const environment: TestEnvironment = {
      TEST_POSTGRES_URL: postgres.url,
      TEST_TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      TEST_TIME_SKIPPING_SERVER: timeSkippingServer,
      TEST_CA_FILE: authority.certificateFile,
      TEST_CA_KEY_FILE: authority.keyFile,
    };
    return { environment, processes: [postgres.process, temporal], keeper };
  } catch (error) {
    await keeper.close();
    throw error;
  }
}
