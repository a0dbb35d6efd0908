import { say } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import type { UserId } from '../../domain/ids.ts';
import { drivers, isDriversUser, removeDriver } from '../../store/fleet/drivers.ts';
import { namesHave } from '../../store/name-search.ts';
import type { Tenant } from '../../store/tenant.ts';
import { driver } from './fields.ts';
import { driverListQuery } from './parse.ts';
import { recordRoutes } from '../resource/record-routes.ts';

/** Drivers (interpretation 6). Staff see and write all; a driver sees itself. */
export const driverRecords = recordRoutes({
  kind: 'driver',
  records: drivers,
  actions: { list: 'driver.list', read: 'driver.read', write: 'driver.write', remove: 'driver.delete' },
  notes: {
    create:
      'user must be an active user of the organization with ROLE_DRIVER, and may belong to one driver only.',
    edit: 'user must be an active user of the organization with ROLE_DRIVER, and may belong to one driver only. A new position does not count for If-Match.',
    remove: '409 while the driver has tasks that have not ended; blockedBy lists them.',
  },
  ...driver,
  query: driverListQuery,
  isOwn: (actor, row) => row.id === actor.driverId,
  filter: ({ isAvailable, search }) => ({
    ...namesHave(['first_name', 'last_name', 'phone_number'], search),
    ...(isAvailable === null ? {} : { isAvailable }),
  }),
  check: ({ scope }, { user = null }, row) => userViolations(scope, user === row?.userId ? null : user),
  fieldsOf: ({ user, ...body }) => ({ ...body, userId: user }),
  remove: ({ scope }, row, version) => removeDriver(scope, row.id, version),
  uniqueFields: {
    drivers_by_user: { field: 'user', said: say('user_has_driver') },
  },
});

async function userViolations(scope: Tenant, user: UserId | null): Promise<readonly Violation[]> {
  if (user === null || (await isDriversUser(scope, user))) return [];
  return [{ propertyPath: 'user', ...say('no_driver_user'), code: 'reference' }];
}
