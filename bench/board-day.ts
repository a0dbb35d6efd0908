import type { OrganizationId } from '../domain/ids.ts';
import names from '../demo/world/names.json' with { type: 'json' };
import places from '../demo/world/places.json' with { type: 'json' };
import type { BenchDeployment } from './deployment.ts';
import { rowsOf } from './rows.ts';

/** What a day has; two tasks of each shipment, a pickup and a delivery. */
interface DaySize {
  readonly shipments: number;
  readonly drivers: number;
  readonly runs: number;
}

/**
 * Makes a day of a board by SQL: random ids, the names and streets of the demo around Paris, drivers with positions, and runs
 * that have half of the tasks. A fifth has a driver and no run, a tenth has ended today. No workflow runs: it is to be read.
 */
export async function makeBoardDay(
  deployment: Pick<BenchDeployment, 'pool'>,
  organizationId: OrganizationId,
  { shipments, drivers, runs }: DaySize,
): Promise<void> {
  const { first, last } = names.paris;
  await rowsOf(deployment, DRIVERS_SQL, [organizationId, drivers, first, last]);
  await rowsOf(deployment, RUNS_SQL, [organizationId, runs]);
  await rowsOf(deployment, TASKS_SQL, [
    ...[organizationId, shipments, first, last],
    JSON.stringify(places.paris),
  ]);
  await rowsOf(deployment, 'analyze shipments, tasks, delivery_runs, drivers', []);
}

/** Gives each shipment that has no task a delivery that has ended long ago, so that the table of tasks is as large. */
export async function makeEndedTasks(
  deployment: Pick<BenchDeployment, 'pool'>,
  organizationId: OrganizationId,
): Promise<void> {
  await rowsOf(deployment, ENDED_SQL, [organizationId]);
}

const DRIVERS_SQL = `insert into drivers (id, organization_id, first_name, last_name, phone_number, vehicle_type, last_position,
   last_position_at)
 select gen_random_uuid(), $1, ($3::text[])[1 + n % cardinality($3::text[])], ($4::text[])[1 + (7 * n) % cardinality($4::text[])],
   '+336' || lpad(n::text, 8, '0'), 'bike',
   jsonb_build_object('latitude', 48.8 + random() / 10, 'longitude', 2.3 + random() / 10), clock_timestamp()
 from generate_series(1, $2::int) n`;

const RUNS_SQL = `insert into delivery_runs (id, organization_id, reference, name, run_date, driver_id, planning_status)
 select gen_random_uuid(), $1, 'RUN-' || lpad(n::text, 4, '0'), 'Tour ' || n, current_date, d.id, 'planned'
 from generate_series(1, $2::int) n
 join (select id, row_number() over () as n from drivers where organization_id = $1) d using (n)`;

const TASKS_SQL = `with numbered as (
   select n, gen_random_uuid() as id, gen_random_uuid() as pickup,
     'TST-' || to_char(current_date, 'YYYYMMDD') || '-' || upper(lpad(to_hex(n * 7919 % 65536), 4, '0') || left(md5(random()::text), 2)) as number,
     ($3::text[])[1 + floor(random() * cardinality($3::text[]))::int] as first_name,
     ($4::text[])[1 + floor(random() * cardinality($4::text[]))::int] as last_name,
     $5::jsonb->(floor(random() * jsonb_array_length($5::jsonb))::int) as place,
     $5::jsonb->(n % 20) as shop,
     current_date + make_interval(mins => 15 * (32 + n % 40)) as after
   from generate_series(1, $2::int) n
 ), placed as materialized (
   select *, place || jsonb_build_object('street', 1 + n % 120 || ' ' || (place->>'street'),
     'latitude', round(((place->>'latitude')::numeric + (random() / 100)::numeric), 5),
     'longitude', round(((place->>'longitude')::numeric + (random() / 100)::numeric), 5)) as address from numbered
 ), reserved as (insert into tracking_numbers (tracking_number) select number from placed),
 made as (insert into shipments (id, organization_id, tracking_number, source, status, priority, package_size, currency,
   cod_amount_cents, delivery_fee_cents, total_cod_to_collect_cents, fee_breakdown, fee_payer, recipient, workflow_started_at,
   delivery_deadline)
   select id, $1::uuid, number, 'import', case when n % 10 = 0 then 'delivered' else 'pending' end, 'normal', 'medium', 'EUR',
     100 * (n % 90), 690, 100 * (n % 90) + 690, '[]', 'recipient',
     jsonb_build_object('type', 'individual', 'firstName', first_name, 'lastName', last_name, 'phoneNumber', '+33612345678',
       'address', address), clock_timestamp(), after + interval '1 day' from placed),
 drivers_of as (select id, row_number() over () - 1 as n, count(*) over () as total from drivers where organization_id = $1),
 runs_of as (select id, driver_id, row_number() over () - 1 as n, count(*) over () as total from delivery_runs where organization_id = $1)
 insert into tasks (id, organization_id, shipment_id, ordinal, type, status, driver_id, previous_id, delivery_run_id, position,
   address, after, before, completed_at)
 select case ordinal when 0 then pickup else gen_random_uuid() end, $1, p.id, ordinal,
   case ordinal when 0 then 'pickup' else 'delivery' end,
   case when p.n % 10 = 0 then case ordinal when 0 then 'picked_up' else 'delivered' end
     when ordinal = 1 then case when p.n % 10 < 7 then 'assigned_waiting' else 'waiting_for_pickup' end
     when p.n % 10 < 7 then 'assigned' else 'pending' end,
   case when p.n % 10 < 5 then r.driver_id when p.n % 10 < 7 then d.id end,
   case ordinal when 1 then pickup end, case when p.n % 10 < 5 then r.id end,
   case when p.n % 10 < 5 then 2 * p.n + ordinal end, case ordinal when 0 then shop else address end,
   p.after, p.after + interval '2 hours', case when p.n % 10 = 0 then clock_timestamp() end
 from placed p cross join generate_series(0, 1) ordinal
 left join drivers_of d on d.n = p.n % d.total left join runs_of r on r.n = p.n % r.total
 order by ordinal`;

const ENDED_SQL = `insert into tasks (id, organization_id, shipment_id, ordinal, type, status, address, completed_at)
 select gen_random_uuid(), organization_id, id, 0, 'delivery', 'delivered', recipient->'address', created_at - interval '2 days'
 from shipments s where organization_id = $1 and not exists (select from tasks t where t.shipment_id = s.id)`;
