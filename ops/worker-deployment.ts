import type { ConnectionLike } from '@temporalio/client';
import { optionalTsToDate, tsToMs } from '@temporalio/common/lib/time.js';
import { loadWorkerDeploymentConfig } from '../platform/config.ts';
import type { Command } from './command-line.ts';
import { CommandError, untilClear, withTemporal } from './command-line.ts';

/** The word for workers without a build id, in place of a build's. */
export const UNVERSIONED = 'unversioned';

const USAGE = `Usage: worker-deployment COMMAND

  show                     lists the builds of the worker and the share of workflow runs on each
  set-current [BUILD]      moves every workflow run to a build, forward or back; waits until its workers poll
  ramp BUILD PERCENT       moves a percentage of the workflow runs, 0 to 100, to a build that is not current
  wait-drained BUILD       waits until the workers of a former build can be stopped

  BUILD is a build id, or ${UNVERSIONED} for workers without one. Without it, set-current uses WORKER_BUILD_ID,
  which in the image is the build of the image.`;

/** Shows the worker's builds, and moves the runs between them (docs/deployment.md «Upgrade»). */
export const command: Command = {
  failure: 'The command failed',
  run: (line) => {
    const { temporal, deploymentName, buildId } = loadWorkerDeploymentConfig(line.environment);
    const wanted = readDeploymentCommand(line.arguments, buildId);
    return withTemporal(temporal, async ({ connection }) => {
      const deployment = { connection, namespace: temporal.namespace, deploymentName };
      for (const text of await runDeploymentCommand(deployment, wanted)) line.print(text);
      return 0;
    });
  },
};

/** What the arguments ask for. */
export type DeploymentCommand =
  | { readonly kind: 'show' }
  | { readonly kind: 'set-current' | 'wait-drained'; readonly buildId: string }
  | { readonly kind: 'ramp'; readonly buildId: string; readonly percentage: number };

/** Takes the arguments apart; `ownBuildId` is the build that set-current means by default. Throws a CommandError. */
export function readDeploymentCommand(argv: readonly string[], ownBuildId: string | null): DeploymentCommand {
  const [kind, buildId = ownBuildId ?? undefined, percentText = ''] = argv;
  if (kind === 'show' && argv.length === 1) return { kind };
  if (kind === 'set-current' && argv.length <= 2) {
    if (buildId === undefined) throw new CommandError(`Name the build, or set WORKER_BUILD_ID.\n\n${USAGE}`);
    return { kind, buildId };
  }
  if (kind === 'wait-drained' && argv.length === 2 && buildId !== undefined) return { kind, buildId };
  const percentage = Number(percentText);
  const isPercentage = /^\d{1,3}$/.test(percentText) && percentage <= 100;
  if (kind === 'ramp' && argv.length === 3 && buildId !== undefined && isPercentage) {
    return { kind, buildId, percentage };
  }
  throw new CommandError(USAGE);
}

/** How long a command waits at most: a new worker has to start, an old one to come to rest. */
const DEPLOYMENT_WAITS = { pollingMs: 120_000, drainedMs: 900_000 } as const;

/** Carries a command out; resolves to the lines to print. Throws a CommandError when its time is over. */
export async function runDeploymentCommand(
  deployment: Deployment,
  wanted: DeploymentCommand,
  waits: { readonly pollingMs: number; readonly drainedMs: number } = DEPLOYMENT_WAITS,
): Promise<readonly string[]> {
  if (wanted.kind === 'wait-drained') await waitUntilDrained(deployment, wanted.buildId, waits.drainedMs);
  else if (wanted.kind !== 'show') await moveRuns(deployment, wanted, waits.pollingMs);
  return tableOf(deployment, await listVersions(deployment));
}

/** A worker deployment in a namespace. */
export interface Deployment {
  readonly connection: Pick<ConnectionLike, 'workflowService' | 'withDeadline'>;
  readonly namespace: string;
  readonly deploymentName: string;
}

