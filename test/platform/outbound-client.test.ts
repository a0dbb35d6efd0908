import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { ServerResponse } from 'node:http';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutboundAnswer, OutboundClient } from '../../platform/outbound-client.ts';
import { createOutboundClient } from '../../platform/outbound-client.ts';
import type { Resolver } from '../../platform/outbound-address.ts';
import { issueServerCertificate, loadOrCreateAuthority } from '../../dev/engines/certificate-authority.ts';
import { testEngines } from '../harness/engines.ts';
import type { HostileServer } from './hostile-server.ts';
import { startHostileServer, testCertificate } from './hostile-server.ts';

const PATIENCE_MS = 10_000;
const IMPATIENCE_MS = 400;
const REQUEST = { body: Buffer.from('{"é":1}'), headers: { 'content-type': 'application/json' } } as const;

function makeClient(
  t: ExecutionContext,
  options: { readonly allowPrivate?: boolean; readonly resolve?: Resolver } = {},
): OutboundClient {
  const client = createOutboundClient({
    allowPrivate: options.allowPrivate ?? true,
    extraCaFile: testEngines().authorityCertificateFile,
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  });
  t.teardown(() => client.close());
  return client;
}

async function postTo(
  t: ExecutionContext,
  answer: (response: ServerResponse) => void,
  timeoutMs = PATIENCE_MS,
): Promise<OutboundAnswer> {
  const server = await startHostileServer(answer);
  t.teardown(server.close);
  return makeClient(t).post(server.url, { ...REQUEST, timeoutMs });
}

for (const statusCode of [200, 204, 400, 401, 410, 429, 500, 503]) {
  test(`a response ${statusCode} is reported as it is`, async (t) => {
    const answer = await postTo(t, (response) => response.writeHead(statusCode).end());
    t.deepEqual(answer, { kind: 'answered', statusCode });
  });
}

for (const statusCode of [301, 302, 307, 308]) {
  test(`a redirect ${statusCode} is reported and not followed`, async (t) => {
    let aim = '';
    const server = await startHostileServer((response, request) => {
      if (request.url === '/hook') response.writeHead(statusCode, { location: aim }).end();
      else response.writeHead(200).end();
    });
    t.teardown(server.close);
    aim = `https://localhost:${server.port}/elsewhere`;
    const answer = await makeClient(t).post(server.url, { ...REQUEST, timeoutMs: PATIENCE_MS });
    t.deepEqual(answer, { kind: 'answered', statusCode });
    t.is(server.count(), 1);
  });
}

test('the receiver gets the path, the headers and the bytes as they were given', async (t) => {
  const seen: unknown[] = [];
  const server = await startHostileServer((response, request) => {
    seen.push(
      request.method,
      request.url,
      request.headers['x-service-signature'],
      request.headers['content-length'],
    );
    response.writeHead(200).end();
  });
  t.teardown(server.close);
  const url = `https://localhost:${server.port}/a/b%20c?d=e&f#g`;
  const headers = { ...REQUEST.headers, 'x-service-signature': 'sha256=00' };
  await makeClient(t).post(url, { ...REQUEST, headers, timeoutMs: PATIENCE_MS });
  t.deepEqual(seen, ['POST', '/a/b%20c?d=e&f', 'sha256=00', String(REQUEST.body.length)]);
});

test('no header before the time is up: no answer in time', async (t) => {
  const answer = await postTo(t, () => undefined, IMPATIENCE_MS);
  t.deepEqual(answer, { kind: 'failed', reason: 'no answer in time' });
});

test('a response that trickles for longer than the time limit counts as none', async (t) => {
  const answer = await postTo(
    t,
    (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    },
    IMPATIENCE_MS,
  );
  t.deepEqual(answer, { kind: 'failed', reason: 'no answer in time' });
});

test('an answer of 50 MB is cut short, and memory stays flat', async (t) => {
  const chunk = Buffer.alloc(1_048_576, 'x');
  let written = 0;
  const before = process.memoryUsage().arrayBuffers;
  const answer = await postTo(t, (response) => {
    response.writeHead(200);
    const pour = () => {
      while (written < 50 && !response.destroyed) {
        written += 1;
        if (!response.write(chunk)) {
          response.once('drain', pour);
          return;
        }
      }
      response.end();
    };
    pour();
  });
  t.deepEqual(answer, { kind: 'answered', statusCode: 200 });
  t.true(written < 50, `${written} MB were taken`);
  t.true(process.memoryUsage().arrayBuffers - before < 20 * 1_048_576);
});

test('a response that announces 50 MB is reported without being read', async (t) => {
  const answer = await postTo(t, (response) =>
    response.writeHead(202, { 'content-length': String(50 * 1_048_576) }).write('x'.repeat(70_000)),
  );
  t.deepEqual(answer, { kind: 'answered', statusCode: 202 });
});

test('a connection that is reset, before the answer or in its middle, is a failure', async (t) => {
  const early = await postTo(t, (response) => response.socket?.destroy());
  t.like(early, { kind: 'failed' });
  const late = await postTo(t, (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.socket?.destroy());
  });
  t.like(late, { kind: 'failed' });
});

test('a port without a listener is a failure that says so', async (t) => {
  const server = await startHostileServer((response) => response.end());
  await server.close();
  const answer = await makeClient(t).post(server.url, { ...REQUEST, timeoutMs: PATIENCE_MS });
  t.deepEqual(answer, { kind: 'failed', reason: 'connection failed: ECONNREFUSED' });
});

