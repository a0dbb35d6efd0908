import { createServer, type Server } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { anyFreePort, chooseFreePort, isPortFree } from '../../dev/engines/ports.ts';
import { StartError } from '../../ops/start-mode.ts';
import { planPorts, readPort } from '../../dev/start/port-plan.ts';

for (const host of ['127.0.0.1', '0.0.0.0']) {
  test(`a port with a server on ${host} is not free, and the next free one is chosen`, async (t) => {
    const port = await listen(t, await anyFreePort(), host);
    t.false(await isPortFree(port));
    t.true((await chooseFreePort(port)) > port);
  });
}

test('a free port is chosen as preferred, unless it is promised to somebody', async (t) => {
  const port = await anyFreePort();
  t.true(await isPortFree(port));
  t.is(await chooseFreePort(port), port);
  t.not(await chooseFreePort(port, [port]), port);
});

test('a PORT in use prevents the start, and the message names it', async (t) => {
  const port = await listen(t, await anyFreePort(), '127.0.0.1');
  const error = await t.throwsAsync(
    planPorts({ PORT: String(port) }, () => undefined),
    {
      instanceOf: StartError,
    },
  );
  t.regex(error.message, new RegExp(`Port ${port} .* in use`));
});

test('each part gets a port of its own, and a port that is not the usual one is said', async (t) => {
  const port = await anyFreePort();
  const said: string[] = [];
  const plan = await planPorts({ PORT: String(port) }, (line) => said.push(line));
  const ports = [plan.api, plan.temporal, plan.temporalUi, plan.postgres];
  t.is(plan.api, port);
  t.is(new Set(ports).size, 4);
  const unusual = [plan.temporal !== 7233, plan.temporalUi !== 8233, plan.postgres !== 54320];
  t.is(said.length, unusual.filter((isUnusual) => isUnusual).length);
});

for (const setting of ['http', '0', '65536', '8080.5', '-1']) {
  test(`PORT=${setting} is rejected with the range`, (t) => {
    t.throws(() => readPort(setting), { instanceOf: StartError, message: /1 to 65535/ });
  });
}

async function listen(t: ExecutionContext, port: number, host: string): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  t.teardown(() => server.close());
  return port;
}
