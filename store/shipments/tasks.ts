import { isDeepStrictEqual } from 'node:util';
import type {
  FailureReason,
  Priority,
  ShipmentStatus,
  TaskStatus,
  TaskType,
} from '../../domain/enumerations.ts';
import type { DeliveryRunId, DriverId, OrganizationId, ShipmentId, TaskId } from '../../domain/ids.ts';
import { isPinMoved } from '../../domain/remembered-place.ts';
import type { Address, Contact } from '../../domain/shipment.ts';
import type { ShipmentState, TaskState } from '../../domain/shipment-state.ts';
import { columns } from '../columns.ts';
import { selectOne } from '../connection.ts';
import { among, findPage } from '../page.ts';
import type { Lookup, Order, Page, PageOf, Tenant } from '../tenant.ts';
import { checkTenant, inTenantTransaction } from '../tenant.ts';
import { prepared } from '../prepared.ts';
import { rememberPlace } from './remembered-places.ts';
import type { ShipmentRow } from './shipments.ts';

/** What a driver needs at the door of a task's shipment, under the names that the shipment has for it. */
type DoorRow = Pick<
  ShipmentRow,
  'recipient' | 'codAmountCents' | 'totalCodToCollectCents' | 'currency' | 'handlingOptions'
>;

/** A task as the dashboard shows it, with its siblings, on which its allowed transitions depend. */
export interface TaskRow extends TaskState, DoorRow {
  readonly organizationId: OrganizationId;
  readonly shipmentId: ShipmentId;
  readonly shipmentStatus: ShipmentStatus;
  readonly trackingNumber: string;
  readonly priority: Priority;
  /** Those of the shipment; `notes` are the task's own. */
  readonly shipmentNotes: string | null;
  /** Whom the driver meets at the shipment's pickup; null where it has none, or nobody is named there. */
  readonly pickupContact: Contact | null;
  readonly deliveryRunId: DeliveryRunId | null;
  readonly position: number | null;
  readonly address: Address;
  readonly contact: Contact | null;
  readonly after: Date | null;
  readonly before: Date | null;
  readonly attempts: number;
  readonly failureReason: FailureReason | null;
  readonly failureComment: string | null;
  readonly notes: string | null;
  readonly proof: Readonly<Record<string, unknown>> | null;
  readonly assignedAt: Date | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly siblings: readonly TaskState[];
}

/** The filters of the list (interpretation 27): each by one of several values, null for any. */
export interface TaskFilter {
  readonly status: readonly TaskStatus[] | null;
  readonly type: readonly TaskType[] | null;
  readonly driverIds: readonly DriverId[] | null;
  readonly shipmentIds: readonly ShipmentId[] | null;
  readonly deliveryRunIds: readonly DeliveryRunId[] | null;
}

const OWN_COLUMNS = `id, organization_id, shipment_id, type, status, driver_id, previous_id, delivery_run_id, position, address,
  contact, after, before, attempts, failure_reason, failure_comment, notes, proof, assigned_at, started_at, completed_at,
  version, created_at, updated_at`;

const TASK_COLUMNS = `
  ${columns('t', OWN_COLUMNS)}, ${columns('s', 'tracking_number, priority, recipient, currency, handling_options')},
  ${columns('s', 'cod_amount_cents, total_cod_to_collect_cents')}, s.notes as "shipmentNotes",
  s.status as "shipmentStatus",
  (select o.contact from tasks o where o.shipment_id = t.shipment_id and o.type = 'pickup'
   order by o.ordinal limit 1) as "pickupContact",
  (select jsonb_agg(jsonb_build_object('id', o.id, 'type', o.type, 'status', o.status, 'driverId', o.driver_id,
     'previousId', o.previous_id) order by o.ordinal) from tasks o where o.shipment_id = t.shipment_id) as siblings`;

