import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import test from 'ava';
import { toId } from '../../../domain/ids.ts';
import { newId } from '../../../store/new-id.ts';
import { createTemporalClient, ranOutOfTime } from '../../../platform/temporal.ts';
import { createShipmentWorkflowClient } from '../../../workflows/client/shipment-workflow-client.ts';

/** What a start of a run at an address fails with. */
async function failureAt(address: string): Promise<unknown> {
  const client = createTemporalClient({ address, namespace: 'default', apiKey: null, tls: false });
  const id = newId<'shipment'>();
  const organizationId = toId<'organization'>(newId());
  try {
    await createShipmentWorkflowClient(client, 'nobody').start({
      id,
      organizationId,
      trackingNumber: 'T',
      priority: 'normal',
    });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.connection.close();
  }
}

test('a Temporal that accepts the connection and stays silent counts as timed out', async (t) => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const address = silent.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  t.true(ranOutOfTime(await failureAt(`127.0.0.1:${address.port}`)));
});

test('a Temporal that refuses the connection counts as unreachable, without a wait', async (t) => {
  const failure = await failureAt('127.0.0.1:9');
  t.true(failure instanceof Error);
  t.false(ranOutOfTime(failure));
});
