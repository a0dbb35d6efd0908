import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute, selectOne } from '../../../store/connection.ts';
import { deleteExpired } from '../../../store/expiry.ts';
import { makeOrganization, shipmentBodyWith } from '../../harness/make.ts';
import type { MadeOrganization } from '../../harness/make.ts';
import { at, send } from '../../harness/request.ts';
import type { HttpAnswer } from '../../harness/request.ts';
import type { TestService } from '../../harness/service.ts';
import { useService } from '../../harness/use-service.ts';

/** Two API processes over one database, with the contract's limit of 100 a minute. */

const LIMIT = { EXTERNAL_REQUESTS_PER_MINUTE: '100' };
const service = useService({ withWorkers: false, settings: LIMIT });
const twin = useService({ besides: service, withWorkers: false, settings: LIMIT });

function ask({ apiKey }: MadeOrganization, api: TestService = service): Promise<HttpAnswer> {
  return send(api, 'GET', `/external/shipments/${randomUUID()}`, { key: apiKey });
}

/** Lets time pass for an organization's window, as the database would see it. */
async function age({ id }: MadeOrganization, seconds: number): Promise<void> {
  await execute(
    service.database,
    `update rate_windows set hits = array(select h - make_interval(secs => $2) from unnest(hits) h)
     where subject = 'external:' || $1`,
    [id, seconds],
  );
}

/** Fills the window by so many hits of the last moment, without making the requests. */
async function fill({ id }: MadeOrganization, hits: number): Promise<void> {
  await execute(
    service.database,
    `insert into rate_windows (subject, hits, was_accepted)
     values ('external:' || $1, array(select clock_timestamp() from generate_series(1, $2::int)), true)
     on conflict (subject) do update set hits = excluded.hits`,
    [id, hits],
  );
}

test('429 of 120 requests at once at two processes exactly 100 are taken', async (t) => {
  const organization = await makeOrganization(service);
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, index) => ask(organization, index % 2 === 0 ? service : twin)),
  );
  const statuses = answers.map(({ status }) => status);
  t.is(statuses.filter((status) => status === 404).length, 100);
  t.is(statuses.filter((status) => status === 429).length, 20);
  const remaining = answers
    .filter(({ status }) => status === 404)
    .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    .sort((left, right) => left - right);
  t.deepEqual(
    remaining,
    Array.from({ length: 100 }, (_, index) => index),
  );
});

test('404 every answer tells limit, rest and reset in both families of headers', async (t) => {
  const organization = await makeOrganization(service);
  await ask(organization);
  const { headers } = await ask(organization, twin);
  t.is(headers.get('ratelimit-policy'), '"external";q=100;w=60');
  t.regex(headers.get('ratelimit') ?? '', /^"external";r=98;t=(?:60|[345]\d)$/);
  t.is(headers.get('x-ratelimit-limit'), '100');
  t.is(headers.get('x-ratelimit-remaining'), '98');
  t.regex(headers.get('x-ratelimit-reset') ?? '', /^(?:60|[345]\d)$/);
  t.is(headers.get('retry-after'), null);
});

test('429 tells when to come back, as a problem document, and creates nothing', async (t) => {
  const organization = await makeOrganization(service);
  await fill(organization, 100);
  const answer = await send(service, 'POST', '/external/shipments', {
    key: organization.apiKey,
    body: shipmentBodyWith(),
  });
  t.is(answer.status, 429);
  t.is(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  t.is(at(answer.body, 'status'), 429);
  const seconds = Number(answer.headers.get('retry-after'));
  t.true(seconds > 30 && seconds <= 60);
  t.is(answer.headers.get('x-ratelimit-remaining'), '0');
  t.regex(answer.headers.get('ratelimit') ?? '', /r=0;t=\d+$/);
  const intake = await selectOne(
    service.database,
    'select id from external_intakes where organization_id = $1',
    [organization.id],
  );
  t.is(intake, undefined);
});

test('404 waiting exactly as Retry-After says succeeds, two seconds less does not', async (t) => {
  const organization = await makeOrganization(service);
  await fill(organization, 100);
  const limited = await ask(organization);
  t.is(limited.status, 429);
  const seconds = Number(limited.headers.get('retry-after'));
  await age(organization, seconds - 2);
  t.is((await ask(organization, twin)).status, 429);
  await age(organization, 2);
  t.is((await ask(organization)).status, 404);
});

test('404 the window slides: what is older than a minute counts no more, what is younger does', async (t) => {
  const organization = await makeOrganization(service);
  await fill(organization, 60);
  await age(organization, 30);
  for (let request = 0; request < 40; request += 1) t.is((await ask(organization)).status, 404);
  t.is((await ask(organization)).status, 429);
  // Half a minute on, the sixty have left; the forty still count.
  await age(organization, 30);
  const answer = await ask(organization);
  t.is(answer.status, 404);
  t.is(answer.headers.get('x-ratelimit-remaining'), '59');
});

test('429 refused requests are free: they do not put off the moment that was told', async (t) => {
  const organization = await makeOrganization(service);
  await fill(organization, 100);
  await age(organization, 50);
  const first = Number((await ask(organization)).headers.get('retry-after'));
  for (let request = 0; request < 5; request += 1) await ask(organization);
  t.true(Number((await ask(organization)).headers.get('retry-after')) <= first);
  await age(organization, first);
  t.is((await ask(organization)).status, 404);
});

test('404 organizations are limited apart, wrong keys are charged to nobody', async (t) => {
  const organization = await makeOrganization(service);
  await fill(organization, 100);
  t.is((await ask(organization)).status, 429);
  t.is((await ask(await makeOrganization(service))).status, 404);
  const wrong = await send(service, 'GET', `/external/shipments/${randomUUID()}`, { key: 'sds_wrong' });
  t.is(wrong.status, 401);
  t.is(wrong.headers.get('ratelimit'), null);
});

test('422 and 415 an invalid request counts like any other', async (t) => {
  const organization = await makeOrganization(service);
  const { apiKey } = organization;
  const invalid = await send(service, 'POST', '/external/shipments', { key: apiKey, body: {} });
  t.is(invalid.status, 422);
  t.is(invalid.headers.get('x-ratelimit-remaining'), '99');
  const wrongType = { key: apiKey, body: 'x', contentType: 'text/plain' };
  const refused = await send(service, 'POST', '/external/shipments', wrongType);
  t.is(refused.status, 415);
  t.is(refused.headers.get('x-ratelimit-remaining'), '98');
});

test('windows that nobody has used for an hour are cleared away, others are kept', async (t) => {
  const idle = await makeOrganization(service);
  const busy = await makeOrganization(service);
  await fill(idle, 3);
  await age(idle, 3_700);
  await fill(busy, 3);
  await deleteExpired(service.database);
  const exists = (organization: MadeOrganization) =>
    selectOne(service.database, `select subject from rate_windows where subject = 'external:' || $1`, [
      organization.id,
    ]);
  t.is(await exists(idle), undefined);
  t.not(await exists(busy), undefined);
});
