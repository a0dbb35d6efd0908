import test from 'ava';
import type { OrganizationId } from '../../../domain/ids.ts';
import { toId } from '../../../domain/ids.ts';
import { execute, selectOne } from '../../../store/connection.ts';
import { deleteOldChanges } from '../../../store/changes/delete-old-changes.ts';
import { follow } from '../../harness/events.ts';
import { makeDriver, makeTeam, makeUser } from '../../harness/make.ts';
import { send } from '../../harness/request.ts';
import { startService } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';
import { useService } from '../../harness/use-service.ts';

const FEED = {
  userStreams: 2,
  organizationStreams: 3,
  pollMs: 20,
  heartbeatMs: 30,
  sessionCheckMs: 30,
  positionMs: 60_000,
  behindBytes: 20_000,
};
const service = useService({ withWorkers: false, feedLimits: FEED });

const renameAll = (organizationId: OrganizationId, name: string) =>
  execute(
    service.database,
    'update drivers set first_name = $2, version = version + 1 where organization_id = $1',
    [organizationId, name],
  );

test('200 a stream is not cached, not held back by proxies, begins with its id and shows that it lives', async (t) => {
  const { token } = await makeTeam(service);
  const stream = await follow(service, { token });
  t.teardown(stream.close);
  t.like(stream.headers, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  await until(() => stream.comments() >= 3, 'no heartbeats came');
  t.deepEqual(stream.events, []);
  const head = await send(service, 'HEAD', '/changes', { token });
  t.is(head.status, 200);
});

const UNKNOWN_IDS = {
  nonsense: 'nonsense',
  'of another database': '00000000-zzz',
  'with endless digits': `00000000-${'z'.repeat(5_000)}`,
};

test('200 an id that is unknown, from the future or of another database gets one reset with a fresh id', async (t) => {
  const { organization, token } = await makeTeam(service);
  await makeDriver(service, organization);
  const known = await follow(service, { token });
  const future = known.lastId().replace(/-.*/, '-zzzzzzzz');
  known.close();
  for (const [name, lastEventId] of Object.entries({ ...UNKNOWN_IDS, 'of the future': future })) {
    const stream = await follow(service, { token, lastEventId });
    await stream.event(({ type }) => type === 'reset');
    await renameAll(organization.id, name);
    await stream.event(({ data }) => data['firstName'] === name);
    // A row may come twice, so the driver may also come as it was made.
    t.deepEqual(
      stream.events.flatMap(({ type }, index) => (type === 'reset' ? [index] : [])),
      [0],
      name,
    );
    t.regex(stream.lastId(), /^[0-9a-f]{8}-[0-9a-z.]+$/);
    stream.close();
    await until(() => stream.isEnded(), 'the stream did not close');
  }
});

test('200 an id from before what was deleted gets a reset, a later one its changes', async (t) => {
  const own = await startService({ withWorkers: false, feedLimits: FEED });
  t.teardown(own.stop);
  const { organization, token } = await makeTeam(own);
  const driver = await makeDriver(own, organization);
  const rename = (name: string) =>
    execute(own.database, 'update drivers set first_name = $2, version = version + 1 where id = $1', [
      driver,
      name,
    ]);
  const idNow = async () => {
    const stream = await follow(own, { token });
    stream.close();
    return stream.lastId();
  };
  const mark = { keptMinutes: 0, markEverySeconds: 0 };
  const early = await idNow();
  await rename('early');
  await deleteOldChanges(own.database, mark);
  const late = await idNow();
  await rename('late');
  // A row may come twice, so only the first event is certain.
  const expectFirst = async (lastEventId: string, type: string) => {
    const stream = await follow(own, { token, lastEventId });
    await until(() => stream.events.length >= 1, 'no event came');
    t.is(stream.events[0]?.type, type);
    stream.close();
    await until(() => stream.isEnded(), 'the stream did not close');
  };
  await expectFirst(early, 'reset');
  await expectFirst(late, 'Driver');
  // The same where one organization has too many, although nothing is old.
  for (const name of ['a', 'b', 'c', 'd']) await rename(name);
  await deleteOldChanges(own.database, { keptChanges: 2, markEverySeconds: 0 });
  await expectFirst(late, 'reset');
});

test('429 beyond the streams of a user and of an organization, with Retry-After; one that closes makes room', async (t) => {
  const { organization, token } = await makeTeam(service);
  const colleague = await makeUser(service, organization, 'ROLE_DISPATCHER');
  const open = [await follow(service, { token }), await follow(service, { token })];
  const rejected = await follow(service, { token });
  t.is(rejected.status, 429);
  t.is(rejected.headers['retry-after'], '30');
  const third = await follow(service, colleague);
  t.is((await follow(service, colleague)).status, 429);
  third.close();
  open[0]?.close();
  const again = await until(async () => {
    const stream = await follow(service, { token });
    return stream.status === 200 && stream;
  }, 'no room was made');
  for (const stream of [again, ...open]) stream.close();
});

test('403 a topic that the role may not follow, 400 an unknown one; a topic chooses among the events', async (t) => {
  const { organization, token } = await makeTeam(service);
  const topic = (path: string) => `?topic=${encodeURIComponent(`/api/v1/${path}/{id}`)}`;
  const statusOf = async (query: string) =>
    (await send(service, 'GET', `/changes${query}`, { token })).status;
  t.is(await statusOf(topic('webhook-deliveries')), 403);
  t.is(await statusOf(topic('users')), 400);
  const driver = await makeUser(service, organization, 'ROLE_DRIVER');
  t.is((await send(service, 'GET', `/changes${topic('shipments')}`, { token: driver.token })).status, 403);
  const id = await makeDriver(service, organization);
  const stream = await follow(service, { token, query: topic('delivery-runs') });
  t.teardown(stream.close);
  await renameAll(organization.id, 'unseen');
  await execute(
    service.database,
    `insert into delivery_runs (id, organization_id, reference, run_date, planning_status, driver_id)
     values (gen_random_uuid(), $1, $2::text, '2030-01-01', 'planned', $2::text::uuid)`,
    [organization.id, id],
  );
  await stream.event(({ type }) => type === 'DeliveryRun');
  t.deepEqual(
    stream.events.map(({ type }) => type),
    ['DeliveryRun'],
  );
});

const ENDS = {
  'the session is revoked': `update sessions set revoked_at = now() where user_id = $1`,
  'the user is disabled': `update users set is_active = false where id = $1`,
  'the role is another': `update users set role = 'ROLE_ORG_ADMIN' where id = $1`,
  'the user becomes a driver': `insert into drivers (id, organization_id, first_name, last_name, phone_number, user_id)
    select gen_random_uuid(), organization_id, 'A', 'B', '+33612345678', id from users where id = $1`,
};

for (const [name, sql] of Object.entries(ENDS)) {
  test(`200 a stream ends when ${name}, and that of a colleague goes on`, async (t) => {
    const { organization, user, token } = await makeTeam(service);
    const colleague = await makeUser(service, organization, 'ROLE_DISPATCHER');
    const [stream, other] = [await follow(service, { token }), await follow(service, colleague)];
    t.teardown(other.close);
    await execute(service.database, sql, [user.id]);
    await until(() => stream.isEnded(), 'the stream went on');
    t.false(other.isEnded());
  });
}

test('a reader that takes nothing is closed, and the others get every change meanwhile', async (t) => {
  const { organization, user, token } = await makeTeam(service);
  await Promise.all(Array.from({ length: 30 }, () => makeDriver(service, organization)));
  const identity = {
    userId: toId<'user'>(user.id),
    organizationId: organization.id,
    sessionId: toId<'session'>(await sessionOf(user.id)),
    role: 'ROLE_DISPATCHER',
    merchantId: null,
    driverId: null,
    kinds: ['driver'],
  } as const;
  // Nobody reads from it.
  const slow = service.dependencies.changes.follow(identity, undefined);
  const other = await follow(service, { token });
  t.teardown(other.close);
  await until(() => slow.behindBytes > 20, 'the slow stream did not begin');
  for (const name of ['first', 'second', 'third', 'fourth']) {
    await renameAll(organization.id, name);
    await until(
      () => other.events.filter(({ data }) => data['firstName'] === name).length === 30,
      'the others were not sent everything',
    );
  }
  await until(() => slow.destroyed, 'the slow reader was kept');
  t.false(other.isEnded());
});

async function sessionOf(userId: string): Promise<string> {
  const row = await selectOne<{ id: string }>(
    service.database,
    'select id from sessions where user_id = $1',
    [userId],
  );
  return row?.id ?? '';
}

test('positions of a driver are held back, and one that is held is sent to a stream that resumes', async (t) => {
  const { organization, token } = await makeTeam(service);
  const driver = await makeDriver(service, organization);
  const stream = await follow(service, { token });
  const drive = (latitude: number) =>
    send(service, 'POST', `/drivers/${driver}/location`, { token, body: { latitude, longitude: 1 } });
  await drive(1);
  await stream.event(({ data }) => data['latitude'] === 1);
  for (const latitude of [2, 3, 4]) await drive(latitude);
  const other = await makeDriver(service, organization);
  await stream.event(({ data }) => data['@id'] === `/api/v1/drivers/${other}`);
  t.false(stream.events.some(({ data }) => data['latitude'] === 4));
  const id = stream.lastId();
  stream.close();
  const resumed = await follow(service, { token, lastEventId: id });
  t.teardown(resumed.close);
  await resumed.event(({ data }) => data['latitude'] === 4);
  t.is(resumed.events.length, 1);
});
