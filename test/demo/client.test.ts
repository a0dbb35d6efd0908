import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { ServiceClient } from '../../demo/story/client.ts';

const CALLER = { name: 'shop', headers: { 'x-api-key': 'key' } };

async function clientOf(t: ExecutionContext, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const held: string[] = [];
  const client = new ServiceClient(`http://127.0.0.1:${address.port}/api/v1`, {
    onExchange: () => undefined,
    onHold: (why, seconds) => held.push(`${why}, ${seconds}`),
  });
  return { client, held };
}

test('a refused rate is waited out as Retry-After says, and the same Idempotency-Key is sent again', async (t) => {
  const keys: unknown[] = [];
  const { client, held } = await clientOf(t, (request, response) => {
    keys.push(request.headers['idempotency-key']);
    if (keys.length === 1) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.writeHead(202, { 'content-type': 'application/json' }).end('{"id":"x"}');
  });
  const answer = await client.send(CALLER, 'POST', '/external/shipments', {});
  t.is(answer.status, 202);
  t.deepEqual(held, ['the service answered 429, 1']);
  t.is(keys.length, 2);
  t.is(keys[0], keys[1]);
});

test('a command that is accepted is followed until it is decided', async (t) => {
  const paths: (string | undefined)[] = [];
  const { client } = await clientOf(t, (request, response) => {
    paths.push(request.url);
    const json = { 'content-type': 'application/ld+json' };
    if (request.method === 'POST')
      response.writeHead(202, { ...json, location: '/api/v1/commands/1' }).end('{}');
    else response.writeHead(200, json).end(`{"status":"${paths.length < 3 ? 'received' : 'applied'}"}`);
  });
  const answer = await client.command(CALLER, 'POST', '/tasks/1/transition', { transition: 'deliver' });
  t.deepEqual(answer.body, { status: 'applied' });
  t.deepEqual(paths, ['/api/v1/tasks/1/transition', '/api/v1/commands/1', '/api/v1/commands/1']);
});

test('each surface gets its content type', async (t) => {
  const types: (string | undefined)[] = [];
  const { client } = await clientOf(t, (request, response) => {
    types.push(request.headers['content-type']);
    response.end();
  });
  await client.send(CALLER, 'POST', '/external/shipments', {});
  await client.send(CALLER, 'POST', '/shipments', {});
  await client.send(CALLER, 'PATCH', '/organizations/1', {});
  await client.send(CALLER, 'GET', '/shipments');
  t.deepEqual(types, ['application/json', 'application/ld+json', 'application/merge-patch+json', undefined]);
});
