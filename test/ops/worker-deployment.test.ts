import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createTemporalClient } from '../../platform/temporal.ts';
import { readDeploymentCommand, runDeploymentCommand } from '../../ops/worker-deployment.ts';
import type { DeploymentCommand } from '../../ops/worker-deployment.ts';
import { testEngines } from '../harness/engines.ts';
import { quietRuntime } from '../harness/quiet-runtime.ts';

const NO_WAIT = { pollingMs: 0, drainedMs: 0 };
const WAIT = { pollingMs: 60_000, drainedMs: 0 };

/** A deployment of the test's own, with a worker for each build; each works until the test ends. */
async function makeDeployment(t: ExecutionContext, builds: readonly string[]) {
  quietRuntime();
  const address = testEngines().temporalAddress;
  const deploymentName = `test-${randomUUID()}`;
  const connection = await NativeConnection.connect({ address });
  const client = createTemporalClient({ address, namespace: 'default', apiKey: null, tls: false });
  const workers = await Promise.all(
    builds.map((buildId) =>
      Worker.create({
        connection,
        taskQueue: deploymentName,
        activities: { nothing: () => Promise.resolve() },
        workerDeploymentOptions: {
          version: { deploymentName, buildId },
          useWorkerVersioning: true,
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
      }),
    ),
  );
  const running = Promise.all(workers.map((worker) => worker.run()));
  t.teardown(async () => {
    for (const worker of workers) worker.shutdown();
    await running;
    await connection.close();
    await client.connection.close();
  });
  const deployment = { connection: client.connection, namespace: 'default', deploymentName };
  return async (command: DeploymentCommand, waits = WAIT) =>
    (await runDeploymentCommand(deployment, command, waits)).join('\n');
}

test('runs move to a build, in part and whole, and back to workers without a build', async (t) => {
  const run = await makeDeployment(t, ['one', 'two']);
  t.regex(await run({ kind: 'set-current', buildId: 'one' }), /one +current since .*, 100 % of the runs/);
  const ramped = await run({ kind: 'ramp', buildId: 'two', percentage: 25 });
  t.regex(ramped, /two +ramping since .*, 25 % of the runs/);
  t.regex(ramped, /one +current since .*, 75 % of the runs/);
  const moved = await run({ kind: 'set-current', buildId: 'two' });
  t.regex(moved, /two +current since .*, 100 % of the runs/);
  t.regex(moved, /one +draining since [^,]*$/m);
  await t.throwsAsync(run({ kind: 'wait-drained', buildId: 'one' }), {
    message: /one is draining after 0 s/,
  });
  t.notRegex(await run({ kind: 'set-current', buildId: 'unversioned' }), /of the runs/);
});

test('a build that no worker polls for is not made current, and the message says so', async (t) => {
  const run = await makeDeployment(t, []);
  t.regex(await run({ kind: 'show' }), /^The deployment test-\S+ has no build yet\.$/);
  await t.throwsAsync(run({ kind: 'set-current', buildId: 'none' }, NO_WAIT), {
    message:
      /the build none accepted no workflow runs within 0 s: .*does your Worker Deployment have pollers/,
  });
  await t.throwsAsync(run({ kind: 'wait-drained', buildId: 'none' }), { message: /has no build none/ });
});

test('arguments are parsed, and set-current means the own build by default', (t) => {
  const read = (line: string, ownBuildId: string | null = null) =>
    readDeploymentCommand(line.split(' '), ownBuildId);
  t.deepEqual(read('show'), { kind: 'show' });
  t.deepEqual(read('set-current one'), { kind: 'set-current', buildId: 'one' });
  t.deepEqual(read('set-current', 'own'), { kind: 'set-current', buildId: 'own' });
  t.deepEqual(read('ramp one 25'), { kind: 'ramp', buildId: 'one', percentage: 25 });
  t.deepEqual(read('wait-drained one'), { kind: 'wait-drained', buildId: 'one' });
  t.throws(() => read('set-current'), { message: /Name the build, or set WORKER_BUILD_ID/ });
  for (const line of [
    '',
    'show all',
    'ramp one',
    'ramp one 101',
    'ramp one x',
    'wait-drained',
    'set-current a b',
  ]) {
    t.throws(() => read(line), { message: /^Usage: worker-deployment COMMAND/ }, line);
  }
});
