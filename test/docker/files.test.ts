import { readFile } from 'node:fs/promises';
import test from 'ava';
import { parse } from 'yaml';
import { DYNAMIC_CONFIG, SEARCH_ATTRIBUTES as LAPTOP_ATTRIBUTES } from '../../dev/engines/temporal-server.ts';
import { loadApiConfig, loadWorkerConfig } from '../../platform/config.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/messages.ts';
import { at } from '../harness/request.ts';
import { settingsReadBy } from '../platform/settings-read.ts';

/** What the files of the container deployment say, held to the code that reads it. */

const DEFAULT = /\$\{\w+:?[-?]([^}]*)\}/g;
const composeText = (await readFile('docker-compose.yml', 'utf8')).replaceAll(
  DEFAULT,
  (_, value: string) => value,
);
const compose: unknown = parse(composeText, { merge: true });

function memberNames(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function environmentOf(service: string): Readonly<Record<string, string>> {
  const environment = at(compose, `services.${service}.environment`);
  return Object.fromEntries(
    // Compose gives an empty default as an empty text, which YAML reads as null.
    memberNames(environment).map(
      (name) => [name, String(at(environment, name)).replace(/^null$/, '')] as const,
    ),
  );
}

test('the compose file and the laptop give Temporal the same dynamic configuration', async (t) => {
  const document: unknown = parse(await readFile('docker/temporal/dynamic-config.yaml', 'utf8'));
  const expected = Object.fromEntries(
    DYNAMIC_CONFIG.map((setting) => setting.split('=')).map(([name = '', value = '']) => [
      name,
      [{ value: value === 'true' ? true : Number(value) }],
    ]),
  );
  t.deepEqual(document, expected);
});

test('the laptop’s server has the search attributes that the command registers', (t) => {
  const registered = Object.values(SEARCH_ATTRIBUTES).map(({ name, type }) => [name, type] as const);
  t.deepEqual(
    Object.entries(LAPTOP_ATTRIBUTES).map(([name, type]) => [name, type.toUpperCase()] as const),
    registered,
  );
});

for (const [service, load, secrets] of [
  [
    'api',
    loadApiConfig,
    {
      DATABASE_URL: 'postgres://postgres/shipments',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
      JWT_SECRET: '0f9b2c7d41e8a653c5d8e1f20a7b3649',
      TRACKING_SECRET: '9463b7a02f1e8d5c356a8e14d7c2b9f0',
    },
  ],
  [
    'worker',
    loadWorkerConfig,
    {
      DATABASE_URL: 'postgres://postgres/shipments',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    },
  ],
] as const) {
  test(`${service} is given settings and secrets that it reads, and no others`, (t) => {
    const environment = environmentOf(service);
    const read = settingsReadBy(load);
    for (const setting of Object.keys(environment)) t.true(read.has(setting.replace(/_FILE$/, '')), setting);
    t.deepEqual(
      Object.keys(environment).filter((setting) => setting.endsWith('_FILE')),
      Object.keys(secrets).map((setting) => `${setting}_FILE`),
    );
    t.deepEqual(
      at(compose, `services.${service}.secrets`),
      Object.keys(secrets).map((setting) => setting.toLowerCase()),
    );
    const config = load({ ...environment, ...secrets });
    t.is(config.mode, 'production');
    t.is(config.temporal.namespace, 'shipments');
  });
}

test('no service of the compose file publishes a port of the database or of Temporal', (t) => {
  const services = at(compose, 'services');
  const publishing = memberNames(services).filter((name) => at(services, `${name}.ports`) !== undefined);
  t.deepEqual(publishing.sort(), ['api', 'temporal-ui']);
  for (const name of publishing) t.regex(String(at(services, `${name}.ports.0`)), /^127\.0\.0\.1:/);
});

test('the build sees what .dockerignore names, and neither secrets nor tests', async (t) => {
  const lines = (await readFile('.dockerignore', 'utf8')).split('\n');
  t.true(lines.includes('*'));
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const path of ['secrets', 'test', '.data', '.git', '.env', 'docs'])
    t.false(allowed.includes(path), path);
});
