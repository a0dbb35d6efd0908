import type { DriverId } from '../../domain/ids.ts';
import { execute } from '../connection.ts';
import type { Position } from '../models/models.ts';
import { findPage } from '../page.ts';
import type { Page, PageOf, Tenant } from '../tenant.ts';
import { inTenantTransaction } from '../tenant.ts';

/** A position as a device reports it; without a moment it counts from when it arrives. */
export interface ReportedPosition extends Position {
  readonly recordedAt: Date | null;
}

/** A position of the history. */
export interface PositionRow extends Position {
  readonly recordedAt: Date;
}

/**
 * Keeps positions of a driver that the caller has found, and moves its last position to the newest of them unless a
 * newer one is known (interpretation 30). A moment that is known already keeps its first position, so that a repeated
 * request adds nothing.
 */
export function recordPositions(
  tenant: Tenant,
  id: DriverId,
  positions: readonly ReportedPosition[],
): Promise<void> {
  return inTenantTransaction(tenant, async ({ executor, organizationId }) => {
    await execute(executor, INSERT_SQL, [id, organizationId, JSON.stringify(positions)]);
    await execute(executor, NEWEST_SQL, [id, organizationId]);
  });
}

/** One page of a found driver's history, newest first by default. Both bounds are inclusive. */
export function findPositionPage(
  tenant: Tenant,
  id: DriverId,
  range: { readonly after: Date | null; readonly before: Date | null },
  direction: 'asc' | 'desc',
  page: Page,
): Promise<PageOf<PositionRow>> {
  return findPage<PositionRow>(
    tenant,
    {
      columns: 'latitude, longitude, accuracy, heading, speed, recorded_at as "recordedAt"',
      from: 'from driver_positions',
      where: `driver_id = $1 and organization_id = $2 and ($3::timestamptz is null or recorded_at >= $3)
        and ($4::timestamptz is null or recorded_at <= $4)`,
      values: [id, tenant.organizationId, range.after, range.before],
      createdColumn: 'recorded_at',
      sortedBy: ['recorded_at'],
      direction,
    },
    page,
  );
}

const INSERT_SQL = `
insert into driver_positions (driver_id, organization_id, recorded_at, latitude, longitude, accuracy, heading, speed)
select $1, $2, coalesce(p."recordedAt", clock_timestamp()), p.latitude, p.longitude, p.accuracy, p.heading, p.speed
from jsonb_to_recordset($3::jsonb) as p(latitude double precision, longitude double precision,
  accuracy double precision, heading double precision, speed double precision, "recordedAt" timestamptz)
on conflict do nothing`;

/** The primary key's index gives the newest position of all, in whichever order they came in. */
const NEWEST_SQL = `
update drivers d set last_position_at = p.recorded_at, last_position = jsonb_build_object('latitude', p.latitude,
  'longitude', p.longitude, 'accuracy', p.accuracy, 'heading', p.heading, 'speed', p.speed)
from (select * from driver_positions where driver_id = $1 order by recorded_at desc limit 1) p
where d.id = $1 and d.organization_id = $2
  and (d.last_position_at is null or d.last_position_at < p.recorded_at)`;
