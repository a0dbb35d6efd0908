import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Client } from '@temporalio/client';
import { runDeploymentCommand, UNVERSIONED } from '../../ops/worker-deployment.ts';
import type { Deployment } from './deployment.ts';
import { WORKER_VERSION } from './deployment.ts';
import type { Part } from '../harness/part.ts';
import type { Random } from './random.ts';
import type { FaultyReceiver } from './receiver.ts';

/** How long things stay broken. */
export interface Durations {
  /** Temporal frozen, PostgreSQL stopped. */
  readonly outageMs: number;
  /** Read-only, out of connections, a receiver that fails. */
  readonly disturbanceMs: number;
}

/** What a fault has to work with. */
export interface FaultContext {
  readonly deployment: Deployment;
  readonly temporal: Client;
  readonly receiver: FaultyReceiver;
  readonly random: Random;
  readonly durations: Durations;
  /** The shipments that are being driven at this moment. */
  readonly shipmentIds: () => readonly string[];
}

/** Something that breaks and is repaired. */
export interface Fault {
  readonly name: string;
  /** Breaks it, waits, and resolves when it is repaired: from then on the service has to recover. */
  readonly run: (context: FaultContext) => Promise<void>;
  /** Runs may be lost until the next command: only `check:consistency --repair` starts those of quiet shipments. */
  readonly losesRuns?: boolean;
}

const kill = (name: string, partOf: (deployment: Deployment) => Part): Fault => ({
  name,
  run: async ({ deployment, random }) => {
    const part = partOf(deployment);
    await part.kill();
    await delay(random.integer(0, 1_500));
    await part.start();
  },
});

/** The faults of processes and servers. */
export const SERVER_FAULTS = {
  apiKilled: kill('API killed', ({ api }) => api),
  workerKilled: kill('worker killed', ({ workers }) => workers[0]),
  temporalKilled: kill('Temporal killed', ({ temporal }) => temporal),
  postgresKilled: kill('PostgreSQL killed', ({ postgres }) => postgres),
  temporalFrozen: {
    name: 'Temporal frozen',
    run: async ({ deployment: { temporal }, durations }) => {
      temporal.freeze();
      await delay(durations.outageMs);
      temporal.thaw();
    },
  },
  postgresStopped: {
    name: 'PostgreSQL stopped',
    run: async ({ deployment: { postgres }, durations }) => {
      await postgres.stop();
      await delay((durations.outageMs * 2) / 3);
      await postgres.start();
    },
  },
  postgresReadOnly: {
    name: 'PostgreSQL read-only',
    run: ({ deployment, durations }) =>
      asAdmin(deployment, async (admin) => {
        await admin.query('alter system set default_transaction_read_only = on');
        await admin.query('select pg_reload_conf()');
        await delay(durations.disturbanceMs);
        await admin.query('alter system reset default_transaction_read_only');
        await admin.query('select pg_reload_conf()');
      }),
  },
  outOfConnections: {
    name: 'PostgreSQL out of connections',
    run: async ({ deployment, durations }) => {
      const held = await exhaustConnections(deployment);
      await delay(durations.disturbanceMs);
      await Promise.all(held.map((client) => client.end().catch(() => undefined)));
    },
  },
  backendsKilled: {
    name: 'backends killed',
    run: ({ deployment, random }) =>
      asAdmin(deployment, async (admin) => {
        for (let times = random.integer(3, 6); times > 0; times -= 1) {
          await endBackends(admin);
          await delay(random.integer(200, 1_500));
        }
      }),
  },
  receiverFails: {
    name: 'receiver fails half of its requests',
    run: async ({ receiver, durations }) => {
      receiver.failHalf(true);
      await delay(durations.disturbanceMs);
      receiver.failHalf(false);
    },
  },
  twoWorkers: {
    name: 'two workers, each killed once',
    run: async ({ deployment: { workers }, random }) => {
      const [first, second] = workers;
      await second.start();
      await delay(random.integer(500, 2_000));
      await first.kill();
      await delay(random.integer(500, 2_000));
      await first.start();
      await second.kill();
    },
  },
  twoBuilds: {
    name: 'rolled back to an earlier build and forward again',
    run: async ({ deployment: { previousBuild }, temporal, random }) => {
      await previousBuild.start();
      await makeCurrent(temporal, WORKER_VERSION.buildId);
      await delay(random.integer(2_000, 5_000));
      await makeCurrent(temporal, UNVERSIONED);
      await delay(random.integer(500, 2_000));
      await previousBuild.kill();
    },
  },
} as const satisfies Readonly<Record<string, Fault>>;

/** Moves every run to a build, as the operator's command does. */
async function makeCurrent({ connection, options: { namespace } }: Client, buildId: string): Promise<void> {
  const { deploymentName } = WORKER_VERSION;
  await runDeploymentCommand({ connection, namespace, deploymentName }, { kind: 'set-current', buildId });
}

/** Breaks two things at the same time. */
export function together(one: Fault, other: Fault): Fault {
  return {
    name: `${one.name} + ${other.name}`,
    run: async (context) => {
      await Promise.all([one.run(context), other.run(context)]);
    },
  };
}

/** Opens connections until PostgreSQL has none left, and ends those of the service, which can then open none. */
async function exhaustConnections(deployment: Deployment): Promise<readonly pg.Client[]> {
  const held: pg.Client[] = [];
  const fill = async (): Promise<void> => {
    for (;;) {
      const client = connectionTo(deployment.adminUrl);
      try {
        await client.connect();
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.code === '53300') return;
        throw error;
      }
      held.push(client);
    }
  };
  await fill();
  const [admin] = held;
  // What it gives up is taken immediately, before the service opens a connection again.
  for (let rounds = 0; admin !== undefined && rounds < 3; rounds += 1) {
    await endBackends(admin);
    await fill();
  }
  return held;
}

/** Ends the service's connections, as an operator or a failover does. */
async function endBackends(admin: pg.Client): Promise<void> {
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'shipments' and application_name like 'shipment-%'`,
  );
}

async function asAdmin(deployment: Deployment, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = connectionTo(deployment.adminUrl);
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function connectionTo(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, application_name: 'faults-admin' });
  client.on('error', () => undefined);
  return client;
}