/** Temporal's numbers of a version's states (`WorkerDeploymentVersionStatus` of its API). */
const STATES = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained', 'created'] as const;

/** A build of the worker, as Temporal knows it. */
interface DeploymentVersion {
  readonly buildId: string;
  readonly state: (typeof STATES)[number];
  /** The share of the runs that it serves, 0 to 100. */
  readonly percentage: number;
  /** When a share of the runs last came to it or left it; null: it never had one. */
  readonly changedAt: Date | null;
}

const CALL_TIMEOUT_MS = 30_000;
const NOT_FOUND = 5;
/**
 * gRPC's codes after which a change is repeated; it may be made twice. NOT_FOUND and FAILED_PRECONDITION: the build's workers do
 * not poll, or not every queue, yet. DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE: Temporal is busy or restarts.
 */
const REPEATED: readonly unknown[] = [NOT_FOUND, 9, 4, 8, 14];

/** The builds, the newest first; none for a deployment that has never had a worker. */
async function listVersions(deployment: Deployment): Promise<readonly DeploymentVersion[]> {
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
    const share = state === 'current' ? 100 - ramping : 0;
    return {
      buildId: deploymentVersion?.buildId ?? '',
      state,
      percentage: state === 'ramping' ? ramping : share,
      changedAt: optionalTsToDate(routingUpdateTime) ?? null,
    };
  });
}

/**
 * Makes a build the current one, so that every run goes on with it from its next task, or gives it a percentage of the runs.
 * Waits for the build's workers to poll. `unversioned` gives the runs back to workers without a build id.
 */
function moveRuns(
  deployment: Deployment,
  { buildId, percentage }: { readonly buildId: string; readonly percentage?: number },
  waitMs: number,
): Promise<void> {
  const { connection, ...named } = deployment;
  const build = { ...named, buildId: buildId === UNVERSIONED ? '' : buildId, identity: 'worker-deployment' };
  const { workflowService } = connection;
  return untilClear(waitMs, async () => {
    try {
      await call(deployment, async () =>
        percentage === undefined
          ? workflowService.setWorkerDeploymentCurrentVersion(build)
          : workflowService.setWorkerDeploymentRampingVersion({ ...build, percentage }),
      );
      return undefined;
    } catch (error) {
      if (!REPEATED.includes(codeOf(error))) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      return `the build ${buildId} accepted no workflow runs within ${waitMs / 1_000} s: ${reason}`;
    }
  });
}

/** Waits until no run needs the build's workers, so that they may be stopped. */
function waitUntilDrained(deployment: Deployment, buildId: string, waitMs: number): Promise<void> {
  return untilClear(waitMs, async () => {
    const version = (await listVersions(deployment)).find((each) => each.buildId === buildId);
    if (version === undefined)
      throw new CommandError(`the deployment ${deployment.deploymentName} has no build ${buildId}`);
    if (version.state === 'drained' || version.state === 'inactive') return undefined;
    return `the build ${buildId} is ${version.state} after ${waitMs / 1_000} s`;
  });
}

function tableOf({ deploymentName }: Deployment, versions: readonly DeploymentVersion[]): readonly string[] {
  if (versions.length === 0) return [`The deployment ${deploymentName} has no build yet.`];
  const width = Math.max(...versions.map(({ buildId }) => buildId.length));
  const lines = versions.map(({ buildId, state, percentage, changedAt }) => {
    const since = changedAt === null ? '' : ` since ${changedAt.toISOString()}`;
    const share = percentage === 0 ? '' : `, ${percentage} % of the runs`;
    return `  ${buildId.padEnd(width)}  ${state}${since}${share}`;
  });
  return [`Builds of the deployment ${deploymentName}:`, ...lines];
}

function call<Result>({ connection }: Deployment, work: () => Promise<Result>): Promise<Result> {
  return connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, work);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
