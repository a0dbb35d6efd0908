import { iriOf } from '../../domain/iri.ts';
import type { Violation } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import type { UserId } from '../../domain/ids.ts';
import { drivers, isDriversUser, removeDriver } from '../../store/fleet/drivers.ts';
import type { DriverFields } from '../../store/models/driver.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { RecordResource } from '../resource/record-resource.ts';
import { throwIfInvalid, validPart } from '../schema/lookup-violations.ts';
import type { Infer } from '../schema/schema.ts';
import { reference } from '../schema/schema-values.ts';
import { driver } from './fields.ts';
import { driverListQuery } from './parse.ts';

type DriverBody = Infer<typeof driver.body>;

export interface DriverTypes {
  readonly kind: 'driver';
  readonly fields: DriverFields;
  readonly body: DriverBody;
  readonly edit: DriverBody;
  readonly query: Infer<typeof driverListQuery>;
}

/** Drivers (interpretation 6). Staff see and write all; a driver sees itself. */
export const driverRecords: RecordResource<DriverTypes> = {
  kind: 'driver',
  type: 'Driver',
  operations: 'drivers',
  words: { one: 'driver', many: 'drivers', tag: 'Drivers' },
  actions: { list: 'driver.list', read: 'driver.read', write: 'driver.write' },
  notes: {
    list: '',
    create:
      'user must be an active user of the organization with ROLE_DRIVER, and may belong to one driver only.',
    edit: 'user must be an active user of the organization with ROLE_DRIVER, and may belong to one driver only. A new position does not change the ETag.',
    remove: '409 while the driver has tasks that have not ended; blockedBy lists them.',
  },
  ...driver,
  edited: driver.body,
  query: driverListQuery,
  etag: (row) => `${row.version}-${row.lastPositionAt?.getTime() ?? 0}`,
  isOwn: (actor, row) => row.id === actor.driverId,
  find: drivers.find,
  findPage: ({ tenant }, { isAvailable }, order, page) =>
    drivers.findPage(tenant, isAvailable === null ? {} : { isAvailable }, order, page),
  lookupViolations: ({ tenant }, body, row) => {
    const user = validPart(USER, body, 'user');
    return userViolations(tenant, user === row?.userId ? null : user);
  },
  create: async ({ tenant }, id, body) => {
    throwIfInvalid(await userViolations(tenant, body.user));
    await drivers.insert(tenant, id, fieldsOf(body));
  },
  edit: async ({ tenant }, row, body) => {
    if (body.user !== row.userId) throwIfInvalid(await userViolations(tenant, body.user));
    return drivers.update(tenant, row.id, row.version, fieldsOf(body));
  },
  remove: async ({ tenant, database }, row, version) => {
    const removal = await removeDriver(database, tenant, row.id, version);
    if (removal.kind !== 'busy') return removal.kind === 'removed';
    throw new ProblemError({
      kind: 'conflict',
      detail:
        'The driver has open tasks. Assign them to another driver or cancel them, then delete the driver.',
      blockedBy: removal.openTasks.map((id) => iriOf('task', id)),
    });
  },
  uniqueFields: {
    drivers_by_user: { field: 'user', message: 'This user already belongs to another driver.' },
  },
};

function fieldsOf({ user, ...body }: DriverBody): Partial<DriverFields> {
  return { ...body, userId: user };
}

const USER = reference('user');

async function userViolations(tenant: Tenant, user: UserId | null): Promise<readonly Violation[]> {
  if (user === null || (await isDriversUser(tenant, user))) return [];
  const message = 'There is no active user with ROLE_DRIVER and this id in your organization.';
  return [{ propertyPath: 'user', message, code: 'reference' }];
}
