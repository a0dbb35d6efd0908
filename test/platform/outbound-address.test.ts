import test from 'ava';
import { addressProblem, targetProblem, urlProblem } from '../../platform/outbound-address.ts';
import type { Resolver } from '../../platform/outbound-address.ts';

/** Every spelling of an address that is ours, a neighbour's or a cloud's, as a URL's host. */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  '0x7f000001',
  '0x7f.1',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2001::7f00:1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[100::1]',
  '[5f00::1]',
  '[1::1]',
  '[4000::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'printer.local',
  'printer.local.',
  'metadata.google.internal',
] as const;

for (const host of PRIVATE_HOSTS) {
  test(`https://${host}/ is rejected by its text alone`, (t) => {
    t.is(typeof urlProblem(`https://${host}/hook`, false), 'string');
    t.is(typeof urlProblem(`https://${host}:8443/`, false), 'string');
  });
}

for (const url of [
  'https://shop.example/hook',
  'https://shop.example:8443/hook?x=1#y',
  'https://93.184.216.34/',
  'https://1.1.1.1/',
  'https://[2606:4700:4700::1111]/',
  'https://[::ffff:93.184.216.34]/',
  'https://boutique-élégante.example/',
  'https://localhost.shop.example/',
]) {
  test(`${url} may be used`, (t) => t.is(urlProblem(url, false), undefined));
}

for (const [url, reason] of [
  ['http://shop.example/', /https/],
  ['ftp://shop.example/', /https/],
  ['file:///etc/passwd', /https/],
  ['javascript:alert(1)', /https/],
  ['https://user@shop.example/', /user name/],
  ['https://:secret@shop.example/', /password/],
  ['https://shop.example@127.0.0.1/', /user name/],
  ['shop.example/hook', /must be a URL/],
  ['https://', /must be a URL/],
  ['', /must be a URL/],
  ['https://shop.example:25/', /port 25 /],
  ['https://shop.example:6667/hook', /port 6667 /],
  ['https://shop.example:0/', /port 0 /],
  ['https://256.1.1.1/', /must be a URL/],
] as const) {
  test(`${JSON.stringify(url)} is rejected, laptop mode or not`, (t) => {
    t.regex(urlProblem(url, false) ?? '', reason);
    t.regex(urlProblem(url, true) ?? '', reason);
  });
}

test('laptop mode allows private addresses, and nothing else more', (t) => {
  t.is(urlProblem('https://localhost:8443/', true), undefined);
  t.is(urlProblem('https://127.0.0.1/', true), undefined);
});

for (const address of [
  '127.0.0.1',
  '10.1.2.3',
  '::1',
  'fe80::1%eth0',
  '::ffff:10.0.0.1',
  '::7f00:1',
  'not an address',
  '',
]) {
  test(`a host that resolves to ${JSON.stringify(address)} is rejected`, (t) => {
    t.is(typeof addressProblem(address), 'string');
  });
}

const resolver =
  (...addresses: string[]): Resolver =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
const HOOK = 'https://shop.example/hook';

test('a target whose every address is public may be used', async (t) => {
  t.is(await targetProblem(HOOK, resolver('93.184.216.34', '2606:4700::1'), false), undefined);
});

test('one private address among public ones rejects the target, in any family and order', async (t) => {
  t.is(typeof (await targetProblem(HOOK, resolver('93.184.216.34', '::1'), false)), 'string');
  t.is(typeof (await targetProblem(HOOK, resolver('fd00::1', '93.184.216.34'), false)), 'string');
  t.is(typeof (await targetProblem(HOOK, resolver('10.0.0.1'), false)), 'string');
});

test('a target without an address, or whose host is not found, is rejected', async (t) => {
  t.is(await targetProblem(HOOK, resolver(), false), 'the host has no address');
  t.is(
    await targetProblem(HOOK, () => Promise.reject(new Error('ENOTFOUND')), false),
    'the host cannot be found',
  );
});

test('a target whose host is still looked up when the bound has passed is rejected', async (t) => {
  const silent: Resolver = () => new Promise(() => undefined);
  t.is(await targetProblem(HOOK, silent, false, 5), 'the host was not found within 0.005 s');
});

test('a literal address is judged without asking the resolver', async (t) => {
  const never: Resolver = () => Promise.reject(new Error('asked'));
  t.is(await targetProblem('https://93.184.216.34/', never, false), undefined);
  t.is(typeof (await targetProblem('https://[::1]/', never, false)), 'string');
});
