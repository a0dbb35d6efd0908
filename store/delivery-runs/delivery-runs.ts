import type { PlanningStatus, RunStage, RunStatusRule, StageCounts } from '../../domain/delivery-run.ts';
import { RUN_STAGES, RUN_STATUS_RULES, STAGE_OF_STATUS } from '../../domain/delivery-run.ts';
import type { RunStatus } from '../../domain/enumerations.ts';
import type { DeliveryRunId, DriverId, OrganizationId } from '../../domain/ids.ts';
import { columns } from '../columns.ts';
import { select } from '../connection.ts';
import { among, findPage } from '../page.ts';
import type { TaskRow } from '../shipments/tasks.ts';
import type { Lookup, Order, Page, PageOf, Tenant } from '../tenant.ts';
import { lookUp } from '../tenant.ts';

/** What a dispatcher says of a run. */
export interface RunFields {
  readonly name: string | null;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly driverId: DriverId | null;
  readonly planning: PlanningStatus;
}

/** A run as the dashboard shows it, without its tasks. */
export interface RunRow extends StageCounts, RunFields {
  readonly id: DeliveryRunId;
  readonly organizationId: OrganizationId;
  readonly reference: string;
  /** When the first task began, and when the last one so far ended; a failure is an end. */
  readonly startedAt: Date | null;
  readonly lastEndedAt: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A task of a run in short, with what a command for it needs. */
export type RunTaskRow = Pick<
  TaskRow,
  | 'id'
  | 'organizationId'
  | 'shipmentId'
  | 'trackingNumber'
  | 'priority'
  | 'type'
  | 'status'
  | 'position'
  | 'driverId'
  | 'address'
  | 'after'
  | 'before'
>;

/** The filters of the list (interpretation 27): each by one of several values, null for any. */
export interface RunFilter {
  readonly dates: readonly string[] | null;
  readonly driverIds: readonly DriverId[] | null;
  readonly status: readonly RunStatus[] | null;
}

/** The tasks of deleted shipments are in no list and in no run (interpretation 17). */
const TASK_SOURCE = `from tasks t join shipments s on s.id = t.shipment_id and s.deleted_at is null`;

export const RUN_COLUMNS = `${columns('r', 'id, organization_id, reference, name, driver_id, version, created_at, updated_at')},
  to_char(r.run_date, 'YYYY-MM-DD') as date, r.planning_status as planning, n.*`;

/** A failure has no column of its own: its moment is the timeline's. */
export const RUN_SOURCE = `from delivery_runs r cross join lateral (
  select ${RUN_STAGES.map((stage) => `count(*) filter (where t.status in (${statusesOf(stage)}))::int as ${stage}`).join(', ')},
    min(case when t.status in (${statusesOf('underway', 'done', 'failed')})
      then coalesce(t.started_at, t.completed_at, f.failed_at) end) as "startedAt",
    max(coalesce(t.completed_at, f.failed_at)) as "lastEndedAt"
  ${TASK_SOURCE}
  left join lateral (select max(e.recorded_at) as failed_at from timeline_entries e
    where t.status = 'failed' and e.shipment_id = t.shipment_id and e.task_id = t.id and e.task_status = 'failed') f on true
  where t.delivery_run_id = r.id) n`;

/** Reads a run; a deleted one is missing. */
export function findRun(tenant: Tenant, id: DeliveryRunId): Promise<Lookup<RunRow>> {
  return lookUp(tenant, `select ${RUN_COLUMNS} ${RUN_SOURCE} where r.id = $1 and r.deleted_at is null`, id);
}

/** One page of the tenant's runs. */
export function findRunPage(
  tenant: Tenant,
  filter: RunFilter,
  order: Order,
  page: Page,
): Promise<PageOf<RunRow>> {
  const values: unknown[] = [tenant.organizationId];
  const conditions = [
    'r.organization_id = $1 and r.deleted_at is null',
    among(values, 'r.run_date', 'date', filter.dates),
    among(values, 'r.driver_id', 'uuid', filter.driverIds),
    among(values, STATUS_SQL, 'text', filter.status),
  ];
  return findPage<RunRow>(
    tenant,
    {
      columns: RUN_COLUMNS,
      from: RUN_SOURCE,
      // Counting needs the tasks only where the derived status is asked for.
      countSource: filter.status === null ? 'from delivery_runs r' : RUN_SOURCE,
      where: conditions.join(' and '),
      values,
      createdColumn: 'r.created_at',
      sortedBy: [`r.${order.by}`, 'r.id'],
      direction: order.direction,
    },
    page,
  );
}

/** The tasks of a run in their order; those without a place come last. */
export function findRunTasks(tenant: Tenant, id: DeliveryRunId): Promise<RunTaskRow[]> {
  return select<RunTaskRow>(
    tenant.executor,
    `select ${columns('s', 'tracking_number, priority')},
       ${columns('t', 'id, organization_id, shipment_id, type, status, position, driver_id, address, after, before')}
     ${TASK_SOURCE} where t.delivery_run_id = $1 and t.organization_id = $2
     order by t.position nulls last, t.created_at, t.id`,
    [id, tenant.organizationId],
  );
}

function statusesOf(...stages: RunStage[]): string {
  return Object.entries(STAGE_OF_STATUS)
    .filter(([, stage]) => stages.includes(stage))
    .map(([status]) => `'${status}'`)
    .join(', ');
}

/** The domain's rules as one expression over the counts, so that the filter cannot disagree with `runStatus`. */
const STATUS_SQL = `(case ${RUN_STATUS_RULES.map((rule) => `when ${conditionOf(rule)} then '${rule.status}'`).join(' ')}
  else r.planning_status end)`;

function conditionOf(rule: RunStatusRule): string {
  if ('planning' in rule) return `r.planning_status = '${rule.planning}'`;
  if ('some' in rule) return `${sumOf(rule.some)} > 0`;
  return `${sumOf(RUN_STAGES)} > 0 and ${sumOf(rule.only)} = ${sumOf(RUN_STAGES)}`;
}

function sumOf(stages: readonly RunStage[]): string {
  return `(${stages.map((stage) => `n.${stage}`).join(' + ')})`;
}
