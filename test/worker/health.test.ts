import test from 'ava';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { listenForHealth } from '../../worker/health.ts';
import { loadWorkflowBundle } from '../../worker/workflow-bundle.ts';

const HOST = '127.0.0.1';

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

test('200 of a worker without obstacles, 503 with every reason, as it is at that moment', async (t) => {
  let reasons: string[] = ['Temporal is unreachable: connecting', 'PostgreSQL is unreachable'];
  const server = await listenForHealth({ host: HOST, port: 0 }, () => Promise.resolve(reasons));
  t.teardown(() => server.close());
  const base = `http://${HOST}:${portOf(server)}`;
  const away = await fetch(`${base}/health/ready`);
  t.is(away.status, 503);
  t.deepEqual(await away.json(), { status: 'not ready', reasons, droppedLogLines: 0 });
  t.is((await fetch(`${base}/health/live`)).status, 200);
  reasons = [];
  const ready = await fetch(`${base}/health/ready`);
  t.is(ready.status, 200);
  t.deepEqual(await ready.json(), { status: 'ready', reasons: [], droppedLogLines: 0 });
  t.is((await fetch(`${base}/metrics`)).status, 404);
});

test('a port in use is rejected at the start', async (t) => {
  const other = createServer();
  other.listen(0, HOST);
  await once(other, 'listening');
  t.teardown(() => other.close());
  await t.throwsAsync(
    listenForHealth({ host: HOST, port: portOf(other) }, () => Promise.resolve([])),
    { code: 'EADDRINUSE' },
  );
});

test('a built worker loads the bundle next to it, one from source gets another process’s', async (t) => {
  t.deepEqual(await loadWorkflowBundle('file:///srv/worker/main.js'), {
    codePath: '/srv/worker/workflows.bundle.js',
  });
  const main = new URL('../../worker/main.ts', import.meta.url).href;
  const { code } = { code: '', ...(await loadWorkflowBundle(main, ['--import', 'tsx'])) };
  t.true(code.includes('webhookDelivery'));
});