test('a certificate of an unknown authority is never accepted', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'unknown-authority-'));
  const unknown = await loadOrCreateAuthority(folder, new Date());
  const server = await startHostileServer(
    (response) => response.end(),
    await issueServerCertificate(unknown, new Date()),
  );
  t.teardown(server.close);
  const answer = await makeClient(t).post(server.url, { ...REQUEST, timeoutMs: PATIENCE_MS });
  t.like(answer, { kind: 'failed' });
  t.is(server.count(), 0);
});

test('an expired certificate and one for another host are never accepted', async (t) => {
  const past = await startHostileServer(
    (response) => response.end(),
    await testCertificate(new Date('2020-01-01')),
  );
  t.teardown(past.close);
  t.like(await makeClient(t).post(past.url, { ...REQUEST, timeoutMs: PATIENCE_MS }), { kind: 'failed' });
  const here = await startHostileServer((response) => response.end());
  t.teardown(here.close);
  const toHere = makeClient(t, { resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) });
  const answer = await toHere.post(`https://shop.example:${here.port}/`, {
    ...REQUEST,
    timeoutMs: PATIENCE_MS,
  });
  t.deepEqual(answer, { kind: 'failed', reason: 'connection failed: ERR_TLS_CERT_ALTNAME_INVALID' });
  t.is(past.count() + here.count(), 0);
});

async function postGuarded(
  t: ExecutionContext,
  resolve: Resolver,
): Promise<{ answers: (url: (port: number) => string) => Promise<OutboundAnswer>; server: HostileServer }> {
  const server = await startHostileServer((response) => response.end());
  t.teardown(server.close);
  const client = makeClient(t, { allowPrivate: false, resolve });
  return {
    server,
    answers: (url) => client.post(url(server.port), { ...REQUEST, timeoutMs: IMPATIENCE_MS }),
  };
}

for (const host of [
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  '2130706433',
  '[::ffff:127.0.0.1]',
  '[::1]',
  'localhost',
  '0',
]) {
  test(`sending to https://${host} is rejected without a connection`, async (t) => {
    const { server, answers } = await postGuarded(t, () => Promise.reject(new Error('asked')));
    t.like(await answers((port) => `https://${host}:${port}/`), { kind: 'refused_address' });
    t.is(server.count(), 0);
  });
}

test('a host that resolves to a private address, alone or among public ones, is rejected', async (t) => {
  for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::1', '93.184.216.34']]) {
    const { server, answers } = await postGuarded(t, () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
    );
    const answer = await answers((port) => `https://rebind.example:${port}/`);
    t.like(answer, { kind: 'refused_address' }, addresses.join());
    t.is(server.count(), 0);
  }
});

test('a host that becomes private between two requests is rejected at the second', async (t) => {
  let asked = 0;
  const { server, answers } = await postGuarded(t, () => {
    asked += 1;
    // TEST-NET-3 would be refused by its range: this one is public and answers nobody here.
    const address = asked === 1 ? '93.184.216.34' : '127.0.0.1';
    return Promise.resolve([{ address, family: 4 }]);
  });
  const url = (port: number) => `https://rebind.example:${port}/`;
  t.like(await answers(url), { kind: 'failed' });
  t.is(asked, 1);
  t.like(await answers(url), { kind: 'refused_address' });
  t.is(asked, 2);
  t.is(server.count(), 0);
});

test('an unknown host and one without address differ from a receiver’s rejection', async (t) => {
  const unknown = await postGuarded(t, () =>
    Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })),
  );
  t.deepEqual(await unknown.answers(() => 'https://nowhere.example/'), {
    kind: 'failed',
    reason: 'connection failed: ENOTFOUND',
  });
  const empty = await postGuarded(t, () => Promise.resolve([]));
  t.like(await empty.answers(() => 'https://nowhere.example/'), { kind: 'refused_address' });
});

test('waiting for a free connection to a receiver that hangs counts as waiting for its answer', async (t) => {
  const server = await startHostileServer(() => undefined);
  t.teardown(server.close);
  const client = makeClient(t);
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => client.post(server.url, { ...REQUEST, timeoutMs: IMPATIENCE_MS })),
  );
  t.true(performance.now() - startedAt < 5_000);
  for (const answer of answers) t.deepEqual(answer, { kind: 'failed', reason: 'no answer in time' });
  t.true(server.count() <= 32, `${server.count()} connections at once`);
});

test('a receiver that hangs delays no other', async (t) => {
  const hanging = await startHostileServer(() => undefined);
  const quick = await startHostileServer((response) => response.end());
  t.teardown(hanging.close);
  t.teardown(quick.close);
  const client = makeClient(t);
  let ended = 0;
  const stuck = Array.from({ length: 40 }, async () => {
    await client.post(hanging.url, { ...REQUEST, timeoutMs: PATIENCE_MS });
    ended += 1;
  });
  const answer = await client.post(quick.url, { ...REQUEST, timeoutMs: PATIENCE_MS });
  t.deepEqual(answer, { kind: 'answered', statusCode: 200 });
  t.is(ended, 0);
  await client.close();
  await Promise.all(stuck);
});

test('a resolver that does not answer costs no more than the time', async (t) => {
  let giveUp: () => void = () => undefined;
  const hanging = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error('given up'));
  });
  const { answers } = await postGuarded(t, () => hanging);
  const startedAt = performance.now();
  t.deepEqual(await answers(() => 'https://slow.example/'), { kind: 'failed', reason: 'no answer in time' });
  t.true(performance.now() - startedAt < 5_000);
  giveUp();
});
