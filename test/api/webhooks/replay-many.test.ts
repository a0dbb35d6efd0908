import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute, select } from '../../../store/connection.ts';
import { makeDriver, makeOrganization, makeUser } from '../../harness/make.ts';
import type { OrganizationOptions } from '../../harness/make.ts';
import { expectStatus, makeShipment, move } from '../../harness/moves.ts';
import { startReceiver } from '../../harness/receiver.ts';
import { at, send, violationPaths } from '../../harness/request.ts';
import { until } from '../../harness/until.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService();

async function team(options: OrganizationOptions) {
  const organization = await makeOrganization(service, options);
  const admin = (await makeUser(service, organization, 'ROLE_ORG_ADMIN')).token;
  const { token } = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const replay = (body: unknown, key: string = randomUUID()) =>
    send(service, 'POST', '/webhook-deliveries/replay', {
      token: admin,
      body,
      headers: { 'idempotency-key': key },
    });
  const events = () =>
    select<{ status: string; round: number }>(
      service.database,
      'select status, round from webhook_events where organization_id = $1 order by created_at',
      [organization.id],
    );
  return { organization, token, driver: await makeDriver(service, organization), replay, events };
}

test('202 all that failed is sent again, once for a key, with the same bytes', async (t) => {
  const receiver = await startReceiver({ answers: [410] });
  t.teardown(receiver.close);
  const { token, driver, replay, events } = await team({ webhookUrl: receiver.url });
  const made = await Promise.all([1, 2, 3].map(() => makeShipment(service, token)));
  for (const { delivery } of made) {
    await move(service, token, delivery, 'assign', { driver });
  }
  const first = await receiver.waitForRequests(3);
  await until(async () => (await events()).every(({ status }) => status === 'rejected'), 'still being sent');
  receiver.respondWith([200]);
  const key = randomUUID();
  const answers = await Promise.all([replay({}, key), replay({}, key)]);
  for (const answer of answers) {
    t.deepEqual([answer.status, at(answer.body, 'count'), at(answer.body, 'remaining')], [202, 3, 0]);
  }
  const all = await receiver.waitForRequests(6);
  const bodies = (requests: typeof all) => requests.map(({ body }) => body.toString('utf8')).sort();
  t.deepEqual(bodies(all.slice(3)), bodies(first.slice(0, 3)));
  await until(
    async () => (await events()).every(({ status }) => status === 'delivered'),
    'still being sent again',
  );
  const repeated = expectStatus(await replay({}, key), 202);
  t.is(at(repeated.body, 'count'), 3, 'the first outcome');
  t.deepEqual(
    await events(),
    Array.from({ length: 3 }, () => ({ status: 'delivered', round: 1 })),
  );
  t.is(at((await replay({})).body, 'count'), 0, 'nothing has failed any more');
});

test('409 while a delivery condition is not met, and 422 for what cannot be meant', async (t) => {
  const { organization, replay } = await team({ webhookUrl: 'https://example.com/hook' });
  const cases: readonly (readonly [unknown, readonly string[]])[] = [
    [{ status: 'pending' }, ['status']],
    [{ from: 'yesterday' }, ['from']],
    [{ from: '2030-01-02T00:00:00Z', to: '2030-01-01T00:00:00Z' }, ['to']],
  ];
  for (const [body, paths] of cases) {
    t.deepEqual(violationPaths(expectStatus(await replay(body), 422).body), paths);
  }
  await execute(service.database, 'update organizations set is_webhook_enabled = false where id = $1', [
    organization.id,
  ]);
  const key = randomUUID();
  const off = expectStatus(await replay({}, key), 409);
  t.regex(String(at(off.body, 'detail')), /isWebhookEnabled/);
});
