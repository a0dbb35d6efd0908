import test from 'ava';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { listenForHealth } from '../../worker/health.ts';
import type { WorkerPhase } from '../../worker/health.ts';
import { builtWorkflows } from '../../worker/workflow-bundle.ts';

const HOST = '127.0.0.1';

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

for (const [phase, code] of [
  ['polling', 200],
  ['waiting for Temporal', 503],
  ['stopping', 503],
] as const satisfies readonly (readonly [WorkerPhase, number])[]) {
  test(`${code} of a worker that is ${phase} when asked whether it is ready, and always 200 whether it lives`, async (t) => {
    const server = await listenForHealth({ host: HOST, port: 0 }, () => phase);
    t.teardown(() => server.close());
    const base = `http://${HOST}:${portOf(server)}`;
    const ready = await fetch(`${base}/health/ready`);
    t.is(ready.status, code);
    t.deepEqual(await ready.json(), { status: phase });
    t.is((await fetch(`${base}/health/live`)).status, 200);
    t.is((await fetch(`${base}/metrics`)).status, 404);
  });
}

test('each question is answered by what the worker does at that moment', async (t) => {
  let phase: WorkerPhase = 'waiting for Temporal';
  const server = await listenForHealth({ host: HOST, port: 0 }, () => phase);
  t.teardown(() => server.close());
  const url = `http://${HOST}:${portOf(server)}/health/ready`;
  t.is((await fetch(url)).status, 503);
  phase = 'polling';
  t.is((await fetch(url)).status, 200);
});

test('a port in use is refused at the start', async (t) => {
  const other = createServer();
  other.listen(0, HOST);
  await once(other, 'listening');
  t.teardown(() => other.close());
  await t.throwsAsync(
    listenForHealth({ host: HOST, port: portOf(other) }, () => 'polling'),
    { code: 'EADDRINUSE' },
  );
});

test('a built worker takes the bundle beside it, one from source bundles by itself', (t) => {
  t.deepEqual(builtWorkflows('file:///srv/worker/main.ts'), {});
  t.deepEqual(builtWorkflows('file:///srv/worker/main.js'), {
    workflowBundle: { codePath: '/srv/worker/workflows.bundle.js' },
  });
});
