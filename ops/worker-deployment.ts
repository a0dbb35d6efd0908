// `npm run worker-deployment`: shows the builds of the worker on the Temporal cluster of TEMPORAL_ADDRESS, and moves the
// runs between them (docs/deployment.md «Upgrade»). Without arguments it prints its usage.
import { loadWorkerDeploymentConfig } from '../platform/config.ts';
import { createTemporalClient } from '../platform/temporal.ts';
import { readDeploymentCommand, runDeploymentCommand } from './worker-deployment/commands.ts';

try {
  const { temporal, deploymentName, buildId } = loadWorkerDeploymentConfig(process.env);
  const command = readDeploymentCommand(process.argv.slice(2), buildId);
  const { connection } = createTemporalClient(temporal);
  try {
    const deployment = { connection, namespace: temporal.namespace, deploymentName };
    for (const line of await runDeploymentCommand(deployment, command)) console.log(line);
  } finally {
    await connection.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
