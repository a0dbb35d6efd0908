import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { loadApiConfig, loadWorkerConfig, loadWorkerDeploymentConfig } from '../../platform/config.ts';
import { ConfigError } from '../../platform/setting-reader.ts';
import { settingsReadBy } from './settings-read.ts';

const NEEDED_BY_BOTH = { DATABASE_URL: 'postgres://localhost/shipments', TEMPORAL_ADDRESS: 'localhost:7233' };
const SECRET = '356a8e14d7c2b9f0c5d8e1f20a7b3649';

test('the worker does not need the key of the tokens', (t) => {
  t.is(loadWorkerConfig(NEEDED_BY_BOTH).databaseUrl, NEEDED_BY_BOTH.DATABASE_URL);
  t.deepEqual(
    [...settingsReadBy(loadWorkerConfig)].filter((name) => /JWT|REFRESH|LOGIN|TRACKING/.test(name)),
    [],
  );
});

test('the API does not start without the key of the tokens, nor with a short one', (t) => {
  for (const [settings, message] of [
    [{}, /JWT_SECRET is missing: set it, or JWT_SECRET_FILE/],
    [{ JWT_SECRET: SECRET.slice(1) }, /JWT_SECRET must have at least 32 characters/],
  ] as const) {
    t.throws(() => loadApiConfig({ ...NEEDED_BY_BOTH, ...settings }), { instanceOf: ConfigError, message });
  }
  t.is(loadApiConfig({ ...NEEDED_BY_BOTH, JWT_SECRET: SECRET }).jwtSecret, SECRET);
});

test('the key of tracking links is optional, and not a short one', (t) => {
  const settings = { ...NEEDED_BY_BOTH, JWT_SECRET: SECRET };
  t.is(loadApiConfig(settings).trackingSecret, null);
  t.is(loadApiConfig({ ...settings, TRACKING_SECRET: SECRET }).trackingSecret, SECRET);
  t.throws(() => loadApiConfig({ ...settings, TRACKING_SECRET: SECRET.slice(1) }), {
    message: /TRACKING_SECRET must have at least 32 characters/,
  });
});

test('the address of a geocoder is that of a search whose form is known', (t) => {
  const settings = { ...NEEDED_BY_BOTH, JWT_SECRET: SECRET };
  t.is(loadApiConfig(settings).geocoderUrl, null);
  for (const url of ['http://photon:2322/api', 'https://maps.example.com/n/search/?countrycodes=dz']) {
    t.is(loadApiConfig({ ...settings, GEOCODER_URL: url }).geocoderUrl, url);
  }
  for (const url of ['photon', 'ftp://x/api', 'https://a:b@x/api', 'https://x/apis', 'https://x/']) {
    t.throws(() => loadApiConfig({ ...settings, GEOCODER_URL: url }), {
      message: /GEOCODER_URL must be an http or https address/,
    });
  }
});

test('without a collector there is no tracing; the other settings of it have the forms of OpenTelemetry', (t) => {
  const settings = { ...NEEDED_BY_BOTH, JWT_SECRET: SECRET };
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };
  for (const load of [loadApiConfig, loadWorkerConfig]) {
    t.is(load({ ...settings, OTEL_TRACES_SAMPLER_ARG: '0.5' }).tracing, null);
    t.deepEqual(load({ ...settings, ...collector }).tracing, {
      endpoint: 'http://localhost:4318',
      headers: {},
      share: 1,
    });
    const all = {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi==,x-tenant=a',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    t.like(load({ ...settings, ...collector, ...all }).tracing, {
      headers: { authorization: 'Basic YTpi==', 'x-tenant': 'a' },
      share: 0.25,
    });
    for (const [name, value] of [
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
      ['OTEL_EXPORTER_OTLP_HEADERS', 'Basic YTpi'],
      ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ] as const) {
      t.throws(() => load({ ...settings, ...collector, [name]: value }), {
        message: new RegExp(`- ${name} must be `),
      });
    }
  }
});

test('an address that is set has to be one', (t) => {
  const settings = { ...NEEDED_BY_BOTH, JWT_SECRET: SECRET };
  const rejects = (name: string, values: readonly string[]) => {
    for (const value of values) {
      const message = new RegExp(`- ${name} must be an http or https address`);
      t.throws(() => loadApiConfig({ ...settings, [name]: value }), { message }, `${name}: ${value}`);
    }
  };
  for (const name of ['PUBLIC_URL', 'TEMPORAL_UI_URL']) {
    rejects(name, [
      'desk.example.com',
      'ftp://example.com',
      'https://',
      'https://a b',
      'https://a:b:c',
      'javascript:alert(1)',
    ]);
  }
  const end = '{z}/{x}/{y}.png';
  rejects('MAP_TILES_URL', [
    'https://tiles.example.com/{z}/{x}.png',
    `tiles.example.com/${end}`,
    `https://tiles.example.com;script-src/${end}`,
    `https://tiles.example.com 'unsafe-inline'/${end}`,
    `https://tiles.{s}.example.com/${end}`,
  ]);
  for (const host of [
    'tiles.example.com',
    '{s}.tiles.example.com',
    'tile-{s}.example.com',
    'localhost:8081',
  ]) {
    const url = `https://${host}/${end}?key=1`;
    t.is(loadApiConfig({ ...settings, MAP_TILES_URL: url }).mapTilesUrl, url);
  }
  t.is(loadApiConfig({ ...settings, PUBLIC_URL: 'https://a.example/' }).publicUrl, 'https://a.example');
});

