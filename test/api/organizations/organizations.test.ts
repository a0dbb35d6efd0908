import test from 'ava';
import { at, send, violationPaths } from '../../harness/request.ts';
import { makeOrganization, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { useService } from '../../harness/use-service.ts';

/** What the world's name servers would say. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.216.34', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inside.example.com': ['10.0.0.5'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
};

const service = useService({
  withWorkers: false,
  settings: { WEBHOOK_ALLOW_PRIVATE: '0' },
  overrides: {
    resolve: (hostname) => {
      const addresses = ADDRESSES[hostname];
      if (addresses === undefined) return Promise.reject(new Error('ENOTFOUND'));
      return Promise.resolve(
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  },
});

async function admin(options: Parameters<typeof makeOrganization>[1] = {}) {
  const organization = await makeOrganization(service, options);
  const { token } = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  return { organization, token, path: `/organizations/${organization.id}` };
}

test('200 the admin reads the organization with its webhook secret', async (t) => {
  const { organization, token, path } = await admin();
  const read = await send(service, 'GET', path, { token });
  t.is(read.status, 200);
  t.like(read.body, {
    '@id': `/api/v1${path}`,
    '@type': 'Organization',
    plan: 'pro',
    hasWebhooks: true,
    isWebhookEnabled: false,
    webhookSecret: organization.webhookSecret,
    currency: 'EUR',
    timezone: 'UTC',
    deadlineHours: { urgent: 4, high: 24, normal: 48, low: 72 },
  });
  t.regex(organization.webhookSecret, /^whsec_[0-9a-f]{40}$/);
  t.false(read.bytes.toString().includes(organization.apiKey));
});

test('200 a dispatcher reads it without the secret; 403 it changes nothing and rolls no key', async (t) => {
  const { organization, path, token: adminToken } = await admin();
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const body = { webhookUrl: 'https://hooks.example.com/secret-path' };
  t.is((await send(service, 'PATCH', path, { token: adminToken, body })).status, 200);
  const read = await send(service, 'GET', path, { token });
  t.is(read.status, 200);
  t.is(at(read.body, 'webhookSecret'), undefined);
  t.is(at(read.body, 'webhookUrl'), undefined);
  t.is((await send(service, 'PATCH', path, { token, body: { name: 'X' } })).status, 403);
  t.is((await send(service, 'POST', `${path}/api-key`, { token, body: {} })).status, 403);
});

test('403 a driver does not read it', async (t) => {
  const { organization, path } = await admin();
  const { token } = await makeUser(service, organization, 'ROLE_DRIVER');
  t.is((await send(service, 'GET', path, { token })).status, 403);
});

test('403 another organization can neither be read, changed nor given a key; 404 an unknown one', async (t) => {
  const { token } = await admin();
  const other = await admin();
  t.is((await send(service, 'GET', other.path, { token })).status, 403);
  t.is((await send(service, 'PATCH', other.path, { token, body: { name: 'X' } })).status, 403);
  t.is((await send(service, 'POST', `${other.path}/api-key`, { token, body: {} })).status, 403);
  const nowhere = '/organizations/3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11';
  t.is((await send(service, 'GET', nowhere, { token })).status, 404);
  const key = other.organization.apiKey;
  t.is(
    (await send(service, 'GET', '/external/shipments/3f0c2f1e-7f55-4c3e-9c39-2a0d0f6f5a11', { key })).status,
    404,
  );
});

test('200 webhookUrl and isWebhookEnabled are set on every plan, by the whole document too', async (t) => {
  for (const plan of ['pro', 'decouverte'] as const) {
    const { token, path } = await admin({ plan });
    const settings = { webhookUrl: 'https://hooks.example.com/in?a=1', isWebhookEnabled: true };
    const edited = await send(service, 'PATCH', path, { token, body: settings });
    t.is(edited.status, 200);
    t.like(edited.body, { ...settings, hasWebhooks: plan === 'pro' });
    const same = await send(service, 'PATCH', path, { token, body: edited.body });
    t.deepEqual([same.status, same.body], [200, edited.body]);
    const removed = await send(service, 'PATCH', path, { token, body: { webhookUrl: null } });
    t.is(at(removed.body, 'webhookUrl'), undefined);
    t.is(at(removed.body, 'isWebhookEnabled'), true);
  }
});

const UNUSABLE = [
  'http://hooks.example.com/',
  'HTTPS://hooks.example.com/',
  'ftp://hooks.example.com/',
  'hooks.example.com',
  'https://',
  'https://user:word@hooks.example.com/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://10.1.2.3/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::ffff:10.0.0.1]/',
  'https://2130706433/',
  'https://inside.example.com/',
  'https://mixed.example.com/',
  'https://metadata.example.com/',
  'https://nowhere.example.com/',
];
for (const webhookUrl of UNUSABLE) {
  test(`422 ${webhookUrl} is not a valid webhookUrl, and nothing changes`, async (t) => {
    const { token, path } = await admin();
    const answer = await send(service, 'PATCH', path, { token, body: { webhookUrl, name: 'Changed' } });
    t.is(answer.status, 422);
    t.is(at(answer.body, 'violations.0.propertyPath'), 'webhookUrl');
    const read = await send(service, 'GET', path, { token });
    t.is(at(read.body, 'webhookUrl'), undefined);
    t.not(at(read.body, 'name'), 'Changed');
  });
}

test('422 a change of webhookSecret, hasWebhooks, plan, currency or trackingPrefix', async (t) => {
  const { organization, token, path } = await admin({ plan: 'decouverte' });
  const changes = {
    webhookSecret: `whsec_${'0'.repeat(40)}`,
    hasWebhooks: true,
    plan: 'pro',
    currency: 'USD',
    trackingPrefix: 'NEW',
  };
  const before = await send(service, 'GET', path, { token });
  const all = await send(service, 'PATCH', path, { token, body: { ...changes, name: 'Changed' } });
  t.is(all.status, 422);
  const paths = violationPaths(all.body);
  t.deepEqual(paths.sort(), Object.keys(changes).sort());
  for (const [name, value] of Object.entries(changes)) {
    t.is((await send(service, 'PATCH', path, { token, body: { [name]: value } })).status, 422);
    t.is((await send(service, 'PATCH', path, { token, body: { [name]: null } })).status, 422);
  }
  const read = await send(service, 'GET', path, { token });
  t.is(at(read.body, 'webhookSecret'), organization.webhookSecret);
  t.not(at(read.body, 'name'), 'Changed');
  t.is(read.headers.get('etag'), before.headers.get('etag'));
});

test('200 tariff and deadlines apply to later shipments, and null restores the default', async (t) => {
  const { token, path } = await admin();
  const own = await send(service, 'GET', path, { token });
  const edited = await send(service, 'PATCH', path, {
    token,
    body: {
      tariff: { defaultBaseFee: '9.00', sizeSupplements: { large: '3.25' }, freeWeight: 1.5 },
      deadlineHours: { normal: 2 },
    },
  });
  t.is(edited.status, 200);
  t.like(edited.body, {
    tariff: { defaultBaseFee: '9.00', freeWeight: 1.5 },
    deadlineHours: { urgent: 4, high: 24, normal: 2, low: 72 },
  });
  const body = shipmentBodyWith({ packageSize: 'large', weight: 1.5 });
  const shipment = await send(service, 'POST', '/shipments', { token, body });
  t.is(at(shipment.body, 'deliveryFee'), '12.25');
  const deadline = Date.parse(String(at(shipment.body, 'deliveryDeadline')));
  t.true(Math.abs(deadline - Date.now() - 2 * 3_600_000) < 60_000);
  const reset = await send(service, 'PATCH', path, { token, body: { tariff: null, deadlineHours: null } });
  t.deepEqual(at(reset.body, 'tariff'), at(own.body, 'tariff'));
  t.deepEqual(at(reset.body, 'deadlineHours'), at(own.body, 'deadlineHours'));
});

test('200 the time zone dates tracking numbers', async (t) => {
  const { token, path } = await admin();
  const edited = await send(service, 'PATCH', path, { token, body: { timezone: 'Pacific/Kiritimati' } });
  t.is(edited.status, 200);
  const shipment = await send(service, 'POST', '/shipments', { token, body: shipmentBodyWith() });
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' });
  const day = format.format(new Date(String(at(shipment.body, 'createdAt')))).replaceAll('-', '');
  t.is(String(at(shipment.body, 'trackingNumber')).split('-')[1], day);
});

const REFUSED: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  ['a time zone that is none', { timezone: 'Europe/Atlantis' }, 'timezone'],
  ['an offset as time zone', { timezone: '+01:00' }, 'timezone'],
  ['an empty name', { name: ' ' }, 'name'],
  ['a removed name', { name: null }, 'name'],
  ['a negative fee', { tariff: { defaultBaseFee: '-1.00' } }, 'tariff.defaultBaseFee'],
  ['a fee that is a number', { tariff: { sizeSupplements: { small: 1 } } }, 'tariff.sizeSupplements.small'],
  ['a removed fee', { tariff: { perKilogram: null } }, 'tariff.perKilogram'],
  ['no hours', { deadlineHours: { urgent: 0 } }, 'deadlineHours.urgent'],
  ['half an hour', { deadlineHours: { urgent: 0.5 } }, 'deadlineHours.urgent'],
  ['a word for a switch', { isWebhookEnabled: 'yes' }, 'isWebhookEnabled'],
];
for (const [what, body, propertyPath] of REFUSED) {
  test(`422 rejects ${what}`, async (t) => {
    const { token, path } = await admin();
    const answer = await send(service, 'PATCH', path, { token, body });
    t.is(answer.status, 422);
    t.is(at(answer.body, 'violations.0.propertyPath'), propertyPath);
  });
}

test('412 an edit of settings that have changed since', async (t) => {
  const { token, path } = await admin();
  const etag = (await send(service, 'GET', path, { token })).headers.get('etag') ?? '';
  await send(service, 'PATCH', path, { token, body: { name: 'First' } });
  const headers = { 'if-match': etag };
  t.is((await send(service, 'PATCH', path, { token, headers, body: { name: 'Second' } })).status, 412);
});
