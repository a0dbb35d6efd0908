import { randomBytes } from 'node:crypto';
import { operatorCaller, recordAudit } from '../../store/audit/audit-events.ts';
import { openSession } from '../../store/accounts/sessions.ts';
import { execute, selectOne } from '../../store/connection.ts';
import type { DriverId, MerchantId, UserId } from '../../domain/ids.ts';
import type { UserRole } from '../../domain/permission.ts';
import { newId } from '../../store/new-id.ts';
import { makeDriver, makeMerchant, makeOrganization, makePickupPoint, makeUser } from '../harness/make.ts';
import type { MadeOrganization, MadeUser, SignedRows } from '../harness/make.ts';
import { makeShipment } from '../harness/moves.ts';

/** Where records are made: rows of a database, and shipments over HTTP. */
export interface Premises extends SignedRows {
  readonly baseUrl: string;
}

/** An organization with a user of each role. */
export interface Cast {
  readonly organization: MadeOrganization;
  readonly users: Readonly<Record<UserRole, MadeUser>>;
  readonly merchantId: MerchantId;
  readonly driverId: DriverId;
}

/** Whose a record is inside its organization: a role's own, or nobody's in particular. */
export type Owner = UserRole | 'nobody';

/** The id of a record for each parameter of each path: by the path's fixed part before it. */
export type Objects = ReadonlyMap<string, string>;

export async function makeCast(service: Premises): Promise<Cast> {
  const organization = await makeOrganization(service, { webhookUrl: 'https://example.com/hook' });
  const merchantId = await makeMerchant(service, organization);
  const users = {
    ROLE_ORG_ADMIN: await makeUser(service, organization, 'ROLE_ORG_ADMIN'),
    ROLE_DISPATCHER: await makeUser(service, organization, 'ROLE_DISPATCHER'),
    ROLE_MERCHANT: await makeUser(service, organization, 'ROLE_MERCHANT', { merchantId }),
    ROLE_DRIVER: await makeUser(service, organization, 'ROLE_DRIVER'),
  };
  const driverId = await makeDriver(service, organization, { userId: users.ROLE_DRIVER.id });
  return { organization, users, merchantId, driverId };
}

/** Makes one record of every kind, all of them the owner's where the owner can have such a record. */
export async function makeObjects(service: Premises, cast: Cast, owner: Owner): Promise<Objects> {
  const { organization, users } = cast;
  const merchantId = owner === 'ROLE_MERCHANT' ? cast.merchantId : await makeMerchant(service, organization);
  const driverId = owner === 'ROLE_DRIVER' ? cast.driverId : await makeDriver(service, organization);
  const userId =
    owner === 'nobody' ? (await makeUser(service, organization, 'ROLE_DISPATCHER')).id : users[owner].id;
  const shipment = await makeShipment(service, users.ROLE_DISPATCHER.token, {
    fields: { merchant: `/api/v1/merchants/${merchantId}` },
  });
  const taskId = shipment.delivery.split('/').at(-1) ?? '';
  await execute(service.database, `update tasks set driver_id = $2, status = 'assigned' where id = $1`, [
    taskId,
    driverId,
  ]);
  const removable = await makeUser(service, organization, 'ROLE_DISPATCHER');
  return new Map([
    ['/shipments', shipment.id],
    ['/shipments/imports', await makeFailedImport(service, cast, userId)],
    ['/imports', await makeImport(service, cast, { userId, merchantId })],
    ['/tasks', taskId],
    ['/delivery-runs', await makeRun(service, cast, driverId)],
    ['/drivers', driverId],
    ['/zones', await makeZone(service, cast)],
    ['/pickup-points', await makePickupPoint(service, organization, { merchantId })],
    ['/merchants', merchantId],
    ['/organizations', organization.id],
    ['/users', removable.id],
    ['/commands', await makeCommand(service, cast, { shipmentId: shipment.id, taskId, userId })],
    ['/webhook-deliveries', await makeEvent(service, cast)],
    ['/sessions', await makeSession(service, userId)],
    ['/audit-events', await makeAuditEvent(service, cast)],
    ['/external/shipments', shipment.id],
  ]);
}

