import { createHmac } from 'node:crypto';
import { request } from 'node:https';
import test from 'ava';
import { loadOrCreateAuthority } from '../../dev/engines/certificate-authority.ts';
import { anyFreePort } from '../../dev/engines/ports.ts';
import { startDayReceiver } from '../../demo/day/day-receiver.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SECRET = 'whsec_0123';

test('the receiver verifies signatures, fails single deliveries, and recovers', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'receiver-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const authority = await loadOrCreateAuthority(folder, new Date());
  const answers = new Map([['CMD-1', 500]]);
  const receiver = await startDayReceiver({ port: await anyFreePort(), authority, secret: SECRET, answers });
  t.teardown(() => receiver.close());
  const send = (event: object, secret = SECRET): Promise<number | undefined> => {
    const bytes = Buffer.from(JSON.stringify(event));
    const signature = `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;
    const headers = { 'x-service-signature': signature };
    return new Promise((resolve, reject) => {
      request(receiver.url, { method: 'POST', ca: authority.certificatePem, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end(bytes);
    });
  };
  const failing = { externalReference: 'CMD-1', taskStatus: 'delivered' };
  t.is(await send(failing), 500);
  t.is(await send({ ...failing, taskStatus: 'assigned' }), 200);
  t.is(await send({ ...failing, externalReference: 'CMD-2' }), 200);
  t.is(await send({ externalReference: null, taskStatus: 'delivered' }), 200);
  t.is(await send(failing, 'another'), 401);
  receiver.recover();
  t.is(await send(failing), 200);
});
