import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { systemClock } from '../../../platform/clock.ts';
import { runDeploymentCommand } from '../../../ops/worker-deployment.ts';
import type { Deployment } from '../../../ops/worker-deployment.ts';
import { createWorkers, WORKFLOW_BUNDLE_OPTIONS } from '../../../worker/create-worker.ts';
import { workflowBundle } from '../../harness/workflow-bundle.ts';
import type { World } from '../world.ts';
import { previousBuild } from './previous-build.ts';

/** The builds that run side by side: the recorded one, today's code, and today's code with a newer patch marker. */
export type BuildName = 'previous' | 'today' | 'next';

/** Workers of several builds on one task queue, in a deployment of the test's own. */
export interface WorkerBuilds {
  /** Starts a build's workers; they get no task before the build is current. */
  readonly start: (build: BuildName) => Promise<void>;
  /** Ends a build's workers as SIGTERM does; resolves when what they had begun is done. */
  readonly stop: (build: BuildName) => Promise<void>;
  /** Runs the operator's command `worker-deployment set-current`. */
  readonly makeCurrent: (build: BuildName) => Promise<readonly string[]>;
  readonly stopAll: () => Promise<void>;
}

const POLLING_WAIT_MS = 60_000;

/** Prepares the builds for a world whose own workers are stopped. Activities are today's in each build. */
export function workerBuilds(world: World, connection: NativeConnection): WorkerBuilds {
  const deployment: Deployment = {
    connection: world.client.connection,
    namespace: 'default',
    deploymentName: `test-${randomUUID()}`,
  };
  const running = new Map<BuildName, () => Promise<void>>();
  const stop = async (build: BuildName): Promise<void> => {
    const stopping = running.get(build);
    running.delete(build);
    await stopping?.();
  };
  return {
    start: async (build) => {
      const workers = await createWorkers(
        {
          connection,
          namespace: deployment.namespace,
          taskQueue: world.taskQueue,
          workflowBundle: await bundleOf(build),
          version: { deploymentName: deployment.deploymentName, buildId: build },
        },
        {
          database: world.database,
          outbound: {
            post: () => Promise.resolve({ kind: 'answered', statusCode: 200 }),
            close: () => Promise.resolve(),
          },
          clock: systemClock,
          settings: { webhookMaxAttempts: 3, continueAsNewAfterEvents: 50_000 },
        },
      );
      const ended = Promise.all(workers.map((worker) => worker.run()));
      running.set(build, async () => {
        for (const worker of workers) worker.shutdown();
        await ended;
      });
    },
    stop,
    makeCurrent: (buildId) =>
      runDeploymentCommand(
        deployment,
        { kind: 'set-current', buildId },
        { pollingMs: POLLING_WAIT_MS, drainedMs: 0 },
      ),
    stopAll: async () => {
      for (const build of running.keys()) await stop(build);
    },
  };
}

async function bundleOf(build: BuildName): Promise<NonNullable<WorkerOptions['workflowBundle']>> {
  if (build === 'previous') return previousBuild();
  if (build === 'today') return workflowBundle();
  return bundleWorkflowCode({
    ...WORKFLOW_BUNDLE_OPTIONS,
    workflowsPath: fileURLToPath(new URL('next-build.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  });
}