test('every invalid setting is listed, and no value is repeated', (t) => {
  const error = t.throws(() => loadApiConfig({ PORT: '70000', LOG_LEVEL: 'loud', JWT_SECRET: 'short' }), {
    instanceOf: ConfigError,
  });
  for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'PORT', 'LOG_LEVEL', 'JWT_SECRET']) {
    t.regex(error.message, new RegExp(`- ${name} `));
  }
  t.notRegex(error.message, /70000|loud|short/);
});

test('a setting is read from the file that NAME_FILE names; its own value comes first', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'secret');
  writeFileSync(file, `${SECRET}\n`);
  const settings = { ...NEEDED_BY_BOTH, JWT_SECRET_FILE: file };
  t.is(loadApiConfig(settings).jwtSecret, SECRET);
  t.is(loadApiConfig({ ...settings, JWT_SECRET: `${SECRET}77` }).jwtSecret, `${SECRET}77`);
  t.throws(() => loadApiConfig({ ...NEEDED_BY_BOTH, JWT_SECRET_FILE: join(folder, 'none') }), {
    message: /JWT_SECRET_FILE names a file that cannot be read/,
  });
});

test('commands are kept for as long as a transition may be repeated, or the worker does not start', (t) => {
  const retentionOf = (settings: Record<string, string>) =>
    loadWorkerConfig({ ...NEEDED_BY_BOTH, ...settings }).retention;
  t.is(retentionOf({}).commandDays, null);
  t.is(retentionOf({ COMMAND_RETENTION_DAYS: '30' }).commandDays, 30);
  t.is(retentionOf({ COMMAND_RETENTION_DAYS: '7', TRANSITION_KEY_DAYS: '7' }).commandDays, 7);
  t.throws(() => retentionOf({ COMMAND_RETENTION_DAYS: '29' }), {
    message: /COMMAND_RETENTION_DAYS must be at least TRANSITION_KEY_DAYS/,
  });
});

test('webhooks to private addresses are rejected by both processes in production', (t) => {
  for (const load of [loadApiConfig, loadWorkerConfig]) {
    const settings = { ...NEEDED_BY_BOTH, JWT_SECRET: SECRET, WEBHOOK_ALLOW_PRIVATE: '1' };
    t.throws(() => load(settings), { message: /WEBHOOK_ALLOW_PRIVATE is for laptops and tests/ });
    t.true(load({ ...settings, SERVICE_MODE: 'laptop' }).webhookAllowPrivate);
  }
});

test('worker versioning is off without a build id, and accepts names that Temporal accepts', (t) => {
  const read = (settings: Record<string, string>) =>
    loadWorkerConfig({ ...NEEDED_BY_BOTH, ...settings }).version;
  t.is(read({}), null);
  t.is(read({ WORKER_BUILD_ID: '' }), null);
  t.deepEqual(read({ WORKER_BUILD_ID: '1.0.0-abc' }), { deploymentName: 'shipments', buildId: '1.0.0-abc' });
  t.deepEqual(read({ WORKER_BUILD_ID: '7', WORKER_DEPLOYMENT_NAME: 'north' }), {
    deploymentName: 'north',
    buildId: '7',
  });
  for (const [name, value] of [
    ['WORKER_BUILD_ID', 'a:b'],
    ['WORKER_BUILD_ID', '__unversioned__'],
    ['WORKER_DEPLOYMENT_NAME', 'a.b'],
  ] as const) {
    t.throws(() => read({ [name]: value }), { message: new RegExp(`- ${name} must be`) });
  }
});

test('name servers for webhooks are addresses, each with or without a port', (t) => {
  const read = (servers: string) =>
    loadWorkerConfig({ ...NEEDED_BY_BOTH, WEBHOOK_NAME_SERVERS: servers }).webhookNameServers;
  t.is(read(''), null);
  t.deepEqual(read('192.0.2.1,192.0.2.2:5353,[2001:db8::1]:53'), [
    '192.0.2.1',
    '192.0.2.2:5353',
    '[2001:db8::1]:53',
  ]);
  for (const servers of ['dns.example', '192.0.2.1,', '192.0.2.1:port']) {
    t.throws(() => read(servers), { message: /- WEBHOOK_NAME_SERVERS must be IP addresses/ }, servers);
  }
});

test('the command worker-deployment reads where Temporal is and which build is meant', (t) => {
  const { temporal, ...rest } = loadWorkerDeploymentConfig({ TEMPORAL_ADDRESS: 'localhost:7233' });
  t.is(temporal.address, 'localhost:7233');
  t.deepEqual(rest, { deploymentName: 'shipments', buildId: null });
});
