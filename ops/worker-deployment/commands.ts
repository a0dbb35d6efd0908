import { UsageError } from '../organization/usage-error.ts';
import type { Deployment, DeploymentVersion } from './deployment.ts';
import {
  listVersions,
  setCurrentVersion,
  setRampingVersion,
  UNVERSIONED,
  waitUntilDrained,
} from './deployment.ts';

/** What the arguments ask for. */
export type DeploymentCommand =
  | { readonly kind: 'show' }
  | { readonly kind: 'set-current'; readonly buildId: string }
  | { readonly kind: 'ramp'; readonly buildId: string; readonly percentage: number }
  | { readonly kind: 'wait-drained'; readonly buildId: string };

/** How long a command waits at most: a new worker has to start, an old one to come to rest. */
export interface DeploymentWaits {
  readonly pollingMs: number;
  readonly drainedMs: number;
}

export const DEPLOYMENT_WAITS: DeploymentWaits = { pollingMs: 120_000, drainedMs: 900_000 };

const USAGE = `Usage: worker-deployment COMMAND

  show                     lists the builds of the worker and the share of workflow runs on each
  set-current [BUILD]      moves every workflow run to a build, forward or back; waits until its workers poll
  ramp BUILD PERCENT       moves a percentage of the workflow runs, 0 to 100, to a build that is not current
  wait-drained BUILD       waits until the workers of a former build can be stopped

  BUILD is a build id, or ${UNVERSIONED} for workers without one. Without it, set-current uses WORKER_BUILD_ID,
  which in the image is the build of the image.`;

/** Takes the arguments apart; `ownBuildId` is the build that set-current means by default. Throws a UsageError. */
export function readDeploymentCommand(argv: readonly string[], ownBuildId: string | null): DeploymentCommand {
  const [command, ...rest] = argv;
  const [buildId, percentText] = rest;
  const percentage = Number(percentText);
  if (command === 'show' && rest.length === 0) return { kind: 'show' };
  if (command === 'set-current' && rest.length <= 1) {
    const wanted = buildId ?? ownBuildId;
    if (wanted === null) throw new UsageError(`Name the build, or set WORKER_BUILD_ID.\n\n${USAGE}`);
    return { kind: 'set-current', buildId: wanted };
  }
  const isPercentage = percentText !== undefined && /^\d{1,3}$/.test(percentText) && percentage <= 100;
  if (command === 'ramp' && rest.length === 2 && buildId !== undefined && isPercentage) {
    return { kind: 'ramp', buildId, percentage };
  }
  if (command === 'wait-drained' && rest.length === 1 && buildId !== undefined) {
    return { kind: 'wait-drained', buildId };
  }
  throw new UsageError(USAGE);
}

/** Carries a command out; resolves to the lines to print. Throws WaitedTooLong when its time is over. */
export async function runDeploymentCommand(
  deployment: Deployment,
  command: DeploymentCommand,
  waits: DeploymentWaits = DEPLOYMENT_WAITS,
): Promise<readonly string[]> {
  switch (command.kind) {
    case 'show':
      break;
    case 'set-current':
      await setCurrentVersion(deployment, command.buildId, waits.pollingMs);
      break;
    case 'ramp':
      await setRampingVersion(deployment, command, waits.pollingMs);
      break;
    case 'wait-drained':
      await waitUntilDrained(deployment, command.buildId, waits.drainedMs);
      break;
  }
  return tableOf(deployment, await listVersions(deployment));
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
