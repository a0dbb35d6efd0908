import type { MerchantId } from '../../domain/ids.ts';
import type { Violation } from '../../domain/problem.ts';
import { ProblemError } from '../../domain/problem.ts';
import { merchantExists } from '../../store/shipments/references.ts';
import type { Tenant } from '../../store/tenant.ts';
import type { UserChange } from '../../store/accounts/users.ts';
import { editUser, removeUser, users } from '../../store/accounts/users.ts';
import type { UserFields, UserWrite } from '../../store/models/user.ts';
import type { RecordRequest, RecordResource } from '../resource/record-resource.ts';
import { throwIfInvalid, validPart } from '../schema/lookup-violations.ts';
import type { Infer } from '../schema/schema.ts';
import { reference } from '../schema/schema-values.ts';
import type { UserBody, UserEdit } from './fields.ts';
import { user, userBody, userEdit, userListQuery } from './fields.ts';

export interface UserTypes {
  readonly kind: 'user';
  readonly fields: UserFields;
  readonly body: UserBody;
  readonly edit: UserEdit;
  readonly query: Infer<typeof userListQuery>;
}

/** Users of an organization, for its admins (interpretations 35 and 37). */
export const userRecords: RecordResource<UserTypes> = {
  kind: 'user',
  type: 'User',
  operations: 'users',
  words: { one: 'user', many: 'users', tag: 'Users' },
  actions: { list: 'user.manage', read: 'user.manage', write: 'user.manage' },
  notes: {
    list: '',
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
  ...user,
  body: userBody,
  edited: userEdit,
  query: userListQuery,
  // Which driver names the user is said by the driver's row.
  etag: (row) => `${row.version}-${row.driverId ?? 'none'}`,
  isOwn: (actor, row) => row.id === actor.userId,
  find: users.find,
  findPage: ({ tenant }, { role, isActive }, order, page) =>
    users.findPage(
      tenant,
      { ...(role === null ? {} : { role }), ...(isActive === null ? {} : { isActive }) },
      order,
      page,
    ),
  lookupViolations: ({ tenant }, body, row) =>
    merchantViolations(tenant, validPart(MERCHANT, body, 'merchant'), row?.merchantId ?? null),
  create: async (request, id, body) => {
    const { tenant } = request;
    throwIfInvalid(await merchantViolations(tenant, body.merchant, null));
    await users.insert(tenant, id, await writeOf(request, body));
  },
  edit: async (request, row, edit) => {
    const { tenant, database } = request;
    throwIfInvalid(await merchantViolations(tenant, edit.merchant, row.merchantId));
    return isWritten(await editUser(database, tenant, row, await writeOf(request, edit)));
  },
  remove: async ({ tenant, database }, row, version) =>
    isWritten(await removeUser(database, tenant, row.id, version)),
  uniqueFields: {
    users_email: { field: 'email', message: 'Another user has this email address; choose another.' },
  },
};

async function writeOf(
  { actor, passwords }: RecordRequest,
  { merchant, password, ...body }: UserEdit,
): Promise<UserWrite> {
  return {
    ...body,
    email: body.email.toLowerCase(),
    merchantId: merchant,
    ...(password === null ? {} : { passwordHash: await passwords.hash(actor, password) }),
  };
}

const MERCHANT = reference('merchant');

/** A merchant that the user has already may have been deleted since and is not asked for. */
async function merchantViolations(
  tenant: Tenant,
  merchant: MerchantId | null,
  known: MerchantId | null,
): Promise<readonly Violation[]> {
  if (merchant === null || merchant === known || (await merchantExists(tenant, merchant))) return [];
  const message = 'There is no such merchant in your organization.';
  return [{ propertyPath: 'merchant', message, code: 'reference' }];
}

function isWritten(change: UserChange): boolean {
  if (change !== 'last_admin') return change === 'written';
  throw new ProblemError({
    kind: 'conflict',
    detail: 'This is the last active admin of the organization. Create another one first.',
  });
}
