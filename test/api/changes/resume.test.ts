import { randomUUID } from 'node:crypto';
import test from 'ava';
import { execute, inTransaction } from '../../../store/connection.ts';
import type { Executor } from '../../../store/connection.ts';
import type { OpenStream } from '../../harness/events.ts';
import { follow } from '../../harness/events.ts';
import { makeDriver, makeTeam } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { startService } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';
import { useService } from '../../harness/use-service.ts';
import { differences, readPicture } from './picture.ts';

const service = useService({ withWorkers: false, feedLimits: { positionMs: 40, pollMs: 20 } });

/** The same numbers from 0 to 1 for the same seed. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** What writers do, each with the ids of a task, its organization, a driver and a run. */
const ACTS: readonly string[] = [
  `with s as (update shipments set version = version + 1, status = 'in_transit', updated_at = clock_timestamp()
     where id = (select shipment_id from tasks where id = $1) and organization_id = $2)
   update tasks set status = 'assigned', driver_id = $3, version = version + 1, updated_at = clock_timestamp() where id = $1 and $4::uuid is not null`,
  `with s as (update shipments set version = version + 1, status = 'delivered' where id = (select shipment_id from tasks where id = $1))
   update tasks set status = 'delivered', completed_at = clock_timestamp(), driver_id = $3, version = version + 1
   where id = $1 and organization_id = $2 and $4::uuid is not null`,
  `update tasks set address = address || jsonb_build_object('street', md5(clock_timestamp()::text)), version = version + 1
   where id = $1 and organization_id = $2 and $3::uuid is not null and $4::uuid is not null`,
  `update tasks set delivery_run_id = $4, position = 1, version = version + 1
   where id = $1 and organization_id = $2 and $3::uuid is not null`,
  `update tasks set delivery_run_id = null, position = null, version = version + 1
   where id = $1 and organization_id = $2 and $3::uuid is not null and $4::uuid is not null`,
  `update drivers set first_name = md5(clock_timestamp()::text), version = version + 1
   where id = $3 and organization_id = $2 and $1::uuid is not null and $4::uuid is not null`,
  `update drivers set last_position = '{"latitude":1,"longitude":2}', last_position_at = clock_timestamp()
   where id = $3 and organization_id = $2 and $1::uuid is not null and $4::uuid is not null`,
  `update delivery_runs set name = md5(clock_timestamp()::text), version = version + 1
   where id = $4 and organization_id = $2 and $1::uuid is not null and $3::uuid is not null`,
  `update shipments set deleted_at = clock_timestamp(), version = version + 1
   where id = (select shipment_id from tasks where id = $1) and organization_id = $2
     and abs(hashtext(id::text)) % 4 = 0 and $3::uuid is not null and $4::uuid is not null`,
  // What no row shows is no change.
  `update shipments set reconcile_after = clock_timestamp(), workflow_started_at = clock_timestamp()
   where id = (select shipment_id from tasks where id = $1) and organization_id = $2 and $3::uuid is not null and $4::uuid is not null`,
];

async function makeRun(executor: Executor, organizationId: string): Promise<string> {
  const id = randomUUID();
  await execute(
    executor,
    `insert into delivery_runs (id, organization_id, reference, run_date, planning_status)
     values ($1::uuid, $2, $1::uuid::text, (now() at time zone 'UTC')::date, 'planned')`,
    [id, organizationId],
  );
  return id;
}

for (const seed of [1, 2]) {
  test(`a client that was away has what the board shows, after moves of chance ${seed}`, async (t) => {
    const { organization, token } = await makeTeam(service);
    const { database } = service;
    const second = await startService({ besides: service, withWorkers: false });
    t.teardown(second.stop);
    const ids = {
      tasks: await Promise.all(
        Array.from({ length: 24 }, async () => (await makeShipment(service, token)).delivery.slice(-36)),
      ),
      drivers: await Promise.all(Array.from({ length: 3 }, () => makeDriver(service, organization))),
      runs: await Promise.all(Array.from({ length: 2 }, () => makeRun(database, organization.id))),
    };
    const random = chance(seed);
    const one = <Item>(items: readonly Item[]): Item => {
      const item = items[Math.floor(random() * items.length)];
      if (item === undefined) throw new Error('nothing to choose from');
      return item;
    };
    const act = (executor: Executor) =>
      execute(executor, one(ACTS), [one(ids.tasks), organization.id, one(ids.drivers), one(ids.runs)]);

    const first = await readPicture(service, token);
    const pictures = {
      live: first,
      away: await readPicture(service, token),
      often: await readPicture(service, token),
    };
    const live = await follow(service, { token, lastEventId: pictures.live.cursor });
    t.teardown(live.close);
    const writer = async (acts: number) => {
      for (let count = 0; count < acts; count += 1) {
        await inTransaction(database, async (transaction) => {
          await act(transaction);
        });
      }
    };
    // Its rows come last and have the first number.
    await inTransaction(database, async (slow) => {
      await execute(slow, ACTS[5] ?? '', [ids.tasks[0], organization.id, ids.drivers[0], ids.runs[0]]);
      const others = ids.drivers.splice(0, 1);
      let id = pictures.often.cursor;
      for (let round = 0; round < 4; round += 1) {
        const often = await follow(round % 2 === 0 ? service : second, { token, lastEventId: id });
        await Promise.all([writer(6), writer(6), writer(6)]);
        await until(() => often.events.length > 0, 'nothing was sent');
        pictures.often.take(often.events);
        id = often.lastId();
        often.close();
      }
      ids.drivers.push(...others);
      Object.assign(pictures.often, { cursor: id });
    });
    await writer(3);

    const streams: Record<'live' | 'away' | 'often', OpenStream> = {
      live,
      away: await follow(second, { token, lastEventId: pictures.away.cursor }),
      often: await follow(second, { token, lastEventId: pictures.often.cursor }),
    };
    for (const name of ['live', 'away', 'often'] as const) {
      const now = await readPicture(service, token);
      await until(() => {
        pictures[name].take(streams[name].events);
        return differences(pictures[name], now).length === 0;
      }, `${name} differs`).catch(() => t.deepEqual(differences(pictures[name], now), [], name));
      t.false(streams[name].events.some(({ type }) => type === 'reset'));
      streams[name].close();
    }
  });
}

test('while a transaction stays open, no change is sent twice and none is lost', async (t) => {
  const { organization, token } = await makeTeam(service);
  const [held, driver] = [await makeDriver(service, organization), await makeDriver(service, organization)];
  const rename = (executor: Executor, id: string, name: string) =>
    execute(executor, 'update drivers set first_name = $2, version = version + 1 where id = $1', [id, name]);
  const stream = await follow(service, { token });
  t.teardown(stream.close);
  const names = Array.from({ length: 20 }, (_, index) => `name ${index}`);
  await inTransaction(service.database, async (slow) => {
    await rename(slow, held, 'late');
    for (const name of names) {
      await rename(service.database, driver, name);
      await stream.event(({ data }) => data['firstName'] === name);
    }
    const resumed = await follow(service, { token, lastEventId: stream.lastId() });
    await rename(service.database, driver, 'last');
    await resumed.event(({ data }) => data['firstName'] === 'last');
    await stream.event(({ data }) => data['firstName'] === 'last');
    t.is(resumed.events.length, 1, 'a stream that resumes reads nothing again');
    resumed.close();
  });
  await stream.event(({ data }) => data['firstName'] === 'late');
  t.deepEqual(
    stream.events.map(({ data }) => data['firstName']),
    [...names, 'last', 'late'],
  );
});
