import { readFile } from 'node:fs/promises';
import test from 'ava';
import { parse } from 'yaml';
import {
  DYNAMIC_CONFIG,
  SEARCH_ATTRIBUTES as LAPTOP_ATTRIBUTES,
} from '../../../scripts/engines/temporal-server.ts';
import { readComposeFile } from '../../../scripts/production/compose-file.ts';
import { readAllowedPaths, readDockerfile } from '../../../scripts/production/dockerfile.ts';
import { loadApiConfig, loadWorkerConfig } from '../../../platform/config.ts';
import { SEARCH_ATTRIBUTES } from '../../../workflows/messages.ts';
import { settingsReadBy } from '../../platform/settings-read.ts';

const composeText = await readFile('docker-compose.yml', 'utf8');

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

test('api and worker are given settings and secrets that they read, and no others', (t) => {
  const services = readComposeFile(composeText, {});
  for (const [name, load, secrets] of [
    ['api', loadApiConfig, { DATABASE_URL: 'postgres://postgres/shipments', JWT_SECRET: 'x'.repeat(96) }],
    ['worker', loadWorkerConfig, { DATABASE_URL: 'postgres://postgres/shipments' }],
  ] as const) {
    const service = services.get(name);
    const environment = service?.environment ?? {};
    const read = settingsReadBy(load);
    for (const setting of Object.keys(environment)) t.true(read.has(setting.replace(/_FILE$/, '')), setting);
    t.deepEqual(
      Object.keys(environment).filter((setting) => setting.endsWith('_FILE')),
      Object.keys(secrets).map((setting) => `${setting}_FILE`),
    );
    t.deepEqual(
      service?.secrets,
      Object.keys(secrets).map((setting) => setting.toLowerCase()),
    );
    const config = load({ ...environment, ...secrets });
    t.is(config.mode, 'production');
    t.is(config.temporal.namespace, 'shipments');
  }
});

test('no service of the compose file publishes a port of the database or of Temporal', (t) => {
  const publishing = [...readComposeFile(composeText, {}).values()].filter(({ ports }) => ports.length > 0);
  t.deepEqual(publishing.map(({ name }) => name).sort(), ['api', 'temporal-ui']);
  for (const { ports } of publishing) for (const port of ports) t.regex(port, /^127\.0\.0\.1:/);
});

test('variables and their defaults are put in, and an unknown form is refused', (t) => {
  const read = (value: string, variables: Record<string, string>) =>
    readComposeFile(
      JSON.stringify({ services: { one: { image: 'i', environment: { A: value } } } }),
      variables,
    ).get('one')?.environment['A'];
  t.is(read('${B:-x}-${C:-}', {}), 'x-');
  t.is(read('${B:-x}', { B: 'y' }), 'y');
  t.is(read('${B:-x}', { B: '' }), 'x');
  t.throws(() => read('${B:?must be set}', {}), { message: /form not known/ });
});

test('an instruction that the proof would leave out is refused', (t) => {
  t.throws(() => readDockerfile('FROM a\nADD x y'), { message: /ADD/ });
  const [stage] = readDockerfile('FROM a AS b\n# a comment\nRUN one \\\n  two');
  t.deepEqual(stage, { name: 'b', baseImage: 'a', instructions: [{ keyword: 'RUN', rest: 'one    two' }] });
});

test('the build sees what .dockerignore names, and neither secrets nor tests', async (t) => {
  const allowed = readAllowedPaths(await readFile('.dockerignore', 'utf8'));
  for (const path of ['secrets', 'test', '.data', '.git', '.env', 'docs'])
    t.false(allowed.includes(path), path);
  t.throws(() => readAllowedPaths('node_modules\n'), { message: /begin with \*/ });
});
