import test from 'ava';
import type { ExecutionContext } from 'ava';
import { setTimeout as delay } from 'node:timers/promises';
import { createOutboundClient } from '../../platform/outbound-client.ts';
import { testEngines } from '../harness/engines.ts';
import { startHostileServer } from './hostile-server.ts';

const LONG_MS = 10_000;
const SHORT_MS = 400;
const REQUEST = { body: Buffer.from('{"é":1}'), headers: { 'content-type': 'application/json' } } as const;

/** A receiver that answers 200, and a client that counts how often it resolves the receiver's name. */
async function makePair(t: ExecutionContext) {
  const server = await startHostileServer((response) => response.end());
  let connections = 0;
  const client = createOutboundClient({
    allowPrivate: true,
    extraCaFile: testEngines().authorityCertificateFile,
    resolve: () => {
      connections += 1;
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    },
  });
  t.teardown(() => client.close());
  const post = (timeoutMs: number, beforeSend?: () => Promise<void>) =>
    client.post(server.url, { ...REQUEST, timeoutMs, ...(beforeSend === undefined ? {} : { beforeSend }) });
  return { server, post, connections: () => connections };
}

test('what runs before the request finds a connection, and no byte of the request has been sent', async (t) => {
  const { server, post, connections } = await makePair(t);
  t.teardown(server.close);
  const seen: number[] = [];
  const answer = await post(LONG_MS, async () => {
    // The receiver would have read the whole request by then.
    await delay(SHORT_MS);
    seen.push(connections(), server.count());
  });
  t.deepEqual(answer, { kind: 'answered', statusCode: 200 });
  t.deepEqual(seen, [1, 0]);
  t.is(server.count(), 1);
});

test('nothing is sent when what runs before the request fails, and its reason is passed on', async (t) => {
  const { server, post } = await makePair(t);
  t.teardown(server.close);
  await t.throwsAsync(
    post(LONG_MS, () => Promise.reject(new Error('not now'))),
    { message: 'not now' },
  );
  t.is(server.count(), 0);
  t.deepEqual(await post(LONG_MS), { kind: 'answered', statusCode: 200 });
  t.is(server.count(), 1);
});

test('what runs before the request takes nothing of the receiver’s time', async (t) => {
  const { server, post } = await makePair(t);
  t.teardown(server.close);
  const answer = await post(SHORT_MS, () => delay(2 * SHORT_MS));
  t.deepEqual(answer, { kind: 'answered', statusCode: 200 });
});

test('without a connection nothing runs before the request', async (t) => {
  const { server, post } = await makePair(t);
  await server.close();
  const answer = await post(LONG_MS, () => Promise.reject(new Error('it ran')));
  t.like(answer, { kind: 'failed' });
});

test('no request waits for a connection of another one, however many are under way', async (t) => {
  const many = 120;
  const { server, post } = await makePair(t);
  t.teardown(server.close);
  let connected = 0;
  let go: () => void = () => undefined;
  const allConnected = new Promise<void>((resolve) => {
    go = resolve;
  });
  const answers = await Promise.all(
    Array.from({ length: many }, () =>
      post(LONG_MS, async () => {
        connected += 1;
        if (connected === many) go();
        await allConnected;
      }),
    ),
  );
  t.true(answers.every(({ kind }) => kind === 'answered'));
});