/** The path with its parameters filled in. Throws where a kind of record has no fixture here: add one. */
export function pathTo(path: string, idOf: (collection: string) => string | undefined): string {
  return path.replaceAll(/\{\w+\}/g, (_parameter, offset: number) => {
    const before = path.slice(0, offset - 1).replaceAll(/^.*\}(?=\/)/g, '');
    const id = idOf(before);
    if (id === undefined) throw new Error(`${before} has no record in test/api/permission-objects.ts`);
    return id;
  });
}

async function makeRun(service: Premises, { organization }: Cast, driverId: DriverId): Promise<string> {
  const id = newId<'delivery_run'>();
  await execute(
    service.database,
    `insert into delivery_runs (id, organization_id, reference, run_date, driver_id, planning_status)
     values ($1, $2, $3, '2030-01-01', $4, 'planned')`,
    [id, organization.id, `RUN-${id}`, driverId],
  );
  return id;
}

async function makeZone(service: Premises, { organization }: Cast): Promise<string> {
  const id = newId<'zone'>();
  const ring = '[[0,0],[1,0],[1,1],[0,0]]';
  await execute(
    service.database,
    `insert into zones (id, organization_id, name, polygon, base_fee_cents) values ($1, $2, 'Zone', $3::jsonb, 1)`,
    [id, organization.id, `{"type":"Polygon","coordinates":[${ring}]}`],
  );
  return id;
}

async function makeCommand(
  service: Premises,
  { organization }: Cast,
  command: { readonly shipmentId: string; readonly taskId: string; readonly userId: UserId },
): Promise<string> {
  const id = newId<'command'>();
  await execute(
    service.database,
    `insert into commands (id, organization_id, shipment_id, task_id, kind, actor_id, request)
     values ($1, $2, $3, $4, 'transition', $5, '{"transition":"cancel"}')`,
    [id, organization.id, command.shipmentId, command.taskId, command.userId],
  );
  return id;
}

async function makeEvent(service: Premises, { organization }: Cast): Promise<string> {
  const id = newId<'webhook_event'>();
  await execute(
    service.database,
    `insert into webhook_events (id, organization_id, kind, body, event_updated_at, status, settled_at)
     values ($1, $2, 'shipment.status_changed', convert_to($3, 'UTF8'), '2030-01-01T00:00:00.000000+00:00', 'dead', now())`,
    [id, organization.id, '{"event":"shipment.status_changed"}'],
  );
  return id;
}

function makeSession({ database }: Premises, userId: UserId): Promise<string> {
  const lifetimes = { session: 3_600, refreshToken: 3_600 };
  const origin = { address: null, userAgent: null };
  return openSession(database, userId, randomBytes(32), lifetimes, origin);
}

async function makeAuditEvent(service: Premises, { organization }: Cast): Promise<string> {
  await recordAudit(service.database, operatorCaller('a test', organization.id), {
    kind: 'organization.created',
  });
  const row = await selectOne<{ id: string }>(
    service.database,
    'select id from audit_events where organization_id = $1 order by created_at desc limit 1',
    [organization.id],
  );
  return row?.id ?? '';
}

async function makeImport(
  service: Premises,
  { organization }: Cast,
  by: { readonly userId: UserId; readonly merchantId: MerchantId },
): Promise<string> {
  const id = newId<'import'>();
  await execute(
    service.database,
    `insert into imports (id, organization_id, user_id, merchant_id, status) values ($1, $2, $3, $4, 'done')`,
    [id, organization.id, by.userId, by.merchantId],
  );
  return id;
}

async function makeFailedImport(service: Premises, { organization }: Cast, userId: UserId): Promise<string> {
  const id = newId<'import'>();
  await execute(
    service.database,
    `insert into failed_imports (id, organization_id, user_id, workbook) values ($1, $2, $3, 'rows')`,
    [id, organization.id, userId],
  );
  return id;
}