/** Reads a task; the tasks of a withdrawn shipment are missing with it. */
export async function findTask(tenant: Tenant, id: TaskId): Promise<Lookup<TaskRow>> {
  const row = await selectOne<TaskRow>(
    tenant.executor,
    prepared(`select ${TASK_COLUMNS} from tasks t join shipments s on s.id = t.shipment_id
     where t.id = $1 and s.deleted_at is null`),
    [id],
  );
  return checkTenant(tenant, row);
}

/** One page of the tenant's tasks. */
export function findTaskPage(
  tenant: Tenant,
  filter: TaskFilter,
  order: Order,
  page: Page,
): Promise<PageOf<TaskRow>> {
  const values: unknown[] = [tenant.organizationId];
  const conditions = [
    't.organization_id = $1 and s.deleted_at is null',
    among(values, 't.status', 'text', filter.status),
    among(values, 't.type', 'text', filter.type),
    among(values, 't.driver_id', 'uuid', filter.driverIds),
    among(values, 't.shipment_id', 'uuid', filter.shipmentIds),
    among(values, 't.delivery_run_id', 'uuid', filter.deliveryRunIds),
  ];
  return findPage<TaskRow>(
    tenant,
    {
      columns: TASK_COLUMNS,
      from: 'from tasks t join shipments s on s.id = t.shipment_id',
      where: conditions.join(' and '),
      values,
      createdColumn: 't.created_at',
      sortedBy: [`t.${order.by}`, 't.id'],
      direction: order.direction,
    },
    page,
  );
}

/** The shipment of a task as decisions see it. */
export function shipmentStateOf(task: TaskRow): ShipmentState<TaskState> {
  return { status: task.shipmentStatus, tasks: task.siblings };
}

/** What a dispatcher may edit on a task (interpretation 4). */
export interface TaskEdit {
  readonly notes: string | null;
  readonly address: Address;
  readonly contact: Contact | null;
  readonly after: Date | null;
  readonly before: Date | null;
  readonly position: number | null;
}

/** Whether an edit leaves a task as it is. */
export function changesNothing(row: TaskRow, edit: TaskEdit): boolean {
  const { notes, address, contact, after, before, position } = row;
  return isDeepStrictEqual(edit, { notes, address, contact, after, before, position });
}

/**
 * Writes an edit over the version that it was made on; resolves to false when the task has been changed meanwhile, in
 * which case nothing was written. Coordinates of a delivery are remembered for its recipient (decision 0033).
 */
export function editTask(tenant: Tenant, row: TaskRow, edit: TaskEdit): Promise<boolean> {
  const { type, recipient } = row;
  if (type !== 'delivery' || !isPinMoved(row.address, edit.address)) return writeEdit(tenant, row, edit);
  return inTenantTransaction(tenant, async (scope) => {
    if (!(await writeEdit(scope, row, edit))) return false;
    const { street, city } = edit.address;
    await rememberPlace(scope, { phoneNumber: recipient.phoneNumber, street, city }, edit.address);
    return true;
  });
}

async function writeEdit(
  tenant: Tenant,
  { id, version }: Pick<TaskRow, 'id' | 'version'>,
  edit: TaskEdit,
): Promise<boolean> {
  const row = await selectOne<{ id: TaskId }>(
    tenant.executor,
    `update tasks set notes = $4, address = $5::jsonb, contact = $6::jsonb, after = $7::timestamptz,
       before = $8::timestamptz, position = $9::int, version = version + 1, updated_at = clock_timestamp()
     where id = $1 and organization_id = $2 and version = $3
       and status not in ('delivered', 'cancelled') and not (type = 'pickup' and status = 'picked_up') returning id`,
    [
      id,
      tenant.organizationId,
      version,
      edit.notes,
      JSON.stringify(edit.address),
      edit.contact === null ? null : JSON.stringify(edit.contact),
      edit.after,
      edit.before,
      edit.position,
    ],
  );
  return row !== undefined;
}
