import { randomUUID } from 'node:crypto';
import test from 'ava';
import { createDocumentation } from '../../../api/openapi/documentation.ts';
import { REFUSAL_HELD_MS } from '../../../api/http/request-budgets.ts';
import { isJsonObject } from '../../../api/schema/json-schema.ts';
import { routes } from '../../../api/routes.ts';
import { execute } from '../../../store/connection.ts';
import { makeOrganization, makeUser } from '../../harness/make.ts';
import type { MadeUser } from '../../harness/make.ts';
import { at, send, textAt } from '../../harness/request.ts';
import type { HttpAnswer } from '../../harness/request.ts';
import type { TestService } from '../../harness/service.ts';
import { useService } from '../../harness/use-service.ts';

/** Two API processes over one database at a tenth of the budgets, by one clock that stands still until it is moved. */

const SETTINGS = { REQUEST_BUDGET_PERCENT: '10', EXTERNAL_REQUESTS_PER_MINUTE: '100' };
let nowMs = Date.now();
const overrides = { clock: () => new Date(nowMs) };
const service = useService({ withWorkers: false, settings: SETTINGS, overrides });
const twin = useService({ besides: service, withWorkers: false, settings: SETTINGS, overrides });

/** Lets time pass for both processes and for the database. */
async function wait(seconds: number): Promise<void> {
  await Promise.all([service, twin].map(({ dependencies }) => dependencies.budgets.settle()));
  nowMs += seconds * 1_000;
  await execute(
    service.database,
    'update request_budgets set moments = array(select m - make_interval(secs => $1) from unnest(moments) m)',
    [seconds],
  );
}

async function dispatcher(): Promise<MadeUser> {
  return makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
}

const list = ({ token }: MadeUser, api: TestService = service) => send(api, 'GET', '/zones', { token });
const search = ({ token }: MadeUser, api: TestService = service) =>
  send(api, 'GET', '/shipments?search=x', { token });

/** So many answers, at both processes in turn and all at once. */
function atBoth(requests: number, ask: (api: TestService) => Promise<HttpAnswer>): Promise<HttpAnswer[]> {
  return Promise.all(Array.from({ length: requests }, (_, index) => ask(index % 2 === 0 ? service : twin)));
}

const served = (answers: readonly HttpAnswer[]) => answers.filter(({ status }) => status < 300).length;
const limited = (answers: readonly HttpAnswer[]) => answers.filter(({ status }) => status === 429).length;

