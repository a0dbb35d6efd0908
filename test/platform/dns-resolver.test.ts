import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createDnsResolver } from '../../platform/dns-resolver.ts';
import { startDnsServer } from '../harness/dns-server.ts';

/** More than the threads of the pool, which are four. */
const MANY = 40;

async function makeResolver(
  t: ExecutionContext,
  options: Parameters<typeof startDnsServer>[0] = {},
  nowMs: () => number = () => 0,
) {
  const server = await startDnsServer(options);
  t.teardown(server.close);
  const resolve = createDnsResolver({ servers: [server.address], hostsFile: '/dev/null', nowMs });
  return { server, resolve };
}

test('name servers that never answer block no thread of the pool', async (t) => {
  const { server, resolve } = await makeResolver(t);
  let isAnswered = false;
  const lookups = Array.from({ length: MANY }, (_, index) =>
    resolve(`${index}.example`).finally(() => {
      isAnswered = true;
    }),
  );
  for (const lookup of lookups) lookup.catch(() => undefined);
  // A file is read by a thread of the pool.
  t.true((await readFile(import.meta.filename, 'utf8')).length > 0);
  t.false(isAnswered);
  await t.throwsAsync(Promise.all(lookups));
  t.true(server.questions() >= MANY);
});

test('an answer is kept for its TTL, and asked for again after it', async (t) => {
  let nowMs = 0;
  const { server, resolve } = await makeResolver(t, { ipv4: '93.184.216.34', ttlSeconds: 60 }, () => nowMs);
  const expected = [{ address: '93.184.216.34', family: 4 }];
  t.deepEqual(await resolve('shop.example'), expected);
  const asked = server.questions();
  nowMs = 59_000;
  t.deepEqual(await resolve('SHOP.example.'), expected);
  t.is(server.questions(), asked);
  nowMs = 61_000;
  t.deepEqual(await resolve('shop.example'), expected);
  t.true(server.questions() > asked);
});

test('lookups of one host at the same time ask once', async (t) => {
  const { server, resolve } = await makeResolver(t, { ipv4: '93.184.216.34' });
  await Promise.all(Array.from({ length: MANY }, () => resolve('shop.example')));
  // One question for each family.
  t.is(server.questions(), 2);
});

test('localhost and the names of the hosts file are not asked for', async (t) => {
  const server = await startDnsServer({ ipv4: '93.184.216.34' });
  t.teardown(server.close);
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const hostsFile = join(folder, 'hosts');
  await writeFile(
    hostsFile,
    '# names\n10.0.0.7 Shop.test shop # the shop\nfd00::7\tshop.test\nbroken line\n',
  );
  const resolve = createDnsResolver({ servers: [server.address], hostsFile });
  t.deepEqual(await resolve('shop.test'), [
    { address: '10.0.0.7', family: 4 },
    { address: 'fd00::7', family: 6 },
  ]);
  t.deepEqual(await resolve('shop'), [{ address: '10.0.0.7', family: 4 }]);
  t.deepEqual(await resolve('api.localhost'), [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  t.is(server.questions(), 0);
});
