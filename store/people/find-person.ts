import type { DriverId, OrganizationId, ShipmentId, UserId } from '../../domain/ids.ts';
import { isTerminalShipment, TERMINAL_SHIPMENT_STATUSES } from '../../domain/shipment-status.ts';
import type { ShipmentStatus } from '../../domain/enumerations.ts';
import type { Address, Recipient } from '../../domain/shipment.ts';
import { ERASED_RECIPIENT } from '../../domain/personal-data.ts';
import type { Executor } from '../connection.ts';
import { select, selectOne } from '../connection.ts';
import { placeKey } from '../shipments/remembered-places.ts';
import type { PersonName, PersonScope } from './person-scope.ts';
import { emptyScope } from './person-scope.ts';

/** A person as an organization's rows know it. */
export interface FoundPerson {
  readonly name: PersonName;
  readonly scope: PersonScope;
  /** Why the person cannot be erased now, in sentences for the operator; the first ones. */
  readonly obstacles: readonly string[];
}

const MAXIMUM_OBSTACLES = 20;

/** Finds a person; undefined where the organization has no such shipment, driver or user. A number without any rows is found, too. */
export function findPerson(
  executor: Executor,
  organizationId: OrganizationId,
  name: PersonName,
): Promise<FoundPerson | undefined> {
  return name.by === 'driver' || name.by === 'user'
    ? findStaff(executor, organizationId, name)
    : findRecipient(executor, organizationId, name);
}

const RECIPIENT_SQL = `
select id from shipments where organization_id = $1 and recipient <> $5::jsonb
  and (id = $2 or recipient->>'phoneNumber' = $3 or lower(recipient->>'email') = $4)
union
select id from external_intakes where organization_id = $1 and request->'recipient' <> $5::jsonb
  and (id = $2 or request->'recipient'->>'phoneNumber' = $3 or lower(request->'recipient'->>'email') = $4)
order by id`;

async function findRecipient(
  executor: Executor,
  organizationId: OrganizationId,
  name: Extract<PersonName, { by: 'phone_number' | 'email' | 'shipment' }>,
): Promise<FoundPerson | undefined> {
  const id = name.by === 'shipment' ? name.id : null;
  const phoneNumber = name.by === 'phone_number' ? name.value : null;
  const email = name.by === 'email' ? name.value.toLowerCase() : null;
  const erased = JSON.stringify(ERASED_RECIPIENT);
  const rows = await select<{ id: ShipmentId }>(executor, RECIPIENT_SQL, [
    ...[organizationId, id, phoneNumber, email, erased],
  ]);
  if (id !== null && rows.length === 0) return undefined;
  const shipmentIds = rows.map((row) => row.id);
  const scope = {
    ...emptyScope(organizationId),
    shipmentIds,
    placeKeys: await placeKeysOf(executor, organizationId, shipmentIds),
    marks: [...shipmentIds, ...[phoneNumber, email].flatMap((mark) => mark ?? [])],
    phoneNumber,
    email,
  };
  const obstacles: string[] = [];
  for (const shipmentId of shipmentIds) {
    const obstacle = await shipmentObstacle(executor, shipmentId);
    if (obstacle !== undefined) obstacles.push(obstacle);
    if (obstacles.length === MAXIMUM_OBSTACLES) break;
  }
  return { name, scope, obstacles: [...obstacles, ...(await contactObstacles(executor, scope))] };
}

/** Tasks of other recipients whose contact is the person: of open shipments, and those that are not decided yet. */
async function contactObstacles(
  executor: Executor,
  { organizationId, shipmentIds, phoneNumber, email }: PersonScope,
): Promise<readonly string[]> {
  if (phoneNumber === null && email === null) return [];
  const rows = await select<{ trackingNumber: string; isDecided: boolean }>(executor, CONTACT_OBSTACLE_SQL, [
    ...[organizationId, phoneNumber, email, [...shipmentIds], [...TERMINAL_SHIPMENT_STATUSES]],
  ]);
  return rows.map(({ trackingNumber, isDecided }) =>
    isDecided
      ? `${trackingNumber}: the person is the contact of a task, and the shipment has not ended.`
      : `${trackingNumber}: the person is the contact of a task that is not decided. Try again in a minute; \`npm run commands\` lists those that failed.`,
  );
}

const IS_CONTACT = (contact: string) =>
  `(${contact}->>'phoneNumber' = $2 or lower(${contact}->>'email') = $3)`;
const CONTACT_OBSTACLE_SQL = `
select s.tracking_number as "trackingNumber", true as "isDecided" from tasks t join shipments s on s.id = t.shipment_id
where t.organization_id = $1 and ${IS_CONTACT('t.contact')} and s.id <> all ($4::uuid[])
  and s.deleted_at is null and s.status <> all ($5::text[])
union
select s.tracking_number, false from commands c join shipments s on s.id = c.shipment_id
where c.organization_id = $1 and c.kind = 'add_task' and c.status in ('received', 'failed') and ${IS_CONTACT(`c.request->'contact'`)}
  and s.id <> all ($4::uuid[])
order by 1 limit ${MAXIMUM_OBSTACLES}`;

