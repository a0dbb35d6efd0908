import { makeMerchant } from '../test/harness/make.ts';
import type { OrganizationId } from '../domain/ids.ts';
import type { BenchDeployment } from './deployment.ts';
import { rowsOf } from './rows.ts';

const BATCH = 100_000;

/** An organization with very many shipments, and a merchant of it that has every tenth. */
export interface Crowd {
  readonly organizationId: OrganizationId;
  readonly merchantId: string;
}

/**
 * Makes shipments by SQL, over ninety days, in all statuses, without tasks, as if their runs had taken them up and ended: the
 * lists see them, the reconciler does not. A tenth of them is moved afterwards, as the day's work would. `seed` keeps the
 * tracking numbers of several crowds apart.
 */
export async function makeManyShipments(
  deployment: BenchDeployment,
  organizationId: OrganizationId,
  seed: string,
  count: number,
): Promise<Crowd> {
  const merchantId = await makeMerchant(deployment, { id: organizationId });
  for (let first = 1; first <= count; first += BATCH) {
    const last = Math.min(count, first + BATCH - 1);
    await rowsOf(deployment, SHIPMENTS_SQL, [first, last, organizationId, merchantId, seed]);
  }
  await rowsOf(
    deployment,
    `update shipments set status = 'delivered', version = version + 1, updated_at = clock_timestamp()
     where organization_id = $1 and status = 'in_transit' and right(tracking_number, 1) in ('1', '4', '7')`,
    [organizationId],
  );
  await rowsOf(deployment, 'analyze shipments', []);
  return { organizationId, merchantId };
}

const SHIPMENTS_SQL = `with numbered as (
   select n, $5 || '-20260101-' || lpad(n::text, 7, '0') as number from generate_series($1::int, $2::int) n
 ), reserved as (insert into tracking_numbers (tracking_number) select number from numbered)
 insert into shipments (id, organization_id, merchant_id, tracking_number, source, status, priority, package_size,
   currency, cod_amount_cents, delivery_fee_cents, total_cod_to_collect_cents, fee_breakdown, fee_payer, recipient,
   external_reference, workflow_started_at, created_at)
 select gen_random_uuid(), $3::uuid, case when n % 10 = 0 then $4::uuid end, number, 'import',
   (array['delivered', 'delivered', 'delivered', 'delivered', 'in_transit', 'in_transit', 'pending', 'picked_up', 'returned', 'cancelled'])[1 + (n / 10) % 10],
   'normal', 'medium', 'EUR', 4990, 690, 5680, '[]', 'recipient',
   jsonb_build_object('type', 'individual', 'firstName', (array['Amina', 'Lina', 'Marc', 'Salma', 'Yanis'])[1 + n % 5],
     'lastName', 'Client ' || n, 'phoneNumber', '+336' || lpad((n % 100000000)::text, 8, '0'),
     'address', jsonb_build_object('street', n % 300 || ' rue de Rivoli', 'city', 'Paris', 'postalCode', '75001')),
   'ORDER-' || n, clock_timestamp(), clock_timestamp() - (interval '90 days' * ($2::int - n) / $2::int)
 from numbered`;

/**
 * Leaves the database as one that has been in use for long: nothing waits to be vacuumed or written to its files, and of the rows
 * that were made by SQL no changes are kept (a service keeps 100,000 of an organization, and deletes the others in the background).
 */
export async function settleDatabase(deployment: Pick<BenchDeployment, 'pool'>): Promise<void> {
  await rowsOf(deployment, 'truncate changes', []);
  await rowsOf(deployment, 'vacuum (analyze) shipments, tasks, tracking_numbers, delivery_runs, drivers', []);
  await rowsOf(deployment, 'checkpoint', []);
}
