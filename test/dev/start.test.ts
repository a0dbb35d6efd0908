import test from 'ava';
import { chooseMode, StartError } from '../../ops/start-mode.ts';
import { banner } from '../../dev/start/banner.ts';
import { wantsDemo } from '../../dev/start/demo.ts';
import { metricsPorts, metricsUrls } from '../../dev/start/port-plan.ts';

const DATABASE = { DATABASE_URL: 'postgres://host/shipments' };
const TEMPORAL = { TEMPORAL_ADDRESS: 'host:7233' };

test('neither address is the laptop mode, both are production', (t) => {
  t.is(chooseMode({}), 'laptop');
  t.is(chooseMode({ DATABASE_URL: '', TEMPORAL_ADDRESS: '' }), 'laptop');
  t.is(chooseMode({ ...DATABASE, ...TEMPORAL }), 'production');
  t.is(chooseMode({ DATABASE_URL_FILE: '/run/secrets/url', ...TEMPORAL }), 'production');
});

for (const [environment, missing] of [
  [DATABASE, 'TEMPORAL_ADDRESS'],
  [TEMPORAL, 'DATABASE_URL'],
  [{ DATABASE_URL_FILE: '/run/secrets/url' }, 'TEMPORAL_ADDRESS'],
] as const) {
  test(`${Object.keys(environment).join()} alone is rejected, and ${missing} is named`, (t) => {
    const error = t.throws(() => chooseMode(environment), { instanceOf: StartError });
    t.regex(error.message, new RegExp(`${missing} is not`));
  });
}

test('the ports for Prometheus are set on loopback alone', async (t) => {
  const names = ['METRICS_PORT', 'WORKER_HEALTH_PORT', 'TEMPORAL_METRICS_PORT'];
  for (const host of [undefined, '', '127.0.0.1']) t.deepEqual(Object.keys(await metricsPorts(host)), names);
  t.deepEqual(await metricsPorts('0.0.0.0'), {});
  t.deepEqual(metricsUrls('127.0.0.1', { METRICS_PORT: '9470', PORT: '8080' }), {
    METRICS_PORT: 'http://127.0.0.1:9470/metrics',
  });
});

test('the banner shows every address and account, and says when the passwords are lost', (t) => {
  const addresses = {
    publicUrl: 'http://localhost:8080',
    temporalUiUrl: 'http://localhost:8233',
    temporalAddress: '127.0.0.1:7233',
    credentialsFile: '/data/demo-credentials.json',
    logFolder: '/data/logs',
    authority: { certificateFile: '/data/a.pem', keyFile: '/data/a-key.pem' },
  };
  const user = { email: 'admin@example.org', password: 'correct horse', role: 'ROLE_ORG_ADMIN' } as const;
  const organization = {
    id: '1',
    name: 'Atlas',
    plan: 'pro',
    apiKey: 'key-1',
    webhookSecret: 'whsec_0',
  } as const;
  const page = banner(addresses, { organizations: [{ ...organization, users: [user] }] }, 2);
  for (const part of [
    ...['http://localhost:8080/api/v1/docs', 'http://localhost:8233', '/data/demo-credentials.json'],
    ...['http://localhost:8080/desk/', 'admin: everything'],
    ...['Atlas', 'key-1', 'admin@example.org', 'correct horse', 'npm run story', 'curl -X POST'],
  ]) {
    t.true(page.includes(part), part);
  }
  t.true(page.indexOf('/desk/') < page.indexOf('/api/v1'), 'the console comes first');
  t.false(page.includes('whsec_0'), 'a webhook secret has no place on a screen');
  t.regex(banner(addresses, undefined, 2), /demo-credentials\.json is missing/);
});

test('example shipments are left out by DEMO=0 alone', (t) => {
  t.deepEqual([{}, { DEMO: '' }, { DEMO: '1' }, { DEMO: '0' }].map(wantsDemo), [true, true, true, false]);
});
