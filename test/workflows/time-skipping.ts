import { TestWorkflowEnvironment } from '@temporalio/testing';
import pg from 'pg';
import { SEARCH_ATTRIBUTES } from '../../workflows/messages.ts';
import { testEngines } from '../harness/engines.ts';
import { quietRuntime } from '../harness/quiet-runtime.ts';
import type { Ground } from './world.ts';

/** Any constant will do, as long as every test file takes the same. */
const STARTING_LOCK = 551_730_214;

/** The protocol's numbers (temporal.api.enums.v1.IndexedValueType). */
const INDEXED_VALUE_TYPES = { KEYWORD: 2, BOOL: 5 } as const;

/** A server whose time jumps over waits. */
export interface SkippingGround extends Ground {
  /** Lets the server's time pass. */
  readonly pass: (durationMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts a time-skipping server: one at a time, since each is a JVM, and once more where a cold one was too slow. */
export async function skippingGround(): Promise<SkippingGround> {
  quietRuntime();
  const lock = new pg.Client({ connectionString: testEngines().postgresAdminUrl });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [STARTING_LOCK]);
    const environment = await start().catch(start);
    await registerSearchAttributes(environment);
    return {
      client: environment.client,
      connection: environment.nativeConnection,
      nowMs: () => environment.currentTimeMs(),
      pass: (durationMs) => environment.sleep(durationMs),
      close: () => environment.teardown(),
    };
  } finally {
    await lock.end();
  }
}

function start(): Promise<TestWorkflowEnvironment> {
  const path = testEngines().timeSkippingServerPath;
  return TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
}

async function registerSearchAttributes({ connection }: TestWorkflowEnvironment): Promise<void> {
  const searchAttributes = Object.fromEntries(
    Object.values(SEARCH_ATTRIBUTES).map(({ name, type }) => [name, INDEXED_VALUE_TYPES[type]]),
  );
  await connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
}
