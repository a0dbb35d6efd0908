import type { MerchantId } from '../../domain/ids.ts';
import { say } from '../../domain/messages.ts';
import type { Violation } from '../../domain/problem.ts';
import { CONFIRMED_USER_FIELDS } from '../../domain/second-factor.ts';
import { merchantExists } from '../../store/shipments/references.ts';
import { namesHave } from '../../store/name-search.ts';
import type { Tenant } from '../../store/tenant.ts';
import { editUser, removeUser, users } from '../../store/accounts/users.ts';
import { user, userBody, userEdit, userListQuery } from './fields.ts';
import { recordRoutes } from '../resource/record-routes.ts';
import { unknownReference } from '../schema/checked-body.ts';

/** Users of an organization, for its admins (interpretations 35 and 37). */
export const userRecords = recordRoutes({
  kind: 'user',
  records: users,
  actions: { list: 'user.manage', read: 'user.manage', write: 'user.manage', remove: 'user.manage' },
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
  ...user,
  hasPassword: true,
  body: userBody,
  edited: userEdit,
  query: userListQuery,
  isOwn: (actor, row) => row.id === actor.userId,
  filter: ({ role, isActive, search }) => ({
    ...namesHave(['first_name', 'last_name', 'email'], search),
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
  edit: ({ scope }, row, write) => editUser(scope, row, write),
  remove: ({ scope }, row, version) => removeUser(scope, row.id, version),
  audit: {
    created: 'user.created',
    edited: (changed) => (changed.includes('role') ? 'user.role_changed' : 'user.edited'),
    removed: 'user.deleted',
  },
  confirmedFields: CONFIRMED_USER_FIELDS,
  uniqueFields: {
    users_email: { field: 'email', said: say('email_taken') },
  },
});

/** A merchant that the user has already may have been deleted since and is not asked for. */
async function merchantViolations(
  scope: Tenant,
  merchant: MerchantId | null,
  known: MerchantId | null,
): Promise<readonly Violation[]> {
  if (merchant === null || merchant === known || (await merchantExists(scope, merchant))) return [];
  return [unknownReference('merchant', 'merchant')];
}
