import type { Client } from '@temporalio/client';
import pg from 'pg';
import { createTemporalClient } from '../../platform/temporal.ts';
import { connectDatabase } from '../../store/connection.ts';
import type { Say } from '../../dev/engines/progress.mjs';
import type { ReceiverAnswer } from '../harness/receiver.ts';
import type { Deployment } from './deployment.ts';
import { startDeployment } from './deployment.ts';
import type { Send } from './http.ts';
import { openRecordedHttp } from './http.ts';
import { randomOf } from './random.ts';
import type { FaultyReceiver } from './receiver.ts';
import { startFaultyReceiver } from './receiver.ts';
import type { Tenant } from './tenant.ts';
import { makeTenant } from './tenant.ts';

/** Everything that the rounds of a run share. */
export interface TestBed {
  readonly deployment: Deployment;
  readonly receiver: FaultyReceiver;
  readonly tenant: Tenant;
  readonly send: Send;
  /** Reads the database as an observer, with connections of its own. */
  readonly pool: pg.Pool;
  readonly temporal: Client;
  /** False once the run is over: clients that still repeat then give up. */
  readonly isOpen: () => boolean;
  readonly close: (isKept: boolean) => Promise<void>;
}

const CONNECTIONS = 64;

/** Brings up the service, a receiver, and an organization with its clients. Leaves nothing behind when it rejects. */
export async function openTestBed(
  environment: NodeJS.ProcessEnv,
  options: {
    readonly seed: number;
    readonly receiverFailures: readonly ReceiverAnswer[];
  },
  say: Say,
): Promise<TestBed> {
  const deployment = await startDeployment(environment, say);
  const closers: (() => Promise<unknown>)[] = [];
  let isOpen = true;
  const close = async (isKept: boolean): Promise<void> => {
    isOpen = false;
    for (const act of [...closers].reverse()) await act();
    await deployment.stop(isKept);
  };
  try {
    const random = randomOf(options.seed, 'receiver');
    const receiver = await startFaultyReceiver(deployment.authority, random, options.receiverFailures);
    closers.push(receiver.close);
    const { send, close: closeHttp } = openRecordedHttp(deployment.api.baseUrl, CONNECTIONS);
    closers.push(closeHttp);
    const pool = new pg.Pool({
      connectionString: deployment.databaseUrl,
      max: 2,
      application_name: 'faults-observer',
    });
    // A connection that a fault breaks is replaced by the next query.
    pool.on('error', () => undefined);
    closers.push(() => pool.end());
    const temporal = createTemporalClient({
      ...{ address: deployment.temporalAddress, namespace: 'default', apiKey: null, tls: false },
    });
    closers.push(() => temporal.connection.close());
    const tenant = await openTenant(deployment, receiver);
    return { deployment, receiver, tenant, send, pool, temporal, isOpen: () => isOpen, close };
  } catch (error) {
    await close(false);
    throw error;
  }
}

async function openTenant(deployment: Deployment, receiver: FaultyReceiver): Promise<Tenant> {
  const database = connectDatabase(deployment.databaseUrl, {
    poolSize: 2,
    applicationName: 'faults-observer',
  });
  try {
    const tenant = await makeTenant(database, deployment.jwtSecret, receiver.url);
    receiver.useSecret(tenant.webhookSecret);
    return tenant;
  } finally {
    await database.close();
  }
}
