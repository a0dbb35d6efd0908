import test from 'ava';
import type { ServiceOptions, TestService } from './service.ts';
import { startService } from './service.ts';

const running: TestService[] = [];

/** The last started first: another service may use its database. */
async function stopAll(): Promise<void> {
  for (let service = running.pop(); service !== undefined; service = running.pop()) await service.stop();
}

/**
 * Starts the service before the tests of a file, also before its own `test.before`, and stops it after them. What it
 * returns can be read in hooks and tests alone: it throws while the file is loaded.
 */
export function useService(options: ServiceOptions = {}): TestService {
  let started: TestService | undefined;
  test.serial.before(async () => {
    started = await startService(options);
    running.push(started);
  });
  test.serial.after.always(stopAll);
  const service = (): TestService => {
    if (started === undefined)
      throw new Error('The service is not started yet: read it in a hook or a test.');
    return started;
  };
  return {
    get baseUrl() {
      return service().baseUrl;
    },
    get databaseUrl() {
      return service().databaseUrl;
    },
    get database() {
      return service().database;
    },
    get config() {
      return service().config;
    },
    get client() {
      return service().client;
    },
    get dependencies() {
      return service().dependencies;
    },
    startWorkers: () => service().startWorkers(),
    stopWorkers: () => service().stopWorkers(),
    stop: () => service().stop(),
  };
}
