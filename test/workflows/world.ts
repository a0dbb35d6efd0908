import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { DriverId, OrganizationId, PickupPointId } from '../../domain/ids.ts';
import { systemClock } from '../../platform/clock.ts';
import type { OutboundAnswer, OutboundClient } from '../../platform/outbound-client.ts';
import { createTemporalClient } from '../../platform/temporal.ts';
import { connectDatabase } from '../../store/connection.ts';
import type { Database } from '../../store/connection.ts';
import { createWorkers } from '../../worker/create-worker.ts';
import type { ShipmentRuns } from '../../workflows/client/shipment-runs.ts';
import { createShipmentRuns } from '../../workflows/client/shipment-runs.ts';
import { makeTestDatabase } from '../harness/database.ts';
import { testEngines } from '../harness/engines.ts';
import { makeDriver, makeOrganization, makePickupPoint } from '../harness/make.ts';
import { quietRuntime } from '../harness/quiet-runtime.ts';
import { workflowBundle } from '../harness/workflow-bundle.ts';

/** A POST that left the process: the network beyond it is the only thing that these tests put in place of the real one. */
export interface Post {
  readonly eventId: string;
  readonly attempt: string;
  readonly atMs: number;
  readonly body: string;
}

/** Decides how the receiver answers a post; `index` counts the posts of that organization's URL from 0. */
export type Answering = (post: Post, index: number) => OutboundAnswer | Promise<OutboundAnswer>;

/** Where the workflows run. */
export interface Ground {
  readonly client: Client;
  readonly connection: NativeConnection;
  /** The server's own time, which runs ahead on a time-skipping one. */
  readonly nowMs: () => Promise<number>;
}

/** A database, workers on a task queue of their own, and receivers that answer as each test says. */
export interface World {
  readonly database: Database;
  readonly client: Client;
  readonly runs: ShipmentRuns;
  readonly taskQueue: string;
  readonly startWorkers: () => Promise<void>;
  readonly stopWorkers: () => Promise<void>;
  /** Makes an organization with webhooks, drivers and a pickup point; `answering` stands for its receiver. */
  readonly makeTenant: (answering?: Answering) => Promise<Tenancy>;
  readonly close: () => Promise<void>;
}

/** One organization of a test's own. */
export interface Tenancy {
  readonly organizationId: OrganizationId;
  readonly drivers: readonly [DriverId, DriverId];
  readonly pickupPointId: PickupPointId;
  readonly posts: readonly Post[];
}

/** The real server that the test runner started. */
export async function realGround(): Promise<Ground & { readonly close: () => Promise<void> }> {
  quietRuntime();
  const address = testEngines().temporalAddress;
  const client = createTemporalClient({ address, namespace: 'default', apiKey: null, tls: false });
  const connection = await NativeConnection.connect({ address });
  return {
    client,
    connection,
    nowMs: () => Promise.resolve(Date.now()),
    close: async () => {
      await connection.close();
      await client.connection.close();
    },
  };
}

const OK: Answering = () => ({ kind: 'answered', statusCode: 200 });

/** Makes a world on some ground. `settings` are those that workflow code may depend on. */
export async function makeWorld(
  ground: Ground,
  settings: { readonly continueAsNewAfterEvents?: number } = {},
): Promise<World> {
  const testDatabase = await makeTestDatabase();
  const database = connectDatabase(testDatabase.url, { poolSize: 8, applicationName: 'test' });
  const taskQueue = `test-${randomUUID()}`;
  const receivers = new Map<string, { readonly answering: Answering; readonly posts: Post[] }>();
  const outbound = recordingOutbound(receivers, ground.nowMs);
  const workers = workerSwitch(ground, taskQueue, {
    database,
    outbound,
    clock: systemClock,
    settings: {
      webhookMaxAttempts: 3,
      continueAsNewAfterEvents: settings.continueAsNewAfterEvents ?? 50_000,
    },
  });
  await workers.start();
  return {
    database,
    client: ground.client,
    runs: patient(createShipmentRuns(ground.client, taskQueue)),
    taskQueue,
    startWorkers: workers.start,
    stopWorkers: workers.stop,
    makeTenant: async (answering = OK) => {
      const webhookUrl = `https://${randomUUID()}.example/hook`;
      const posts: Post[] = [];
      receivers.set(webhookUrl, { answering, posts });
      const organization = await makeOrganization({ database }, { webhookUrl });
      return {
        organizationId: organization.id,
        drivers: [await makeDriver({ database }, organization), await makeDriver({ database }, organization)],
        pickupPointId: await makePickupPoint({ database }, organization),
        posts,
      };
    },
    close: async () => {
      await workers.stop();
      await database.close();
      await testDatabase.drop();
    },
  };
}

/** Calls are repeated where the server turns one down, as the relay does in production: each may be repeated. */
function patient(runs: ShipmentRuns): ShipmentRuns {
  const again = async <Result>(call: () => Promise<Result>, tries = 5): Promise<Result> => {
    try {
      return await call();
    } catch (error) {
      if (tries === 1) throw error;
      return again(call, tries - 1);
    }
  };
  return {
    start: (subject) => again(() => runs.start(subject)),
    signal: (subject, signal) => again(() => runs.signal(subject, signal)),
    wake: (subject) => again(() => runs.wake(subject)),
    startDelivery: (input, round) => again(() => runs.startDelivery(input, round)),
    resumeSending: (subject) => again(() => runs.resumeSending(subject)),
    resumeDelivery: (input, round) => again(() => runs.resumeDelivery(input, round)),
    checkConnection: () => again(() => runs.checkConnection()),
  };
}

function recordingOutbound(
  receivers: ReadonlyMap<string, { readonly answering: Answering; readonly posts: Post[] }>,
  nowMs: () => Promise<number>,
): OutboundClient {
  return {
    async post(url, { body, headers }) {
      const receiver = receivers.get(url);
      if (receiver === undefined) throw new Error(`nobody listens at ${url}`);
      const post: Post = {
        eventId: headers['x-service-event-id'] ?? '',
        attempt: headers['x-service-attempt'] ?? '',
        atMs: await nowMs(),
        body: Buffer.from(body).toString('utf8'),
      };
      receiver.posts.push(post);
      return receiver.answering(post, receiver.posts.length - 1);
    },
    close: () => Promise.resolve(),
  };
}

function workerSwitch(ground: Ground, taskQueue: string, dependencies: Parameters<typeof createWorkers>[1]) {
  let stop: (() => Promise<void>) | undefined;
  return {
    start: async () => {
      const workers = await createWorkers(
        {
          connection: ground.connection,
          namespace: 'default',
          taskQueue,
          workflowBundle: await workflowBundle(),
        },
        dependencies,
      );
      const running = Promise.all(workers.map((worker) => worker.run()));
      stop = async () => {
        for (const worker of workers) worker.shutdown();
        await running;
      };
    },
    stop: async () => {
      const stopping = stop;
      stop = undefined;
      await stopping?.();
    },
  };
}
