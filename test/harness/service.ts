import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Client } from '@temporalio/client';
import { createApp } from '../../api/app.ts';
import { createPasswords, hashingBounds } from '../../api/auth/passwords.ts';
import { createChangeFeed } from '../../api/changes/feed.ts';
import type { FeedLimits } from '../../api/changes/feed-limits.ts';
import { FEED_LIMITS } from '../../api/changes/feed-limits.ts';
import { listenForOutcomes } from '../../api/commands/outcomes.ts';
import { createRequestBudgets } from '../../api/http/request-budgets.ts';
import { createDocumentRenderer } from '../../documents/document-renderer.ts';
import { createWorkbookReader } from '../../api/shipments/import/workbook.ts';
import { createWorkflowStart } from '../../api/commands/workflow-start.ts';
import { createWorkflowStartQueue } from '../../api/commands/workflow-start-queue.ts';
import type { Dependencies } from '../../api/dependencies.ts';
import { builtConsoleFolder, readConsoleFiles } from '../../api/web/console-files.ts';
import { systemClock } from '../../platform/clock.ts';
import { loadApiConfig, loadWorkerConfig } from '../../platform/config.ts';
import { createDnsResolver } from '../../platform/dns-resolver.ts';
import type { ApiConfig, WorkerConfig } from '../../platform/config.ts';
import { createGeocoder } from '../../platform/geocoder.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { createLogger } from '../../platform/log.ts';
import { createSealing } from '../../platform/sealing.ts';
import { createTemporalClient } from '../../platform/temporal.ts';
import { commandActivity } from '../../store/commands/command-activity.ts';
import { connectDatabase } from '../../store/connection.ts';
import { listenForNotifications } from '../../store/notifications.ts';
import type { Database } from '../../store/connection.ts';
import { createShipmentWorkflowClient } from '../../workflows/client/shipment-workflow-client.ts';
import { makeTestDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';
import { testEngines } from './engines.ts';

/** The whole service in one process: real HTTP, real Postgres, real Temporal, on a task queue of its own. */
export interface TestService {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly config: ApiConfig & WorkerConfig;
  readonly client: Client;
  readonly dependencies: Dependencies;
  /** Starts the workers, where the service was started without; resolves when they poll. */
  readonly startWorkers: () => Promise<void>;
  readonly stopWorkers: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Settings by their environment names, next to those that the harness sets itself. */
export type TestSettings = Readonly<Record<string, string>>;

/** How a test's service differs from the usual one. */
export interface ServiceOptions {
  readonly settings?: TestSettings;
  readonly withWorkers?: boolean;
  readonly overrides?: Partial<
    Pick<Dependencies, 'clock' | 'passwords' | 'resolve' | 'workbooks' | 'consoleFiles'>
  >;
  /** Where its stream of changes has other times and numbers. */
  readonly feedLimits?: Partial<FeedLimits>;
  /** A second API process over another service's database; that service's `stop` removes it. */
  readonly besides?: Pick<TestService, 'databaseUrl' | 'config'>;
}

/**
 * Starts the service. Most test files do so by `useService` (use-service.ts): their tests share it and make organizations
 * of their own (make.ts).
 */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const testDatabase =
    options.besides === undefined ? await makeTestDatabase() : sharedDatabase(options.besides.databaseUrl);
  const server = createServer();
  // A busy machine pauses for longer than the five seconds after which Node closes an idle connection.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test server has no port');
  const baseUrl = `http://127.0.0.1:${address.port}`;
  const settings = settingsOf(options, testDatabase.url, baseUrl);
  const config = { ...loadWorkerConfig(settings), ...loadApiConfig(settings) };
  const log = createLogger('test', config.logLevel);
  const database = connectDatabase(config.databaseUrl, {
    poolSize: 10,
    applicationName: 'test',
    sealing: createSealing(config.encryptionKeys),
  });
  const client = createTemporalClient(config.temporal);
  const workflows = createShipmentWorkflowClient(client, config.taskQueue);
  const notifications = listenForNotifications(config.databaseUrl, log);
  const outcomes = listenForOutcomes(notifications, database);
  const changes = createChangeFeed(
    { database, notifications, log },
    { ...FEED_LIMITS, ...options.feedLimits },
  );
  const workbooks = createWorkbookReader();
  const documents = createDocumentRenderer();
  const geocoder = config.geocoderUrl === null ? null : createGeocoder(config.geocoderUrl);
  const clock = options.overrides?.clock ?? systemClock;
  const budgets = createRequestBudgets(database, clock, config.requestBudgetPercent);
  const dependencies: Dependencies = {
    workbooks,
    documents,
    consoleFiles: readConsoleFiles(builtConsoleFolder()),
    config,
    database,
    workflows,
    outcomes,
    changes,
    workflowStarts: createWorkflowStartQueue(
      createWorkflowStart(workflows, database),
      log,
      commandActivity(database),
    ),
    passwords: createPasswords(createFairQueue(hashingBounds(config.passwordHashesAtOnce)), systemClock),
    budgets,
    clock,
    log,
    resolve: createDnsResolver({ servers: config.webhookNameServers }),
    geocoder,
    ...options.overrides,
  };
  const app = createApp(dependencies);
  app.silent = true;
  const handle = app.callback();
  server.on('request', (request, response) => void handle(request, response));
  const workers = testWorkers(config, database);
  if (options.withWorkers !== false) await workers.start();
  return {
    baseUrl,
    databaseUrl: testDatabase.url,
    database,
    config,
    client,
    dependencies,
    startWorkers: workers.start,
    stopWorkers: workers.stop,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await workers.stop();
      await Promise.all([workbooks.close(), documents.close(), geocoder?.close()]);
      await budgets.close();
      changes.close();
      outcomes.close();
      await notifications.close();
      await client.connection.close();
      await database.close();
      await testDatabase.drop();
    },
  };
}

function settingsOf(
  { besides, settings }: ServiceOptions,
  databaseUrl: string,
  baseUrl: string,
): TestSettings {
  const engines = testEngines();
  return {
    SERVICE_MODE: 'laptop',
    PUBLIC_URL: baseUrl,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: engines.temporalAddress,
    TASK_QUEUE: besides?.config.taskQueue ?? `test-${randomUUID()}`,
    JWT_SECRET: besides?.config.jwtSecret ?? randomUUID() + randomUUID(),
    WEBHOOK_ALLOW_PRIVATE: '1',
    WEBHOOK_EXTRA_CA_FILE: engines.authorityCertificateFile,
    LOG_LEVEL: 'fatal',
    // A machine that runs many test files together is slow; a command's bound has tests of its own.
    COMMAND_WAIT_MS: '60000',
    LOGIN_ATTEMPTS_PER_MINUTE: '1000',
    LOGIN_FAILURES_PER_MINUTE: '10000',
    EXTERNAL_REQUESTS_PER_MINUTE: '10000',
    // A test's clients are faster than people; the budgets have tests of their own (test/api/http/request-budgets.test.ts).
    REQUEST_BUDGET_PERCENT: '100000',
    ...settings,
  };
}

function sharedDatabase(url: string): TestDatabase {
  return { url, drop: () => Promise.resolve() };
}

/** Loads Temporal's worker only for a test that needs one: it takes a second of a processor. */
function testWorkers(config: WorkerConfig, database: Database) {
  let stop: (() => Promise<void>) | undefined;
  return {
    start: async () => {
      const { startTestWorkers } = await import('./workers.ts');
      stop = await startTestWorkers(config, database);
    },
    stop: async () => {
      const stopping = stop;
      stop = undefined;
      await stopping?.();
    },
  };
}
