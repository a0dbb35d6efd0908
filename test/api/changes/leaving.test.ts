import test from 'ava';
import { execute } from '../../../store/connection.ts';
import { follow } from '../../harness/events.ts';
import { makeDriver, makeMerchant, makeOrganization, makeUser } from '../../harness/make.ts';
import { makeShipment } from '../../harness/moves.ts';
import { send } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false, feedLimits: { pollMs: 20 } });

/** Statements that take a row ($1) from its owner: what is lost, who loses it, who has it afterwards. */
const LEAVES = [
  {
    what: 'task given to another driver',
    row: 'task',
    loses: ['driver'],
    keeps: ['staff', 'otherDriver'],
    sql: `update tasks set driver_id = $2, version = version + 1 where id = $1 and $3::uuid is not null`,
  },
  {
    what: 'delivery run given to another driver',
    row: 'run',
    loses: ['driver'],
    keeps: ['staff', 'otherDriver'],
    sql: `update delivery_runs set driver_id = $2, version = version + 1 where id = $1 and $3::uuid is not null`,
  },
  {
    what: 'shipment of another merchant',
    row: 'shipment',
    loses: ['merchant'],
    keeps: ['staff', 'otherMerchant'],
    sql: `update shipments set merchant_id = $3, version = version + 1 where id = $1 and $2::uuid is not null`,
  },
  {
    what: 'deleted shipment',
    row: 'shipment',
    loses: ['merchant', 'staff'],
    keeps: [],
    sql: `update shipments set deleted_at = now(), version = version + 1 where id = $1 and $2::uuid is not null and $3::uuid is not null`,
  },
  {
    what: 'task of a deleted shipment',
    row: 'task',
    loses: ['driver', 'staff'],
    keeps: [],
    sql: `update shipments set deleted_at = now(), version = version + 1
      where id = (select shipment_id from tasks where id = $1) and $2::uuid is not null and $3::uuid is not null`,
  },
  {
    what: 'deleted run',
    row: 'run',
    loses: ['driver', 'staff'],
    keeps: [],
    sql: `update delivery_runs set deleted_at = now(), version = version + 1 where id = $1 and $2::uuid is not null and $3::uuid is not null`,
  },
] as const;

/** An organization with a row of each kind, and streams of those who see them. */
async function scene() {
  const organization = await makeOrganization(service);
  const merchants = [
    await makeMerchant(service, organization),
    await makeMerchant(service, organization),
  ] as const;
  const users = {
    staff: await makeUser(service, organization, 'ROLE_DISPATCHER'),
    driver: await makeUser(service, organization, 'ROLE_DRIVER'),
    otherDriver: await makeUser(service, organization, 'ROLE_DRIVER'),
    merchant: await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId: merchants[0] }),
    otherMerchant: await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId: merchants[1] }),
  };
  const driver = await makeDriver(service, organization, { userId: users.driver.id });
  const otherDriver = await makeDriver(service, organization, { userId: users.otherDriver.id });
  const { token } = users.staff;
  const shipment = await makeShipment(service, token, {
    fields: { merchant: `/api/v1/merchants/${merchants[0]}` },
  });
  await execute(service.database, 'update tasks set driver_id = $2, version = version + 1 where id = $1', [
    shipment.delivery.slice(-36),
    driver,
  ]);
  const body = { date: '2030-01-01', driver: `/api/v1/drivers/${driver}` };
  const run = await send(service, 'POST', '/delivery-runs', { token, body });
  const iris = {
    task: shipment.delivery,
    shipment: shipment.iri,
    run: String(run.headers.get('location')),
  };
  const streams = {
    staff: await follow(service, users.staff),
    driver: await follow(service, users.driver),
    otherDriver: await follow(service, users.otherDriver),
    merchant: await follow(service, users.merchant),
    otherMerchant: await follow(service, users.otherMerchant),
  };
  return { iris, streams, otherDriver, otherMerchant: merchants[1] };
}

for (const { what, row, loses, keeps, sql } of LEAVES) {
  test(`200 a ${what}: a deletion for those who lose it, the row for those who have it`, async (t) => {
    const { iris, streams, otherDriver, otherMerchant } = await scene();
    t.teardown(() => Object.values(streams).forEach((stream) => stream.close()));
    const iri = iris[row];
    await execute(service.database, sql, [iri.slice(-36), otherDriver, otherMerchant]);
    for (const name of loses) {
      const { data } = await streams[name].event((event) => event.data['@id'] === iri);
      t.deepEqual(data, { '@id': iri, deleted: true }, name);
    }
    for (const name of keeps) {
      const { data } = await streams[name].event((event) => event.data['@id'] === iri);
      t.is(data['deleted'], undefined, name);
    }
    const told: readonly string[] = [...loses, ...keeps];
    for (const [name, stream] of Object.entries(streams)) {
      if (told.includes(name)) continue;
      t.false(
        stream.events.some(({ data }) => data['@id'] === iri),
        name,
      );
    }
  });
}