test.serial('429 a loop gets a problem with RateLimit headers; a client that waits is served', async (t) => {
  const user = await dispatcher();
  const first = await list(user);
  t.is(first.status, 200);
  t.is(first.headers.get('ratelimit-policy'), '"list-user";q=60;w=60, "list-organization";q=300;w=60');
  t.is(first.headers.get('ratelimit'), '"list-user";r=59;t=60, "list-organization";r=299;t=60');
  t.is(first.headers.get('x-ratelimit-remaining'), '59');
  for (let request = 1; request < 60; request += 1) t.is((await list(user)).status, 200);
  const askedAtMs = performance.now();
  const answer = await list(user);
  t.is(answer.status, 429);
  t.true(performance.now() - askedAtMs >= REFUSAL_HELD_MS - 5, 'a refusal is held back');
  t.is(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  t.is(at(answer.body, 'status'), 429);
  t.regex(textAt(answer.body, 'detail'), /list-user, 60 within 60 seconds/);
  t.regex(answer.headers.get('ratelimit') ?? '', /^"list-user";r=0;t=\d+$/);
  t.is(answer.headers.get('x-ratelimit-limit'), '60');
  t.is(answer.headers.get('x-ratelimit-remaining'), '0');
  const seconds = Number(answer.headers.get('retry-after'));
  t.true(seconds > 30 && seconds <= 60);
  await wait(seconds);
  t.is((await list(user)).status, 200);
});

test.serial('200 a used up budget is its user’s and its class’s alone', async (t) => {
  const organization = await makeOrganization(service);
  const user = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const colleague = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const stranger = await dispatcher();
  for (let request = 0; request < 61; request += 1) await list(user);
  t.is((await list(user)).status, 429);
  t.is((await list(colleague)).status, 200);
  t.is((await list(stranger)).status, 200);
  t.is((await send(service, 'GET', '/users/me', { token: user.token })).status, 200);
  t.is((await search(user)).status, 200);
});

test.serial('429 two processes share an exact budget: of 40 searches at once 9 are served', async (t) => {
  const user = await dispatcher();
  const answers = await atBoth(40, (api) => search(user, api));
  t.is(served(answers), 9);
  t.is(limited(answers), 31);
});

test.serial('429 two processes share a budget written behind, to a twentieth for each', async (t) => {
  const user = await dispatcher();
  const answers = await atBoth(150, (api) => list(user, api));
  t.is(served(answers) + limited(answers), 150);
  t.true(served(answers) >= 60 && served(answers) <= 66, String(served(answers)));
});

test.serial('429 an organization’s users share its budget, another organization has its own', async (t) => {
  const organization = await makeOrganization(service);
  const users = await Promise.all([1, 2, 3].map(() => makeUser(service, organization, 'ROLE_DISPATCHER')));
  const answers = await Promise.all(users.map((user) => atBoth(9, (api) => search(user, api))));
  t.is(served(answers.flat()), 24);
  const refused = answers.flat().find(({ status }) => status === 429);
  t.is(refused?.headers.get('ratelimit-policy'), '"search-organization";q=24;w=60');
  t.is((await search(await dispatcher())).status, 200);
});

test.serial('429 tests and replays of webhooks have a budget of the organization alone', async (t) => {
  const organization = await makeOrganization(service);
  const admin = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const other = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  const tested = `/organizations/${organization.id}/webhook-test`;
  t.is((await send(service, 'POST', tested, { token: admin.token })).status, 409);
  const refused = await send(twin, 'POST', tested, { token: other.token });
  t.is(refused.status, 429);
  t.is(refused.headers.get('ratelimit-policy'), '"webhook_test-organization";q=1;w=60');
  const answers = await atBoth(40, (api) =>
    send(api, 'POST', `/webhook-deliveries/${randomUUID()}/replay`, { token: admin.token }),
  );
  t.is(answers.filter(({ status }) => status === 404).length, 30);
  t.is(limited(answers), 10);
});

test.serial('429 a refresh past the budget leaves its token good', async (t) => {
  const user = await dispatcher();
  const json = { contentType: 'application/json' };
  const credentials = { email: user.email, password: user.password };
  const refresh = (refreshToken: string) =>
    send(twin, 'POST', '/token/refresh', { body: { refresh_token: refreshToken }, ...json });
  let { body } = await send(service, 'POST', '/login_check', { body: credentials, ...json });
  for (let round = 0; round < 2; round += 1) {
    const answer = await refresh(textAt(body, 'refresh_token'));
    t.is(answer.status, 200);
    t.is(answer.headers.get('x-ratelimit-remaining'), String(1 - round));
    ({ body } = answer);
  }
  const refused = await refresh(textAt(body, 'refresh_token'));
  t.is(refused.status, 429);
  t.is(refused.headers.get('ratelimit-policy'), '"session-user";q=2;w=60');
  t.is((await refresh('0'.repeat(128))).status, 401, 'guesses are charged to no user');
  await wait(Number(refused.headers.get('retry-after')));
  t.is((await refresh(textAt(body, 'refresh_token'))).status, 200);
});

test.serial(
  '429 a body for many shipments costs a unit for each, and is done whole or not at all',
  async (t) => {
    const { token } = await dispatcher();
    const approve = (shipments: number) =>
      send(service, 'POST', '/shipments/bulk-approve', {
        token,
        body: { shipmentIds: Array.from({ length: shipments }, () => randomUUID()) },
        contentType: 'application/json',
      });
    const first = await approve(50);
    t.is(first.status, 200);
    t.is(first.headers.get('x-ratelimit-remaining'), '10');
    t.is((await approve(11)).status, 429);
    t.is((await approve(9)).status, 200);
    t.is((await approve(1)).status, 429);
  },
);

test.serial('401 and 403 who is unknown is not counted, who may not is', async (t) => {
  const driver = await makeUser(service, await makeOrganization(service), 'ROLE_DRIVER');
  t.is((await send(service, 'GET', '/zones')).headers.get('ratelimit'), null);
  const forbidden = await list(driver);
  t.is(forbidden.status, 403);
  t.is(forbidden.headers.get('x-ratelimit-remaining'), '59');
});

test.serial('429 the external API keeps its 100 a minute, whatever the dashboard’s budgets', async (t) => {
  const organization = await makeOrganization(service);
  const user = await makeUser(service, organization, 'ROLE_DISPATCHER');
  for (let request = 0; request < 61; request += 1) await list(user);
  const read = (api: TestService) =>
    send(api, 'GET', `/external/shipments/${randomUUID()}`, { key: organization.apiKey });
  const answers = await atBoth(120, read);
  t.is(answers.filter(({ status }) => status === 404).length, 100);
  const policies = new Set(answers.map(({ headers }) => headers.get('ratelimit-policy')));
  t.deepEqual([...policies], ['"external";q=100;w=60']);
  t.is((await search(user)).status, 200);
});

test('every counted operation of the document lists 429 with its headers', (t) => {
  const { document } = createDocumentation(routes, 'http://localhost:8080').openApi;
  const paths = isJsonObject(document['paths']) ? document['paths'] : {};
  const silent = routes
    .filter(({ surface, operation }) => surface !== 'public' || operation === 'auth.refresh')
    .filter(({ path, method }) => {
      const answer = at(paths, `${path}.${method.toLowerCase()}.responses.429`);
      const name = isJsonObject(answer) ? answer['$ref'] : undefined;
      const described = typeof name === 'string' ? at(document, name.slice(2).replaceAll('/', '.')) : answer;
      return (
        at(described, 'headers.RateLimit') === undefined || at(described, 'headers.Retry-After') === undefined
      );
    });
  t.deepEqual(
    silent.map(({ operation }) => operation),
    [],
  );
});
