import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { createDrainableServer } from '../../../api/http/drainable-server.ts';

test('a server that is stopped completes the work for a caller that has gone', async (t) => {
  const steps = new EventEmitter();
  const { server, drain } = createDrainableServer(async ({ socket }) => {
    const left = once(socket, 'close');
    steps.emit('begun');
    await left;
    steps.emit('left');
    await once(steps, 'release');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = connect(port, '127.0.0.1');
  const begun = once(steps, 'begun');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await begun;
  const left = once(steps, 'left');
  client.destroy();
  await left;
  const order: string[] = [];
  const closed = once(server, 'close');
  const drained = drain().then(() => order.push('drained'));
  await closed;
  await nextTurn();
  order.push('released');
  steps.emit('release');
  await drained;
  t.deepEqual(order, ['released', 'drained']);
});
