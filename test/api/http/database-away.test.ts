import { randomUUID } from 'node:crypto';
import test from 'ava';
import { COMMAND_DECIDED_CHANNEL } from '../../../store/commands/outcome-notifications.ts';
import { execute, select } from '../../../store/connection.ts';
import { reconcileOnce } from '../../../worker/reconciler.ts';
import type { FlakyProxy } from '../../harness/flaky-proxy.ts';
import { startFlakyProxy } from '../../harness/flaky-proxy.ts';
import { makeDriver, makeOrganization, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { at, send } from '../../harness/request.ts';
import type { HttpAnswer } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import type { TestService } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';
import { makeAllDue } from '../../worker/stale-rows.ts';

/** The API reaches its database through a proxy that these tests cut; one after the other, they share it. */

let direct: TestService;
let proxy: FlakyProxy;
let service: TestService;
test.before(async () => {
  direct = await startService();
  proxy = await startFlakyProxy(direct.databaseUrl);
  service = await startService({
    besides: direct,
    withWorkers: false,
    settings: { DATABASE_URL: proxy.url, COMMAND_WAIT_MS: '1500' },
  });
});
test.after.always(async () => {
  proxy.reconnect();
  await service.stop();
  await proxy.stop();
  await direct.stop();
});
test.afterEach.always(() => {
  proxy.reconnect();
});

async function cast() {
  const organization = await makeOrganization(direct);
  const user = await makeUser(direct, organization, 'ROLE_DISPATCHER');
  return { ...user, organization };
}

/** Asks until the answer is no 503; the pool may still hold a broken connection for a moment. */
async function untilAvailable(ask: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    if (answer.status !== 503 || tries === 20) return answer;
  }
}

/**
 * The last answer to a command that is repeated under its key while it is undecided or the database is away. The reconciler
 * runs meanwhile, as it does in production: where only the answer to the COMMIT was lost, the API has not signalled.
 */
async function untilApplied(ask: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  let answer = await ask();
  await until(async () => {
    if (answer.status !== 202 && answer.status !== 503) return true;
    await makeAllDue(direct.database);
    await reconcileOnce({ database: direct.database, workflows: direct.dependencies.workflows });
    answer = await ask();
    return false;
  }, 'the command is not decided');
  return answer;
}

test.serial(
  '503 with Retry-After on every surface while the database is unreachable, 200 after',
  async (t) => {
    const { token, email, password, organization } = await cast();
    const { iri, delivery } = await makeShipment(service, token);
    const driver = await makeDriver(direct, organization);
    const requests: readonly (() => Promise<HttpAnswer>)[] = [
      () => send(service, 'GET', '/shipments', { token }),
      () => send(service, 'GET', iri, { token }),
      () => send(service, 'POST', '/shipments', { token, body: shipmentBodyWith() }),
      () => send(service, 'PATCH', iri, { token, body: { notes: 'x' } }),
      () =>
        send(service, 'POST', `${delivery}/transition`, { token, body: { transition: 'assign', driver } }),
      () =>
        send(service, 'POST', '/login_check', { body: { email, password }, contentType: 'application/json' }),
      () =>
        send(service, 'POST', '/external/shipments', { key: organization.apiKey, body: shipmentBodyWith() }),
    ];
    proxy.disconnect();
    for (const [index, ask] of requests.entries()) {
      const answer = await ask();
      t.is(answer.status, 503, `request ${index}`);
      t.regex(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      t.is(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
      t.notRegex(answer.bytes.toString('utf8'), /ECONN|127\.0\.0\.1|postgres/i);
    }
    proxy.reconnect();
    for (const ask of requests) t.true((await untilAvailable(ask)).status < 300);
  },
);

test.serial('503 a rejected create leaves nothing behind', async (t) => {
  const { token } = await cast();
  proxy.disconnect();
  t.is((await send(service, 'POST', '/shipments', { token, body: shipmentBodyWith() })).status, 503);
  proxy.reconnect();
  const list = await untilAvailable(() => send(service, 'GET', '/shipments', { token }));
  t.is(at(list.body, 'totalItems'), 0);
});

for (const [loss, lose] of [
  ['the connections to the database are cut', () => proxy.disconnect()],
  ['the database is frozen', () => proxy.freeze()],
] as const) {
  test.serial(`503 readiness while ${loss}, 200 liveness`, async (t) => {
    lose();
    const ready = await untilReadiness(503);
    t.is(at(ready.body, 'database'), 'unreachable');
    t.is((await send(service, 'GET', '/health/live')).status, 200);
    proxy.reconnect();
    t.is(at((await untilReadiness(200)).body, 'database'), 'up');
  });
}

/** The readiness once it has the status: an answer of the database counts for a second. */
async function untilReadiness(status: number): Promise<HttpAnswer> {
  let answer = await send(service, 'GET', '/health/ready');
  await until(async () => {
    answer = await send(service, 'GET', '/health/ready');
    return answer.status === status;
  }, `the readiness is not ${status}`);
  return answer;
}

test.serial('200 outcomes arrive again after the listening connection broke', async (t) => {
  proxy.disconnect();
  proxy.reconnect();
  // No such command is stored, so that only a notice can tell of it: the poll finds nothing.
  const hears = async (): Promise<boolean> => {
    const commandId = randomUUID();
    const decided = service.dependencies.outcomes.waitForOutcome(commandId, 500);
    await execute(direct.database, 'select pg_notify($1, $2)', [
      COMMAND_DECIDED_CHANNEL,
      `${commandId} applied`,
    ]);
    return (await decided) === 'applied';
  };
  let heard = false;
  for (let tries = 0; tries < 20 && !heard; tries += 1) heard = await hears();
  t.true(heard);
});

test.serial('200 a transition works again after the connections broke', async (t) => {
  const { token, organization } = await cast();
  const { delivery } = await makeShipment(service, token);
  const driver = await makeDriver(direct, organization);
  proxy.disconnect();
  proxy.reconnect();
  await untilAvailable(() => send(service, 'GET', '/shipments', { token }));
  const headers = { 'idempotency-key': randomUUID() };
  const applied = await untilApplied(() =>
    send(service, 'POST', `${delivery}/transition`, {
      token,
      body: { transition: 'assign', driver },
      headers,
    }),
  );
  t.is(applied.status, 200);
  t.is(at(applied.body, 'status'), 'assigned');
});

test.serial('202 a command that was stored before the database failed is applied once', async (t) => {
  const { token, organization } = await cast();
  const { delivery } = await makeShipment(service, token);
  const driver = await makeDriver(direct, organization);
  await direct.stopWorkers();
  const headers = { 'idempotency-key': randomUUID() };
  const assign = () =>
    send(service, 'POST', `${delivery}/transition`, {
      token,
      body: { transition: 'assign', driver },
      headers,
    });
  const first = assign();
  while ((await rowsOf(`select 1 from commands where status = 'received' and task_id = $1`, delivery)) === 0);
  proxy.disconnect();
  t.true([202, 503].includes((await first).status));
  proxy.reconnect();
  await direct.startWorkers();
  const again = await untilApplied(assign);
  t.is(again.status, 200);
  t.is(at(again.body, 'status'), 'assigned');
  t.is(
    await rowsOf(`select 1 from timeline_entries where transition = 'assign' and task_id = $1`, delivery),
    1,
  );
});

async function rowsOf(sql: string, task: string): Promise<number> {
  const rows = await select(direct.database, sql, [task.split('/').at(-1)]);
  return rows.length;
}
