import { createServer } from 'node:http';
import test from 'ava';
import { createApp } from '../../../api/app.ts';
import { PROBLEM_STATUS, problemResponse } from '../../../api/http/problem-response.ts';
import { createDocumentation } from '../../../api/openapi/documentation.ts';
import { routes } from '../../../api/routes.ts';
import { isJsonObject } from '../../../api/schema/json-schema.ts';
import { connectDatabase } from '../../../store/connection.ts';
import { makeTeam } from '../../harness/make.ts';
import { at, textOrEmpty } from '../../harness/json.ts';
import { useService } from '../../harness/use-service.ts';

const LIMITS = {
  EXTERNAL_REQUESTS_PER_MINUTE: '1',
  LOGIN_ATTEMPTS_PER_MINUTE: '1',
  TRACKING_REQUESTS_PER_MINUTE: '1',
  REQUEST_BUDGET_PERCENT: '10',
};
const service = useService({ withWorkers: false, settings: LIMITS });

test('every problem of the statuses 429 and 503 has Retry-After in whole seconds from 1', (t) => {
  const kinds = Object.entries(PROBLEM_STATUS).filter(([, { status }]) => status === 429 || status === 503);
  t.deepEqual(
    kinds.map(([kind]) => kind),
    ['limited', 'unavailable'],
  );
  for (const kind of ['limited', 'unavailable'] as const) {
    const seconds = [0, 0.2, 1, 12.1].map((retryAfterSeconds) => {
      const { headers } = problemResponse({ kind, detail: 'x', retryAfterSeconds }, 'x');
      return headers['retry-after'];
    });
    t.deepEqual(seconds, ['1', '1', '1', '13']);
  }
});

function membersOf(value: unknown): readonly (readonly [name: string, member: unknown])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

test('/docs has Retry-After, as required, with each 429 and 503 of each operation', (t) => {
  const { document } = createDocumentation(routes, 'http://localhost:8080').openApi;
  const answers = membersOf(document['paths']).flatMap(([path, operations]) =>
    membersOf(operations).flatMap(([method, operation]) =>
      membersOf(at(operation, 'responses'))
        .filter(([status]) => status === '429' || status === '503')
        .map(([status, answer]) => ({ where: `${status} ${method} ${path}`, answer })),
    ),
  );
  t.true(answers.length > 100, String(answers.length));
  for (const { where, answer } of answers) {
    const name = textOrEmpty(answer, '$ref').split('/').at(-1) ?? '';
    const headers = at(answer, 'headers') ?? at(document, `components.responses.${name}.headers`);
    t.is(at(headers, 'Retry-After.$ref'), '#/components/headers/Retry-After', where);
  }
  t.like(at(document, 'components.headers.Retry-After'), {
    required: true,
    schema: { type: 'integer', minimum: 1 },
  });
});

test('429 says in seconds when to retry and when the window resets, wherever it is counted', async (t) => {
  const { organization, token, user } = await makeTeam(service);
  const bearer = { authorization: `Bearer ${token}` };
  const signIn = { email: user.email, password: 'wrong' };
  const asked: readonly (readonly [string, RequestInit])[] = [
    ['/api/v1/external/shipments/x', { headers: { 'x-api-key': organization.apiKey } }],
    ['/api/v1/shipments/export', { headers: bearer }],
    ['/t/x', {}],
    [
      '/api/v1/login_check',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(signIn) },
    ],
  ];
  for (const [path, request] of asked) {
    const [, second] = [
      await fetch(`${service.baseUrl}${path}`, request),
      await fetch(`${service.baseUrl}${path}`, request),
    ];
    t.is(second.status, 429, path);
    const [, reset = ''] = /;t=(\d+)$/.exec(second.headers.get('ratelimit') ?? '') ?? [];
    t.is(second.headers.get('x-ratelimit-reset'), reset, path);
    for (const seconds of [reset, second.headers.get('retry-after')]) {
      t.true(Number(seconds) >= 1 && Number(seconds) <= 60, `${path}: ${seconds}`);
    }
  }
});

test('503 without a database has Retry-After on each surface, the recipients’ page, the probe', async (t) => {
  const { organization, token } = await makeTeam(service);
  const database = connectDatabase('postgres://127.0.0.1:1/none', { poolSize: 1, applicationName: 'test' });
  t.teardown(() => database.close());
  const app = createApp({ ...service.dependencies, database });
  app.silent = true;
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const asked: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['/api/v1/shipments', { authorization: `Bearer ${token}` }],
    ['/api/v1/external/shipments/x', { 'x-api-key': organization.apiKey }],
    ['/t/x', {}],
    ['/health/ready', {}],
  ];
  for (const [path, headers] of asked) {
    const answer = await fetch(`http://127.0.0.1:${port ?? ''}${path}`, { headers });
    t.is(answer.status, 503, path);
    t.is(answer.headers.get('retry-after'), '2', path);
    await answer.arrayBuffer();
  }
});