/** Says why a recipient has to be kept for a shipment; undefined where nothing needs it any more. */
export async function shipmentObstacle(executor: Executor, id: ShipmentId): Promise<string | undefined> {
  const row = await selectOne<{
    trackingNumber: string;
    status: ShipmentStatus | null;
    isDeleted: boolean;
    commands: number;
    events: number;
  }>(executor, OBSTACLE_SQL, [id]);
  if (row === undefined) return undefined;
  const { trackingNumber, status, isDeleted, commands, events } = row;
  if (status === null) return `${trackingNumber}: the shipment is being created. Try again in a minute.`;
  if (!isDeleted && !isTerminalShipment(status)) {
    return `${trackingNumber}: the shipment is ${status}, and its delivery needs the recipient. Deliver, return, cancel or delete it first.`;
  }
  if (commands > 0) {
    return `${trackingNumber}: ${commands} commands are not decided. Try again in a minute; \`npm run commands\` lists those that failed.`;
  }
  if (events > 0)
    return `${trackingNumber}: ${events} webhook events are still being sent. Try again in a minute.`;
  return undefined;
}

const OBSTACLE_SQL = `
select coalesce(s.tracking_number, i.tracking_number) as "trackingNumber", s.status, s.deleted_at is not null as "isDeleted",
  (select count(*)::int from commands c where c.shipment_id = s.id and c.status in ('received', 'failed')) as commands,
  (select count(*)::int from webhook_events e where e.shipment_id = s.id and e.status = 'pending') as events
from (select $1::uuid as id) as wanted left join shipments s on s.id = wanted.id
left join external_intakes i on i.id = wanted.id
where s.id is not null or i.status = 'processing'`;

/** The names under which places of these shipments are remembered: of the recipient's number with each of their addresses. */
export async function placeKeysOf(
  executor: Executor,
  organizationId: OrganizationId,
  shipmentIds: readonly ShipmentId[],
): Promise<readonly string[]> {
  const rows = await select<{ recipient: Recipient; addresses: readonly Address[] }>(
    executor,
    `select s.recipient, coalesce((select jsonb_agg(t.address) from tasks t where t.shipment_id = s.id and t.type = 'delivery'), '[]')
       as addresses from shipments s where s.id = any($1::uuid[])`,
    [[...shipmentIds]],
  );
  const keys = rows.flatMap(({ recipient: { phoneNumber, address }, addresses }) =>
    [address, ...addresses].map(({ street, city }) =>
      placeKey(organizationId, { phoneNumber, street, city }),
    ),
  );
  return [...new Set(keys)];
}

const FULL_NAME = `first_name || ' ' || last_name`;
/** A user whose driver was deleted may have another one since: they are all this person. */
const STAFF_SQL = `
with u as (select * from users where organization_id = $1
    and id = coalesce($3, (select user_id from drivers where id = $2 and organization_id = $1))),
  d as (select * from drivers where organization_id = $1 and (id = $2 or user_id = (select id from u)))
select array(select id::text from d order by id) as "driverIds", (select id from u) as "userId", (select lower(email) from u) as email,
  array(select distinct ${FULL_NAME} from d) as names,
  array(select phone_number from d union select ${FULL_NAME} from u) as "otherMarks",
  (select count(*)::int from tasks t where t.driver_id in (select id from d) and t.status not in ('delivered', 'cancelled')
     and not (t.type = 'pickup' and t.status = 'picked_up')) as tasks,
  coalesce((select u.role = 'ROLE_ORG_ADMIN' and u.is_active and u.deleted_at is null and not exists (
    select from users o where o.organization_id = u.organization_id and o.role = 'ROLE_ORG_ADMIN' and o.is_active
      and o.deleted_at is null and o.id <> u.id) from u), false) as "isLastAdmin"
where exists (select from u) or exists (select from d)`;

async function findStaff(
  executor: Executor,
  organizationId: OrganizationId,
  name: Extract<PersonName, { by: 'driver' | 'user' }>,
): Promise<FoundPerson | undefined> {
  const row = await selectOne<{
    driverIds: readonly DriverId[];
    userId: UserId | null;
    email: string | null;
    names: readonly string[];
    otherMarks: readonly string[];
    tasks: number;
    isLastAdmin: boolean;
  }>(executor, STAFF_SQL, [
    organizationId,
    name.by === 'driver' ? name.id : null,
    name.by === 'user' ? name.id : null,
  ]);
  if (row === undefined) return undefined;
  const { driverIds, userId, email, names, otherMarks, tasks, isLastAdmin } = row;
  const marks = [...driverIds, ...[userId, email].flatMap((mark) => mark ?? []), ...names, ...otherMarks];
  const scope = { ...emptyScope(organizationId), driverIds, userId, email, marks, names };
  const sending = driverIds.length === 0 ? 0 : await pendingEvents(executor, organizationId, driverIds);
  const obstacles = [
    ...(sending > 0
      ? [`${sending} webhook events with the driver’s name are still being sent. Try again in a minute.`]
      : []),
    ...(tasks > 0
      ? [`The driver has ${tasks} open tasks. Give them to another driver, unassign or cancel them first.`]
      : []),
    ...(isLastAdmin ? ['The user is the last active admin. Make another one first.'] : []),
  ];
  return { name, scope, obstacles };
}

async function pendingEvents(
  executor: Executor,
  organizationId: OrganizationId,
  ids: readonly DriverId[],
): Promise<number> {
  const row = await selectOne<{ count: number }>(
    executor,
    `select count(*)::int as count from webhook_events w join timeline_entries e on e.shipment_id = w.shipment_id
       and e.sequence = w.sequence where w.organization_id = $1 and w.status = 'pending' and e.driver_id = any($2::uuid[])`,
    [organizationId, [...ids]],
  );
  return row?.count ?? 0;
}
