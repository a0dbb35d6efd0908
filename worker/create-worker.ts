import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import type { BundleOptions, NativeConnection, WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import type { ActivityDependencies } from '../activities/index.ts';
import type { WorkerVersion } from '../platform/config.ts';
import { laneRate, laneSlots, WEBHOOK_LANE_NAMES, WEBHOOK_LANES } from '../domain/webhook-lanes.ts';
import type { WebhookLane } from '../domain/webhook-lanes.ts';
import { webhookTaskQueue } from '../workflows/messages.ts';

const WORKFLOWS_PATH = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
const PAYLOAD_CONVERTER_PATH = fileURLToPath(new URL('../workflows/payload-converter.ts', import.meta.url));

/**
 * What a bundle of the workflow code is made of. Its source map gives stack traces their lines; the sources themselves, which
 * no one reads there, would take 15 MB of a worker's memory.
 */
export const WORKFLOW_BUNDLE_OPTIONS = {
  workflowsPath: WORKFLOWS_PATH,
  payloadConverterPath: PAYLOAD_CONVERTER_PATH,
  webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
} as const satisfies BundleOptions;

/** Runs that are kept in memory, so that their next task needs no replay. */
const CACHED_WORKFLOWS = 1_000;

/** How many tasks of each kind the workers of one process carry out at the same time. */
export interface WorkerSlots {
  readonly workflowTasks: number;
  readonly localActivities: number;
  readonly activities: number;
}

/**
 * Slots from the number of database connections, the one setting of both. A task that waits for a connection inside this
 * process loses the time that it has (two seconds for a local activity) and is tried again, which makes the queue for
 * connections longer; a task that waits in Temporal costs nothing, and another worker may take it.
 *
 * - Each local activity and each activity holds one connection while it runs. Together they get three quarters, so
 *   that none of them ever waits for one. The rest is for the statements of webhooks and of the reconciler.
 * - A workflow task holds no connection: most of its time it waits for its local activity. Four for each of those.
 * - A webhook attempt takes four short statements in up to ten seconds: some ten for each connection (domain/webhook-lanes.ts).
 */
export function workerSlots(databasePoolSize: number): WorkerSlots {
  const localActivities = Math.max(1, Math.floor(databasePoolSize / 2));
  return {
    workflowTasks: 4 * localActivities,
    localActivities,
    activities: Math.max(1, Math.floor(databasePoolSize / 4)),
  };
}

/** The options of the shipments' worker that follow from its slots. */
export function shipmentWorkerLimits(slots: WorkerSlots) {
  return {
    maxConcurrentWorkflowTaskExecutions: slots.workflowTasks,
    maxConcurrentLocalActivityExecutions: slots.localActivities,
    maxConcurrentActivityTaskExecutions: slots.activities,
    maxCachedWorkflows: CACHED_WORKFLOWS,
  } as const;
}

/**
 * A run is first offered to the worker that holds it in memory. When that one has died its commands would wait ten
 * seconds (Temporal's default) before another worker replays the run and takes over.
 */
const TAKE_OVER_AFTER = '3s';

/**
 * All signals that wait for a run come in one task, at some 0.3 ms each: 10,000 of them take longer than the SDK's default
 * of 5 s, and a task that is cut off then can end the whole process.
 */
const ISOLATE_TIMEOUT = '60s';

/** In-flight work gets this long at a shutdown; a webhook's ten seconds fit in. */
const SHUTDOWN = { shutdownGraceTime: '15s', shutdownForceTime: '25s' } as const;

/** Where the workers poll. */
export interface WorkerTarget {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue: string;
  /** A bundle made before (tests, production images); without it the workflows are bundled now. */
  readonly workflowBundle?: WorkerOptions['workflowBundle'];
  /** Which build this is; without it worker versioning is off. */
  readonly version?: WorkerVersion | null;
}

/**
 * The workers of one process, with the options that production and tests share: one for workflows and database
 * activities, and one for each lane of webhooks. All run and stop together.
 */
export async function createWorkers(
  target: WorkerTarget,
  dependencies: ActivityDependencies,
): Promise<readonly Worker[]> {
  const activities = createActivities(dependencies);
  const slots = workerSlots(dependencies.database.poolSize);
  const { connection, namespace, taskQueue, workflowBundle } = target;
  const versioning = versioningOf(target.version ?? null);
  // The SDK reads `isolateExecutionTimeout` and leaves it out of its declared options.
  const shipmentOptions: WorkerOptions & { readonly isolateExecutionTimeout: string } = {
    connection,
    namespace,
    taskQueue,
    activities: activities.shipments,
    ...(workflowBundle === undefined
      ? { workflowsPath: WORKFLOWS_PATH, dataConverter: { payloadConverterPath: PAYLOAD_CONVERTER_PATH } }
      : { workflowBundle }),
    isolateExecutionTimeout: ISOLATE_TIMEOUT,
    ...shipmentWorkerLimits(slots),
    stickyQueueScheduleToStartTimeout: TAKE_OVER_AFTER,
    ...versioning,
    ...SHUTDOWN,
  };
  const { poolSize } = dependencies.database;
  const webhookOptions = (lane: WebhookLane): WorkerOptions => ({
    connection,
    namespace,
    taskQueue: webhookTaskQueue(taskQueue, lane),
    activities: activities.webhooks,
    maxConcurrentActivityTaskExecutions: laneSlots(lane, poolSize),
    maxConcurrentActivityTaskPolls: WEBHOOK_LANES[lane].polls,
    ...laneRate(lane, poolSize),
    ...versioning,
    ...SHUTDOWN,
  });
  const workers = [await Worker.create(shipmentOptions)];
  for (const lane of WEBHOOK_LANE_NAMES) workers.push(await Worker.create(webhookOptions(lane)));
  return workers;
}

/** Every run moves to the build that is current with its next task, forward and back (decision 0014). */
function versioningOf(version: WorkerVersion | null): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (version === null) return {};
  return {
    workerDeploymentOptions: {
      version,
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}
