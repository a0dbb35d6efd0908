import test from 'ava';
import { WorkflowNotFoundError } from '@temporalio/common';
import { command } from '../../ops/organization.ts';
import { ERASED_TABLES } from '../../store/accounts/erase-organization.ts';
import { execute, select } from '../../store/connection.ts';
import { hitRateWindow } from '../../store/accounts/rate-windows.ts';
import { deleteRetained } from '../../store/retention.ts';
import { shipmentWorkflowId } from '../../workflows/messages.ts';
import { toId } from '../../domain/ids.ts';
import { makeMerchant, makePickupPoint, makeTeam, makeUser } from '../harness/make.ts';
import { expectStatus, makeShipment } from '../harness/moves.ts';
import { send } from '../harness/request.ts';
import { until } from '../harness/until.ts';
import { useService } from '../harness/use-service.ts';
import { columnsWith, personEverywhere, settled, TRACES } from './person.ts';
import { runAsOperator } from './run-as-operator.ts';

const service = useService();
const run = (...argv: string[]) =>
  runAsOperator(service, command, argv, { TEMPORAL_ADDRESS: service.config.temporal.address });

test('each table with a column of the organization is emptied by its erasure', async (t) => {
  const rows = await select<{ table: string }>(
    service.database,
    `select c.table_name as "table" from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name = 'organization_id'`,
  );
  t.true(rows.length > 20);
  t.deepEqual(
    rows.flatMap(({ table }) => (ERASED_TABLES.includes(table) ? [] : [table])),
    [],
  );
});

test.serial('an organization is erased whole, with its workflows, and no other with it', async (t) => {
  const { team, own, ofOther } = await personEverywhere(service, t);
  const other = await makeTeam(service);
  const kept = await makeShipment(service, other.token);
  const { organization, token } = team;
  const merchantId = await makeMerchant(service, organization);
  await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId });
  const pickupPoint = await makePickupPoint(service, organization, { merchantId });
  await makeShipment(service, token, { pickupPoint });
  expectStatus(
    await send(service, 'POST', '/delivery-runs', { token, body: { name: 'North', date: '2026-11-23' } }),
    201,
  );
  const running = shipmentWorkflowId(toId<'shipment'>(ofOther.id));
  await until(
    async () => (await service.client.workflow.getHandle(running).describe()).status.name === 'RUNNING',
    'the workflow does not run',
  );
  await settled(service, organization.id);
  await hitRateWindow(service.database, `login-code:${team.user.id}`, 5, 600);
  const [row] = await select<{ name: string }>(
    service.database,
    'select name from organizations where id = $1',
    [organization.id],
  );
  const name = row?.name ?? '';

  t.regex((await run('erase', organization.id, '--confirm', name)).printedErrors, /is not suspended/);
  t.is((await run('suspend', organization.id, 'contract ended')).code, 0);
  t.regex((await run('erase', organization.id, '--confirm', 'Atlas')).printedErrors, /add: --confirm/);
  t.true((await columnsWith(service, [own.trackingNumber])).length > 0, 'a wrong name deletes nothing');

  // A first try that got no further than its beginning.
  await execute(
    service.database,
    'update organizations set erasure_started_at = clock_timestamp() where id = $1',
    [organization.id],
  );
  t.regex((await run('resume', organization.id)).printedErrors, /cannot be resumed/);
  const erased = await run('erase', organization.id, '--confirm', name);
  t.is(erased.code, 0, erased.printedErrors);
  t.regex(erased.printed, /with \d+ shipments in this run\./);
  t.deepEqual(await columnsWith(service, [...TRACES, own.trackingNumber, ofOther.trackingNumber, name]), []);
  const { status } = await service.client.workflow
    .getHandle(running)
    .describe()
    .catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return { status: { name: 'missing' } };
      throw error;
    });
  t.is(status.name, 'TERMINATED');
  t.is((await send(service, 'GET', kept.iri, { token: other.token })).status, 200);
  t.is((await send(service, 'GET', '/users/me', { token })).status, 401);
  t.regex((await run('erase', organization.id, '--confirm', name)).printedErrors, /There is no organization/);

  t.false((await tablesWith(team.user.id)).includes('rate_windows'));
  // A process may still write down what it had counted of the last requests, for a minute.
  const left = (await tablesWith(organization.id)).filter((table) => table !== 'request_budgets');
  t.deepEqual(left, ['audit_events']);
  const indexes = await select(service.database, `select from pg_indexes where indexname like 'erasure%'`);
  t.is(indexes.length, 0);
});

test.serial('the audit log of an erased organization goes when it may, but for its last row', async (t) => {
  const { organization } = await makeTeam(service);
  const { organization: other } = await makeTeam(service);
  const add = (kind: string, id: string) =>
    execute(
      service.database,
      `insert into audit_events (id, organization_id, kind, actor, operation, created_at)
       values (gen_random_uuid(), $1, $2, 'operator', 'test', clock_timestamp() - interval '92 days')`,
      [id, kind],
    );
  for (const kind of ['organization.suspended', 'organization.erased']) await add(kind, organization.id);
  await add('organization.suspended', other.id);
  await deleteRetained(service.database, service.config.retention, new Map());
  const rows = await select<{ kind: string; id: string }>(
    service.database,
    `select kind, organization_id as id from audit_events where organization_id in ($1, $2) and operation = 'test' order by kind`,
    [organization.id, other.id],
  );
  t.deepEqual(rows, [
    { kind: 'organization.erased', id: organization.id },
    { kind: 'organization.suspended', id: other.id },
  ]);
});

/** The tables in which an organization's id stands, in whatever column. */
async function tablesWith(id: string): Promise<readonly string[]> {
  const columns = await select<{ table: string; column: string }>(
    service.database,
    `select c.table_name as "table", c.column_name as "column" from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.udt_name in ('uuid', 'text', 'jsonb')`,
  );
  const found = new Set<string>();
  for (const { table, column } of columns) {
    const rows = await select(
      service.database,
      `select 1 as one from ${table} where ${column}::text like '%' || $1::text || '%' limit 1`,
      [id],
    );
    if (rows.length > 0) found.add(table);
  }
  return [...found].toSorted();
}
