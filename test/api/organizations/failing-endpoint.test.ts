import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { storeTestEvent } from '../../../store/webhooks/webhook-deliveries.ts';
import { makeOrganization, makeUser } from '../../harness/make.ts';
import { at, send, violationPaths } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

/** How people see that nothing reaches their receiver (decision 0016). */
const service = useService({ withWorkers: false });

const WEBHOOK_URL = 'https://shop.example/hook';

/** An organization to whose endpoint nothing was delivered for so many minutes. */
async function makeFailing(minutes: number) {
  const organization = await makeOrganization(service, { webhookUrl: WEBHOOK_URL });
  const { token } = await makeUser(service, organization, 'ROLE_ORG_ADMIN');
  await storeTestEvent(service.database, organization.id);
  await execute(
    service.database,
    `insert into webhook_endpoints (organization_id, url, failing_since)
     values ($1, $2, clock_timestamp() - make_interval(mins => $3))`,
    [organization.id, WEBHOOK_URL, minutes],
  );
  const path = `/organizations/${organization.id}`;
  const shown = async () => {
    const { body } = await send(service, 'GET', path, { token });
    const list = await send(service, 'GET', '/webhook-deliveries', { token });
    return [at(body, 'webhookFailingSince'), at(list.body, 'member.0.endpointFailingSince')];
  };
  return { organization, token, path, shown };
}

test('200 an endpoint that failed for an hour is marked on its organization and its deliveries', async (t) => {
  const { shown } = await makeFailing(61);
  const [since, listed] = await shown();
  t.true(typeof since === 'string' && Date.parse(since) < Date.now() - 3_600_000);
  t.is(listed, since);
});

test('200 an endpoint that failed for less than an hour is not marked', async (t) => {
  const { shown } = await makeFailing(50);
  t.deepEqual(await shown(), [undefined, undefined]);
});

test('200 the mark ends with a new URL, and where webhooks are turned off', async (t) => {
  for (const change of ["webhook_url = 'https://new.example/'", 'is_webhook_enabled = false']) {
    const { organization, shown } = await makeFailing(61);
    await execute(service.database, `update organizations set ${change} where id = $1`, [organization.id]);
    t.deepEqual(await shown(), [undefined, undefined]);
  }
});

test('200 the tag of an answer with the mark is another one, and both allow an edit', async (t) => {
  const { organization, token, path } = await makeFailing(50);
  const before = (await send(service, 'GET', path, { token })).headers.get('etag') ?? '';
  await execute(
    service.database,
    `update webhook_endpoints set failing_since = failing_since - interval '1 hour' where organization_id = $1`,
    [organization.id],
  );
  const read = await send(service, 'GET', path, { token, headers: { 'If-None-Match': before } });
  t.is(read.status, 200);
  const after = read.headers.get('etag') ?? '';
  t.not(after, before);
  for (const tag of [before, after]) {
    const { status } = await send(service, 'PATCH', path, { token, headers: { 'If-Match': tag }, body: {} });
    t.is(status, 200, tag);
  }
});

test('422 the mark is read-only', async (t) => {
  const { token, path } = await makeFailing(61);
  const body = { webhookFailingSince: '2026-01-01T00:00:00.000Z' };
  const answer = await send(service, 'PATCH', path, { token, body });
  t.is(answer.status, 422);
  t.deepEqual(violationPaths(answer.body), ['webhookFailingSince']);
});
