import test from 'ava';
import type { Database } from '../../store/connection.ts';
import { connectDatabase, execute, select } from '../../store/connection.ts';
import { CLAIM_SQL } from '../../store/reconciler-queue.ts';
import { makeTestDatabase } from '../harness/database.ts';
import type { TestDatabase } from '../harness/database.ts';

/** The plans of the reconciler's statements over a database of 100,000 rows of each kind, few of them due. */

const ROWS = 100_000;

let testDatabase: TestDatabase;
let database: Database;
test.before(async () => {
  testDatabase = await makeTestDatabase();
  database = connectDatabase(testDatabase.url, {
    poolSize: 2,
    applicationName: 'test',
    hasNoTimeouts: true,
  });
  await execute(database, FILL_SQL);
  await execute(database, 'analyze organizations, shipments, commands, external_intakes, webhook_events');
});
test.after.always(async () => {
  await database.close();
  await testDatabase.drop();
});

/** 50 organizations; in each table a fifth of the rows is unfinished, and of these one in a hundred is due. */
const FILL_SQL = `
insert into organizations (id, name, plan, tracking_prefix, currency, api_key_hash, api_key_prefix, webhook_secret)
select gen_random_uuid(), 'Organization ' || n, 'pro', 'TST', 'EUR', sha256(n::text::bytea), 'test',
  'whsec_' || left(md5(n::text) || md5(n::text), 40)
from generate_series(1, 50) n;
create temporary table numbered as select id, (row_number() over ()) - 1 as n from organizations;
insert into tracking_numbers select 'TST-20260101-' || lpad(n::text, 6, '0') from generate_series(0, ${ROWS * 2 - 1}) n;
insert into shipments (id, organization_id, tracking_number, source, status, priority, package_size, currency,
  cod_amount_cents, delivery_fee_cents, total_cod_to_collect_cents, fee_breakdown, fee_payer, recipient, delivery_deadline,
  workflow_started_at, reconcile_after)
select gen_random_uuid(), o.id, 'TST-20260101-' || lpad(g::text, 6, '0'), 'dashboard',
  case when g % 5 = 0 then 'pending' else 'delivered' end, 'normal', 'medium', 'EUR', 0, 0, 0, '{}', 'recipient', '{}',
  now() + case when g % 500 = 0 then interval '-1 day' else interval '1 day' end,
  case when g % 5 = 1 then null else now() end,
  now() + case when g % 500 < 2 then interval '-1 hour' else interval '1 hour' end
from generate_series(0, ${ROWS - 1}) g join numbered o on o.n = g % 50;
insert into commands (id, organization_id, shipment_id, kind, request, status, reconcile_after)
select gen_random_uuid(), organization_id, id, 'approve', '{}',
  case when status = 'pending' then 'received' else 'applied' end, reconcile_after from shipments;
insert into external_intakes (id, organization_id, tracking_number, request, status, reconcile_after)
select gen_random_uuid(), organization_id, 'TST-20260101-' || lpad((${ROWS} + row_number() over ())::text, 6, '0'), '{}',
  case when status = 'pending' then 'processing' else 'created' end, reconcile_after
from shipments limit ${ROWS - 1};
insert into webhook_events (id, organization_id, kind, shipment_id, sequence, body, event_updated_at, status, reconcile_after)
select gen_random_uuid(), organization_id, 'shipment.status_changed', id, 1, '', '', case when status = 'pending' then 'pending' else 'delivered' end,
  reconcile_after from shipments`;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

for (const [name, sql] of Object.entries(CLAIM_SQL)) {
  test.serial(`the claim of ${name} reads indexes alone, and few rows, among 100,000`, async (t) => {
    const [row] = await select<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
      database,
      `explain (analyze, format json) ${sql}`,
      [4, 16],
    );
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    if (plan === undefined) return t.fail('there is no plan');
    const nodes = nodesOf(plan);
    const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
    t.deepEqual(
      scans.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
      [],
    );
    const touched = scans.map(
      (node) =>
        ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
    );
    t.true(Math.max(...touched) < 1_000, `rows touched by each scan: ${touched.join(', ')}`);
  });
}
