import { once } from 'node:events';
import test from 'ava';
import Koa from 'koa';
import { clientAddress, countedAddress } from '../../../api/http/client-address.ts';

for (const [name, address, counted] of [
  ['an IPv4 address counts by itself', '203.0.113.7', '203.0.113.7'],
  ['an IPv4 address on an IPv6 socket is the same one', '::ffff:203.0.113.7', '203.0.113.7'],
  ['an IPv6 address counts with its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['its other addresses count as the same', '2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['the next /64 is another', '2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['a zone of a link-local address does not count', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['IPv4 clients behind a translator count one by one', '64:ff9b::cb00:7107', '203.0.113.7'],
  ['text that is not an address counts as it is', 'unknown', 'unknown'],
] as const) {
  test(name, (t) => {
    t.is(countedAddress(address), counted);
  });
}

const SENDER = '127.0.0.1';

for (const [name, header, trustedHops, counted] of [
  ['without a trusted proxy the header is not read', '203.0.113.7', 0, SENDER],
  ['with one trusted proxy the last entry is the client', '192.0.2.1, 203.0.113.7', 1, '203.0.113.7'],
  ['with two trusted proxies the last but one is', '192.0.2.1, 203.0.113.7,198.51.100.1', 2, '203.0.113.7'],
  ['a port after an IPv4 address is left out', '203.0.113.7:4711', 1, '203.0.113.7'],
  ['a port after an IPv6 address is left out', '[2001:db8::7]:4711', 1, '2001:db8:0:0::/64'],
  ['empty entries do not count', '192.0.2.1, 203.0.113.7,, ', 1, '203.0.113.7'],
  ['an empty entry is no hop', '203.0.113.7, ,198.51.100.1', 2, '203.0.113.7'],
  ['an empty header means the sender itself', '', 1, SENDER],
  ['fewer entries than trusted proxies mean the sender itself', '203.0.113.7', 2, SENDER],
  ['an entry that is not an address means the sender itself', '_hidden', 1, SENDER],
] as const) {
  test(name, async (t) => {
    const app = new Koa({ proxy: trustedHops > 0, maxIpsCount: trustedHops });
    app.use((context) => {
      context.body = clientAddress(context);
    });
    const server = app.listen(0, SENDER);
    t.teardown(() => server.close());
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') return t.fail('the server has no port');
    const url = `http://${SENDER}:${address.port}`;
    const answer = await fetch(url, { headers: { 'x-forwarded-for': header } });
    t.is(await answer.text(), counted);
  });
}
