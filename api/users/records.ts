import { iriOf } from '../../domain/iri.ts';
import type { MerchantId } from '../../domain/ids.ts';
import { USER_ROLES } from '../../domain/permission.ts';
import type { Violation } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import { merchantExists } from '../../store/shipments/references.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { UserChange } from '../../store/accounts/users.ts';
import { editUser, removeUser, users } from '../../store/accounts/users.ts';
import type { UserRow } from '../../store/models/user.ts';
import { recordRoutes } from '../resource/record-routes.ts';
import { recordShapes } from '../resource/record-shapes.ts';
import type { Document } from '../hydra/resource.ts';
import { unknownReference } from '../schema/checked-body.ts';
import { array, iri, oneOf, string } from '../schema/shapes.ts';
import { userBody, userEdit, userListQuery } from './parse.ts';

/** Users of an organization, for its admins (interpretations 35 and 37). */
export const userRecords = recordRoutes({
  kind: 'user',
  records: users,
  actions: { list: 'user.manage', read: 'user.manage', write: 'user.manage' },
  notes: {
    create:
      'email must not be used by another user of the service; merchant must belong to the organization.',
    edit: 'email must not be used by another user of the service; merchant must belong to the organization. A new password, or isActive false, signs the user out everywhere. 409 for a change that would leave the organization without an active admin.',
    remove: 'Signs the user out everywhere; its email can be used again. 409 for the last active admin.',
  },
  otherAnswers: {
    429: {
      description:
        'Too many passwords of your organization are waiting to be hashed; wait for the time given in Retry-After.',
    },
  },
  body: userBody,
  edited: userEdit,
  query: userListQuery,
  shapes: recordShapes(
    'User',
    {
      email: string,
      firstName: string,
      lastName: string,
      role: oneOf(USER_ROLES),
      roles: array(oneOf(USER_ROLES)),
      isActive: { type: 'boolean' },
      organization: iri,
      merchant: iri,
      driver: iri,
    },
    ['email', 'firstName', 'lastName', 'role', 'roles', 'isActive', 'organization'],
  ),
  hints: {
    roles: 'It depends on role.',
    organization: 'A user cannot change organizations.',
    driver: 'Set user on the driver.',
  },
  properties: userProperties,
  // Which driver names the user is said by the driver's row.
  etag: (row) => `${row.version}-${row.driverId ?? 'none'}`,
  isOwn: (actor, row) => row.id === actor.userId,
  filter: ({ role, isActive }) => ({
    ...(role === null ? {} : { role }),
    ...(isActive === null ? {} : { isActive }),
  }),
  check: ({ scope }, { merchant = null }, row) =>
    merchantViolations(scope, merchant, row?.merchantId ?? null),
  fieldsOf: async ({ merchant, password, ...body }, { actor, dependencies }) => ({
    ...body,
    email: body.email.toLowerCase(),
    merchantId: merchant,
    ...(password === null ? {} : { passwordHash: await dependencies.passwords.hash(actor, password) }),
  }),
  edit: async ({ scope, dependencies }, row, write) =>
    isWritten(await editUser(dependencies.database, scope, row, write)),
  remove: async ({ scope, dependencies }, row, version) =>
    isWritten(await removeUser(dependencies.database, scope, row.id, version)),
  uniqueFields: {
    users_email: { field: 'email', message: 'Another user has this email address; choose another.' },
  },
});

function userProperties(row: UserRow): Document {
  return {
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    role: row.role,
    roles: [row.role],
    isActive: row.isActive,
    organization: iriOf('organization', row.organizationId),
    merchant: row.merchantId === null ? null : iriOf('merchant', row.merchantId),
    driver: row.driverId === null ? null : iriOf('driver', row.driverId),
  };
}

/** A merchant that the user has already may have been deleted since and is not asked for. */
async function merchantViolations(
  scope: Tenant,
  merchant: MerchantId | null,
  known: MerchantId | null,
): Promise<readonly Violation[]> {
  if (merchant === null || merchant === known || (await merchantExists(scope, merchant))) return [];
  return [unknownReference('merchant', 'merchant')];
}

function isWritten(change: UserChange): boolean {
  if (change !== 'last_admin') return change === 'written';
  throw new ProblemError({
    kind: 'conflict',
    detail: 'This is the last active admin of the organization. Create another one first.',
  });
}
