import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { createClient } from '../../demo/client.ts';
import { Report } from '../../demo/report.ts';

const CALLER = { name: 'shop', headers: { 'x-api-key': 'key' } };

async function startClient(t: ExecutionContext, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const lines: string[] = [];
  const report = new Report((line) => lines.push(line));
  return { send: createClient(`http://127.0.0.1:${address.port}`, report), lines };
}

test('503 and an undecided 202 are repeated with the same Idempotency-Key', async (t) => {
  const keys: unknown[] = [];
  const { send } = await startClient(t, (request, response) => {
    keys.push(request.headers['idempotency-key']);
    response.setHeader('content-type', 'application/json');
    response.writeHead([503, 202, 200][keys.length - 1] ?? 500).end(`{"tries":${keys.length}}`);
  });
  t.deepEqual(await send(CALLER, 'POST', '/tasks/1/transition', 200, { transition: 'deliver' }), {
    tries: 3,
  });
  t.is(new Set(keys).size, 1);
  t.is(typeof keys[0], 'string');
});

test('another status than the expected one is reported and stops the story', async (t) => {
  const { send, lines } = await startClient(t, (_, response) => response.writeHead(404).end());
  await t.throwsAsync(send(CALLER, 'GET', '/shipments', 200));
  t.true(lines.some((line) => line.includes('expected 200, found 404')));
});

test('each surface gets its content type, and an IRI its own path', async (t) => {
  const seen: string[] = [];
  const { send } = await startClient(t, ({ url, headers }, response) => {
    seen.push(`${url ?? ''} ${headers['content-type'] ?? 'none'}`);
    response.end('{}');
  });
  await send(CALLER, 'POST', '/external/shipments', 200, {});
  await send(CALLER, 'POST', '/api/v1/tasks/1/transition', 200, {});
  await send(CALLER, 'PATCH', '/organizations/1', 200, {});
  await send(CALLER, 'GET', '/shipments', 200);
  t.deepEqual(seen, [
    '/api/v1/external/shipments application/json',
    '/api/v1/tasks/1/transition application/ld+json',
    '/api/v1/organizations/1 application/merge-patch+json',
    '/api/v1/shipments none',
  ]);
});
