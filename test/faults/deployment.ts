import type { Say } from '../../dev/engines/progress.mjs';
import type { Deployment as Ground, ServicePart } from '../harness/deployment.ts';
import { startDeployment as startGround } from '../harness/deployment.ts';
import type { Part } from '../harness/part.ts';

/** The worker deployment version of the earlier build. Today's workers have none, as on a laptop. */
export const WORKER_VERSION = { deploymentName: 'shipments', buildId: 'previous' } as const;

/** The whole service with engines of its own, each part a process that can be broken. */
export interface Deployment extends Ground {
  readonly api: ServicePart;
  /** The second worker does not run until it is started. */
  readonly workers: readonly [Part, Part];
  /** A worker with the workflow code of an earlier release; it does not run until it is started. */
  readonly previousBuild: Part;
}

/** Starts the engines, the API and one worker. Rejects, with nothing left running, when one of them can't be started. */
export function startDeployment(environment: NodeJS.ProcessEnv, say: Say): Promise<Deployment> {
  // The clients are faster than people, and a 429 would only make a round longer.
  const settings = { REQUEST_BUDGET_PERCENT: '1000000' };
  return startGround({ purpose: 'faults', environment, say, settings }, async ({ makeService }) => {
    const api = await makeService('api');
    const workers = [await makeService('worker'), await makeService('worker', { name: 'worker-2' })] as const;
    const previousBuild = await makeService('worker', {
      name: 'worker-previous',
      script: 'test/faults/previous-build-worker.ts',
      environment: {
        WORKER_DEPLOYMENT_NAME: WORKER_VERSION.deploymentName,
        WORKER_BUILD_ID: WORKER_VERSION.buildId,
      },
    });
    await Promise.all([api.start(), workers[0].start()]);
    return { api, workers, previousBuild };
  });
}
