import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import type { ActivityDependencies } from '../activities/index.ts';
import { webhookTaskQueue } from '../workflows/messages.ts';

const WORKFLOWS_PATH = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

/** Webhooks wait for receivers and cost nothing meanwhile: many at once. */
const CONCURRENT_WEBHOOKS = 200;

/** How much of each the shipments' worker takes on at once. */
export const SHIPMENT_WORKER_LIMITS = {
  maxConcurrentWorkflowTaskExecutions: 100,
  maxConcurrentActivityTaskExecutions: 100,
  maxCachedWorkflows: 1_000,
} as const;

/**
 * A run is first offered to the worker that holds it in memory. When that one has died its commands would wait ten
 * seconds (Temporal's default) before another worker replays the run and takes over.
 */
const TAKE_OVER_AFTER = '3s';

/** In-flight work gets this long at a shutdown; a webhook's ten seconds fit in. */
const SHUTDOWN = { shutdownGraceTime: '15s', shutdownForceTime: '25s' } as const;

/** Where the workers poll. */
export interface WorkerTarget {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue: string;
  /** A bundle made before (tests, production images); without it the workflows are bundled now. */
  readonly workflowBundle?: WorkerOptions['workflowBundle'];
}

/** Where the workflow code begins, for those who bundle it. */
export const workflowsPath = WORKFLOWS_PATH;

/**
 * The two workers of one process, with the options that production and tests share: workflows and database
 * activities on one queue, webhook activities on the other.
 */
export async function createWorkers(
  target: WorkerTarget,
  dependencies: ActivityDependencies,
): Promise<{ readonly shipments: Worker; readonly webhooks: Worker }> {
  const activities = createActivities(dependencies);
  const { connection, namespace, taskQueue, workflowBundle } = target;
  const shipments = await Worker.create({
    connection,
    namespace,
    taskQueue,
    activities: activities.shipments,
    ...(workflowBundle === undefined ? { workflowsPath: WORKFLOWS_PATH } : { workflowBundle }),
    ...SHIPMENT_WORKER_LIMITS,
    stickyQueueScheduleToStartTimeout: TAKE_OVER_AFTER,
    ...SHUTDOWN,
  });
  const webhooks = await Worker.create({
    connection,
    namespace,
    taskQueue: webhookTaskQueue(taskQueue),
    activities: activities.webhooks,
    maxConcurrentActivityTaskExecutions: CONCURRENT_WEBHOOKS,
    ...SHUTDOWN,
  });
  return { shipments, webhooks };
}
