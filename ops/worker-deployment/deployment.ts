import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectionLike } from '@temporalio/client';
import { optionalTsToDate, tsToMs } from '@temporalio/common/lib/time.js';

/** Temporal's numbers of a version's states (`WorkerDeploymentVersionStatus` of its API). */
const STATES = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained', 'created'] as const;
export type VersionState = (typeof STATES)[number];

/** A build of the worker, as Temporal knows it. */
export interface DeploymentVersion {
  readonly buildId: string;
  readonly state: VersionState;
  /** The share of the runs that it serves, 0 to 100. */
  readonly percentage: number;
  /** When a share of the runs last came to it or left it; null: it never had one. */
  readonly changedAt: Date | null;
}

/** The word for workers without a build id, in place of a build's. */
export const UNVERSIONED = 'unversioned';

const IDENTITY = 'worker-deployment';
const CALL_TIMEOUT_MS = 30_000;
const INTERVAL_MS = 500;
const NOT_FOUND = 5;
/**
 * gRPC's codes after which a change is repeated; it may be made twice. NOT_FOUND and FAILED_PRECONDITION: the build's workers do
 * not poll, or not every queue, yet. DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE: Temporal is busy or restarts.
 */
const REPEATED: readonly unknown[] = [NOT_FOUND, 9, 4, 8, 14];

/** A worker deployment in a namespace. */
export interface Deployment {
  readonly connection: Pick<ConnectionLike, 'workflowService' | 'withDeadline'>;
  readonly namespace: string;
  readonly deploymentName: string;
}

/** Thrown when a build is not in the state that was waited for when the time is over. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

/** Lists the builds, the newest first; none for a deployment that has never had a worker. */
export async function listVersions(deployment: Deployment): Promise<readonly DeploymentVersion[]> {
  const { connection, ...named } = deployment;
  const answer = await call(deployment, () =>
    connection.workflowService.describeWorkerDeployment(named),
  ).catch((error: unknown) => {
    if (codeOf(error) === NOT_FOUND) return null;
    throw error;
  });
  const info = answer?.workerDeploymentInfo;
  const ramping = info?.routingConfig?.rampingVersionPercentage ?? 0;
  const newestFirst = [...(info?.versionSummaries ?? [])].sort(
    (one, other) => tsToMs(other.createTime) - tsToMs(one.createTime),
  );
  return newestFirst.map(({ deploymentVersion, status, routingUpdateTime }) => {
    const state = STATES[Number(status)] ?? 'unknown';
    return {
      buildId: deploymentVersion?.buildId ?? '',
      state,
      percentage: shareOf(state, ramping),
      changedAt: optionalTsToDate(routingUpdateTime) ?? null,
    };
  });
}

/**
 * Makes a build the current one: every run goes on with it from its next task. Waits up to `waitMs` for the build's
 * workers to poll. `unversioned` gives the runs back to workers without a build id. Throws WaitedTooLong.
 */
export async function setCurrentVersion(
  deployment: Deployment,
  buildId: string,
  waitMs: number,
): Promise<void> {
  await repeatedly(deployment, buildId, waitMs, ({ connection, ...named }) =>
    connection.workflowService.setWorkerDeploymentCurrentVersion({
      ...named,
      buildId: buildId === UNVERSIONED ? '' : buildId,
      identity: IDENTITY,
    }),
  );
}

/** Gives a build that is not current a share of the runs, 0 to 100 percent; otherwise like `setCurrentVersion`. */
export async function setRampingVersion(
  deployment: Deployment,
  { buildId, percentage }: { readonly buildId: string; readonly percentage: number },
  waitMs: number,
): Promise<void> {
  await repeatedly(deployment, buildId, waitMs, ({ connection, ...named }) =>
    connection.workflowService.setWorkerDeploymentRampingVersion({
      ...named,
      buildId: buildId === UNVERSIONED ? '' : buildId,
      percentage,
      identity: IDENTITY,
    }),
  );
}

/** Waits until no run needs the build's workers, so that they may be stopped. Throws WaitedTooLong. */
export async function waitUntilDrained(
  deployment: Deployment,
  buildId: string,
  waitMs: number,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const version = (await listVersions(deployment)).find((each) => each.buildId === buildId);
    if (version === undefined)
      throw new Error(`the deployment ${deployment.deploymentName} has no build ${buildId}`);
    if (version.state === 'drained' || version.state === 'inactive') return;
    if (performance.now() >= deadline) {
      throw new WaitedTooLong(`the build ${buildId} is ${version.state} after ${waitMs / 1_000} s`);
    }
    await delay(INTERVAL_MS);
  }
}

async function repeatedly(
  deployment: Deployment,
  buildId: string,
  waitMs: number,
  change: (deployment: Deployment) => Promise<unknown>,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      await call(deployment, () => change(deployment));
      return;
    } catch (error) {
      if (!REPEATED.includes(codeOf(error))) throw error;
      if (performance.now() >= deadline) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new WaitedTooLong(
          `the build ${buildId} accepted no workflow runs within ${waitMs / 1_000} s: ${reason}`,
        );
      }
    }
    await delay(INTERVAL_MS);
  }
}

function call<Result>({ connection }: Deployment, work: () => Promise<Result>): Promise<Result> {
  return connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, work);
}

function shareOf(state: VersionState, ramping: number): number {
  if (state === 'ramping') return ramping;
  return state === 'current' ? 100 - ramping : 0;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
