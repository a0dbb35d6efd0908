import type { ShipmentState, ShipmentTask } from '../../domain/shipment-state.ts';
import type { ShipmentStatus } from '../../domain/enumerations.ts';
import type {
  CommandId,
  DriverId,
  OrganizationId,
  PickupPointId,
  ShipmentId,
  TaskId,
  UserId,
} from '../../domain/ids.ts';
import type { ShipmentRequest } from '../../domain/shipment.ts';
import { storeCommand } from '../../store/commands/commands.ts';
import type { Database } from '../../store/connection.ts';
import { inTransaction, select, selectOne } from '../../store/connection.ts';
import { createShipments } from '../../store/shipments/create-shipments.ts';
import type { CommandKind, CommandRequest } from '../../domain/command.ts';
import { newId } from '../../store/new-id.ts';

/** What no workflow history and no log may ever hold. */
export const PERSONAL = {
  firstName: 'Amélie-Personnelle',
  lastName: 'Haddad-Secret',
  phoneNumber: '+33699887766',
  street: '17 impasse Confidentielle',
} as const;

/** A validated request; what is given replaces fields. */
export function shipmentRequest(fields: Partial<ShipmentRequest> = {}): ShipmentRequest {
  const { firstName, lastName, phoneNumber, street } = PERSONAL;
  return {
    recipient: {
      type: 'individual',
      firstName,
      lastName,
      phoneNumber,
      email: 'amelie.secret@example.com',
      address: {
        street,
        city: 'Paris',
        postalCode: '75001',
        latitude: null,
        longitude: null,
        landmark: null,
      },
    },
    merchantId: null,
    pickupPointId: null,
    pickupAddress: null,
    priority: 'normal',
    packageSize: 'medium',
    weightGrams: 1_500,
    codAmountCents: 12_500,
    handlingOptions: ['fragile'],
    notes: null,
    externalReference: 'ORDER-77',
    items: [],
    scheduledAfter: null,
    scheduledBefore: null,
    ...fields,
  };
}

/** Makes a shipment straight in the database, without a workflow; from a pickup point where one is given. */
export async function makeStoredShipment(
  database: Database,
  organizationId: OrganizationId,
  options: {
    readonly pickupPointId?: PickupPointId;
    readonly awaitsApproval?: boolean;
    readonly fields?: Partial<ShipmentRequest>;
  } = {},
): Promise<ShipmentId> {
  const id = newId<'shipment'>();
  await inTransaction(database, (transaction) =>
    createShipments(transaction, organizationId, [
      {
        id,
        trackingNumber: null,
        source: 'dashboard',
        status: options.awaitsApproval === true ? 'pending_approval' : 'pending',
        request: shipmentRequest({ pickupPointId: options.pickupPointId ?? null, ...options.fields }),
      },
    ]),
  );
  return id;
}

/** Stores a command as the API does, and gives its id. */
export async function makeCommand(
  database: Database,
  organizationId: OrganizationId,
  shipmentId: ShipmentId,
  command: {
    readonly kind: CommandKind;
    readonly taskId?: TaskId;
    readonly request?: CommandRequest;
    readonly actorId?: UserId;
  },
): Promise<CommandId> {
  const id = newId<'command'>();
  const { kind, taskId, request } = command;
  const stored = {
    id,
    organizationId,
    shipmentId,
    taskId: taskId ?? null,
    kind,
    actorId: command.actorId ?? null,
    request: request ?? {},
    trace: null,
  };
  await storeCommand(database, stored, 100);
  return id;
}

/** A transition's stored request. */
export function transitionRequest(transition: string, driverId?: DriverId): CommandRequest {
  return {
    transition,
    ...(driverId === undefined ? {} : { driverId }),
    ...(transition === 'fail' ? { reason: 'recipient_absent' } : {}),
  };
}

/** The shipment as decisions see it, read from the database. */
export async function storedState(database: Database, id: ShipmentId): Promise<ShipmentState> {
  const shipment = await selectOne<{ status: ShipmentStatus }>(
    database,
    'select status from shipments where id = $1',
    [id],
  );
  if (shipment === undefined) throw new Error('there is no such shipment');
  const tasks = await select<ShipmentTask>(
    database,
    `select t.id, t.type, t.status, t.driver_id as "driverId", t.previous_id as "previousId", t.attempts,
       t.failure_reason as "failureReason", t.version, d.first_name || ' ' || d.last_name as "driverName"
     from tasks t left join drivers d on d.id = t.driver_id where t.shipment_id = $1 order by t.ordinal`,
    [id],
  );
  return { status: shipment.status, tasks };
}

/** The id of a shipment's task of a type. */
export async function taskOf(
  database: Database,
  id: ShipmentId,
  type: ShipmentTask['type'],
): Promise<TaskId> {
  const { tasks } = await storedState(database, id);
  const found = tasks.find((task) => task.type === type);
  if (found === undefined) throw new Error(`the shipment has no ${type}`);
  return found.id;
}

/** One line of a shipment's timeline; the moment as text with microseconds, so that it can be compared. */
export interface StoredEntry {
  readonly sequence: number;
  readonly kind: string;
  readonly shipmentStatus: string;
  readonly taskId: TaskId | null;
  readonly taskType: string | null;
  readonly taskStatus: string | null;
  readonly transition: string | null;
  readonly driverId: DriverId | null;
  readonly commandId: CommandId | null;
  readonly recordedAt: string;
}

/** A shipment's timeline, in order. */
export function storedTimeline(database: Database, id: ShipmentId): Promise<StoredEntry[]> {
  return select<StoredEntry>(
    database,
    `select sequence, kind, shipment_status as "shipmentStatus", task_id as "taskId", task_type as "taskType",
       task_status as "taskStatus", transition, driver_id as "driverId", command_id as "commandId",
       to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || '+00:00' as "recordedAt"
     from timeline_entries where shipment_id = $1 order by sequence`,
    [id],
  );
}

/** One notification, its bytes as text. */
export interface StoredEvent {
  readonly kind: string;
  readonly sequence: number;
  readonly body: string;
  readonly updatedAt: string;
  readonly status: string;
}

/** A shipment's notifications, in order. */
export function storedEvents(database: Database, id: ShipmentId): Promise<StoredEvent[]> {
  return select<StoredEvent>(
    database,
    `select kind, sequence, convert_from(body, 'UTF8') as body, event_updated_at as "updatedAt", status
     from webhook_events where shipment_id = $1 order by sequence`,
    [id],
  );
}

/** How many shipments an organization has in a status, or in all: the number that triggers keep. */
export async function maintainedTotal(
  database: Database,
  organizationId: OrganizationId,
  status: ShipmentStatus | null,
): Promise<number> {
  const row = await selectOne<{ total: number }>(database, 'select shipment_total($1, $2) as total', [
    organizationId,
    status,
  ]);
  return row?.total ?? 0;
}
