import test from 'ava';
import { parse } from 'yaml';
import { isJsonObject } from '../../../api/schema/json-schema.ts';
import { at, send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

test('200 a browser gets the page, a tool the description, each by its Accept', async (t) => {
  const typeFor = async (accept: string) => {
    const answer = await send(service, 'GET', '/docs', { headers: { accept } });
    t.is(answer.status, 200, accept);
    return answer.headers.get('content-type');
  };
  t.is(await typeFor(BROWSER), 'text/html; charset=utf-8');
  t.is(await typeFor('*/*'), 'application/json; charset=utf-8');
  t.is(await typeFor('application/json'), 'application/json; charset=utf-8');
  for (const type of [
    'application/vnd.oai.openapi+json',
    'application/vnd.openapi+json',
    'application/yaml',
    'application/vnd.oai.openapi',
    'application/vnd.openapi+yaml',
    'application/x-yaml',
    'text/yaml',
  ]) {
    t.is(await typeFor(`${type};version=3.1`), `${type}; charset=utf-8`);
  }
});

test('406 names the types in which the description is available', async (t) => {
  const answer = await send(service, 'GET', '/docs', { headers: { accept: 'image/png' } });
  t.is(answer.status, 406);
  t.regex(String(at(answer.body, 'detail')), /application\/json.*text\/html.*application\/yaml/);
});

test('200 each type has the form that it names', async (t) => {
  const read = async (accept: string) => send(service, 'GET', '/docs', { headers: { accept } });
  const json = await read('application/vnd.openapi+json');
  t.is(at(json.body, 'openapi'), '3.1.0');
  t.deepEqual(parse(String((await read('application/x-yaml')).body)), json.body);
});

test('200 docs.yaml says the same as docs.json, under the address of this service', async (t) => {
  const [json, yaml] = await Promise.all([
    send(service, 'GET', '/docs.json'),
    send(service, 'GET', '/docs.yaml'),
  ]);
  t.deepEqual(parse(String(yaml.body)), json.body);
  t.is(at(json.body, 'openapi'), '3.1.0');
  t.is(at(json.body, 'servers.0.url'), `${service.config.publicUrl}/api/v1`);
});

test('200 the page loads only files of this service, and its policy enforces that', async (t) => {
  const page = await send(service, 'GET', '/docs', { headers: { accept: BROWSER } });
  const html = String(page.body);
  const files = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, file]) => file ?? '');
  t.deepEqual(
    files.filter((file) => !file.startsWith('docs/')),
    [],
  );
  t.notRegex(html, /<script(?![^>]*src=)/, 'an inline script');
  for (const file of files) {
    const answer = await fetch(`${service.baseUrl}/api/v1/${file}`);
    const { byteLength } = await answer.arrayBuffer();
    t.is(answer.status, 200, file);
    t.true(byteLength > 100, file);
  }
  const policy = page.headers.get('content-security-policy') ?? '';
  t.regex(policy, /default-src 'none'/);
  t.regex(policy, /script-src 'self'(;|$)/);
});

test('304 for a description that the client has', async (t) => {
  const first = await send(service, 'GET', '/docs.json');
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  t.is((await send(service, 'GET', '/docs.json', { headers })).status, 304);
  t.is((await send(service, 'GET', '/docs.yaml', { headers })).status, 200, 'another form has another tag');
});

test('405 a description cannot be changed', async (t) => {
  const answer = await send(service, 'POST', '/docs', { body: {} });
  t.is(answer.status, 405);
  t.is(answer.headers.get('allow'), 'OPTIONS, GET, HEAD');
});

test('200 the webhook is described with its signature, and its example is its own body', async (t) => {
  const { body } = await send(service, 'GET', '/docs.json');
  const setting = ['paths', '/organizations/{id}', 'patch', 'callbacks', 'shipment.status_changed'];
  const operation = inside(body, [...setting, '{$request.body#/webhookUrl}', 'post']);
  t.is(at(operation, 'parameters.0.name'), 'X-Service-Signature');
  const example = inside(operation, ['requestBody', 'content', 'application/json', 'example']);
  t.is(at(example, 'event'), 'shipment.status_changed');
});

/** As `at`, for names that have points in them. */
function inside(value: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>((part, name) => (isJsonObject(part) ? part[name] : undefined), value);
}
