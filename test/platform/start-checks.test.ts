import test from 'ava';
import { loadApiConfig, loadWorkerConfig } from '../../platform/config.ts';
import { START_CHECKS } from '../../platform/start-checks.ts';

const STRONG = 'c5d8e1f20a7b36490f9b2c7d41e8a653';
/** Settings of production that pass every check. */
const SAFE: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://a:b@db.example.com/shipments?sslmode=verify-full',
  TEMPORAL_ADDRESS: 'temporal.example.com:7233',
  TEMPORAL_TLS: '1',
  PUBLIC_URL: 'https://desk.example.com',
  JWT_SECRET: STRONG,
};

/** Settings that one check rejects: the setting that it names, and whether a private network allows them. */
const UNSAFE: readonly (readonly [
  setting: string,
  values: readonly string[],
  isAllowedInPrivate: boolean,
])[] = [
  [
    'JWT_SECRET',
    [
      'x'.repeat(40),
      'abcdefgh'.repeat(5),
      `${STRONG}-changeme`,
      `my-secret-${STRONG}`,
      '1231231231'.repeat(4),
    ],
    false,
  ],
  ['TRACKING_SECRET', ['y'.repeat(40), `Password${STRONG}`], false],
  [
    'DATABASE_URL',
    [
      'postgres://a:b@db.example.com/shipments',
      'postgres://a:b@10.0.0.7/shipments?sslmode=prefer',
      'postgres://a:b@db.example.com/shipments?sslmode=no-verify',
      'postgres://localhost/shipments?host=db.example.com',
    ],
    true,
  ],
  ['TEMPORAL_ADDRESS', ['temporal:7233', '10.0.0.8:7233'], true],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    ['http://collector:4318', 'http://10.0.0.5:4318', 'http://localhost.example.com'],
    true,
  ],
  ['PUBLIC_URL', ['http://desk.example.com', 'http://10.0.0.9:8080', 'http://localhost.example.com'], false],
];

const withoutTls = (name: string) => (name === 'TEMPORAL_ADDRESS' ? { TEMPORAL_TLS: '0' } : {});

test('production does not start with any row of the table, and says which and why', (t) => {
  t.is(UNSAFE.length, START_CHECKS.length);
  t.notThrows(() => loadApiConfig(SAFE));
  for (const [name, values, isAllowedInPrivate] of UNSAFE) {
    for (const value of values) {
      const settings = { ...SAFE, ...withoutTls(name), [name]: value };
      const error = t.throws(() => loadApiConfig(settings), { message: new RegExp(`- ${name} `) }, value);
      t.is(error.message.split('\n').length, 2, value);
      t.false(error.message.includes(value), 'no value is repeated');
      const inPrivate = () => loadApiConfig({ ...settings, PRIVATE_NETWORK: '1' });
      if (isAllowedInPrivate) t.notThrows(inPrivate, value);
      else t.throws(inPrivate, { message: new RegExp(`- ${name} `) }, value);
      t.notThrows(() => loadApiConfig({ ...settings, SERVICE_MODE: 'laptop' }), value);
    }
  }
});

test('loopback needs no encryption', (t) => {
  for (const [name, values] of [
    [
      'DATABASE_URL',
      [
        'postgres://localhost/shipments',
        'postgres://a@127.0.0.1:5432/shipments',
        'postgres://a@[::1]/shipments',
        'postgres://a@localhost/shipments?host=/var/run/postgresql',
      ],
    ],
    ['TEMPORAL_ADDRESS', ['localhost:7233', '127.0.0.1:7233', '[::1]:7233']],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ['http://localhost:4318', 'http://[::1]:4318/']],
    ['PUBLIC_URL', ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:8080']],
  ] as const) {
    for (const value of values) {
      t.notThrows(() => loadApiConfig({ ...SAFE, ...withoutTls(name), [name]: value }), value);
    }
  }
});

test('the worker is held to the checks of what it reads', (t) => {
  const { DATABASE_URL, TEMPORAL_ADDRESS } = SAFE;
  const settings = { DATABASE_URL, TEMPORAL_ADDRESS, PUBLIC_URL: 'http://desk.example.com' };
  t.throws(() => loadWorkerConfig(settings), { message: /^Invalid settings:\n {2}- TEMPORAL_ADDRESS .*$/ });
  t.notThrows(() => loadWorkerConfig({ ...settings, TEMPORAL_TLS: '1' }));
});
