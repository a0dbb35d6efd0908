import { createServer, type Server } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { anyFreePort, chooseFreePort } from '../../dev/engines/ports.ts';
import { choosePortOfApi } from '../../dev/start/port-plan.ts';
import { StartError } from '../../ops/start-mode.ts';

for (const host of ['127.0.0.1', '0.0.0.0']) {
  test(`a port with a server on ${host} is not free, and the next free one is chosen`, async (t) => {
    const port = await listen(t, host);
    t.true((await chooseFreePort(port)) > port);
  });
}

test('no port is given out twice', async (t) => {
  const port = await chooseFreePort(await freePort());
  t.not(await chooseFreePort(port), port);
});

test('a PORT in use prevents the start, and the message names it', async (t) => {
  const port = await listen(t, '127.0.0.1');
  const error = await t.throwsAsync(choosePortOfApi({ PORT: String(port) }), { instanceOf: StartError });
  t.regex(error.message, new RegExp(`Port ${port} .* in use`));
});

test('a free PORT is taken', async (t) => {
  const port = await freePort();
  t.is(await choosePortOfApi({ PORT: String(port) }), port);
});

for (const setting of ['http', '0', '65536', '8080.5', '-1']) {
  test(`PORT=${setting} is rejected with the range`, async (t) => {
    await t.throwsAsync(choosePortOfApi({ PORT: setting }), {
      instanceOf: StartError,
      message: /1 to 65535/,
    });
  });
}

async function listen(t: ExecutionContext, host: string): Promise<number> {
  const server: Server = createServer();
  const port = await anyFreePort();
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  t.teardown(() => server.close());
  return port;
}

/** Not by `anyFreePort`, which gives no port out twice. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
