import { readFile } from 'node:fs/promises';
import test from 'ava';
import { createOutboundClient } from '../../platform/outbound-client.ts';
import { testEngines } from './engines.ts';
import { startReceiver } from './receiver.ts';

test('a receiver keeps the received bytes and answers as set; the last answer repeats', async (t) => {
  const receiver = await startReceiver({ answers: [500, 204] });
  t.teardown(receiver.close);
  const outbound = createOutboundClient({
    allowPrivate: true,
    extraCaFile: testEngines().authorityCertificateFile,
  });
  t.teardown(outbound.close);
  const body = await readFile(testEngines().authorityCertificateFile);
  const statuses = [];
  for (let request = 0; request < 3; request += 1) {
    const answer = await outbound.post(receiver.url, {
      body,
      headers: { 'x-test': 'yes' },
      timeoutMs: 5_000,
    });
    statuses.push(answer.kind === 'answered' ? answer.statusCode : answer.reason);
  }
  t.deepEqual(statuses, [500, 204, 204]);
  const [first] = await receiver.waitForRequests(3);
  t.deepEqual(first?.body, body);
  t.is(first?.headers['x-test'], 'yes');
  await t.throwsAsync(receiver.waitForRequests(4, 10), { message: /3 of 4/ });
});
