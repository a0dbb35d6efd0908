import { say } from '../../domain/messages.ts';
import Joi from 'joi';
import { USER_ROLES } from '../../domain/permission.ts';
import type { UserRow } from '../../store/models/models.ts';
import { DATES, recordType } from '../hydra/record-type.ts';
import { booleanText, COLLECTION_QUERY, nameSearch } from '../http/pagination.ts';
import { several } from '../http/query.ts';
import { CURRENT_PASSWORD } from '../auth/own-password.ts';
import { bodyOf, fieldsOf } from '../schema/fields.ts';
import type { Infer, Schema } from '../schema/schema.ts';
import { named, violation } from '../schema/schema.ts';
import { defaulted, object, optional, required, shownList } from '../schema/schema-objects.ts';
import { boolean, choice, email, reference, text } from '../schema/schema-values.ts';
import { isCommonPassword, MINIMUM_PASSWORD_LENGTH } from './password-rule.ts';

const MAXIMUM_PASSWORD_LENGTH = 1_000;

/** A password that is to be set: long enough, and not one of those that are tried first (decision 0041). */
function password(): Schema<string> {
  const base = text({
    max: MAXIMUM_PASSWORD_LENGTH,
    description: 'Never shown. Passwords that are tried first, such as password1234, are rejected.',
  });
  const joi = base.joi.custom((value: string, helpers) => {
    if (Array.from(value).length < MINIMUM_PASSWORD_LENGTH) {
      return violation(helpers, 'too_short', say('at_least_characters', { limit: MINIMUM_PASSWORD_LENGTH }));
    }
    return isCommonPassword(value) ? violation(helpers, 'rule', say('common_password')) : value;
  });
  const limits = { minLength: MINIMUM_PASSWORD_LENGTH, format: 'password', writeOnly: true };
  return { ...base, joi, json: { ...base.json, ...limits } };
}

const MERCHANT = optional(reference('merchant'));
const MERCHANT_RULE = 'merchant is required for ROLE_MERCHANT and must be absent or null for other roles.';
const MERCHANT_BY_ROLE = MERCHANT.joi.when('role', {
  switch: [
    { is: 'ROLE_MERCHANT', then: Joi.required() },
    { is: Joi.valid(...USER_ROLES), then: Joi.forbidden() },
  ],
});

const { field, shown, shownIfSet, unshown } = fieldsOf<UserRow>();

const USER = {
  email: field(required(email()), (row) => row.email),
  firstName: field(required(text()), (row) => row.firstName),
  lastName: field(required(text()), (row) => row.lastName),
  role: field(required(choice(USER_ROLES)), (row) => row.role),
  roles: shown(shownList(choice(USER_ROLES)), (row) => [row.role], 'It depends on role.'),
  isActive: field(defaulted(boolean('Whether the user can sign in.'), true), (row) => row.isActive),
  organization: shown(
    reference('organization'),
    (row) => row.organizationId,
    'A user cannot change organizations.',
  ),
  merchant: field({ ...MERCHANT, joi: MERCHANT_BY_ROLE }, (row) => row.merchantId),
  driver: shownIfSet(reference('driver'), (row) => row.driverId, 'Set user on the driver.'),
  ...DATES,
};

/** A user (interpretations 35 and 37). */
export const user = recordType('user', 'User', USER, {});

/** Body of `POST /users`. */
export const userBody = bodyOf(
  'UserRequest',
  { ...USER, password: unshown(required(password())) },
  MERCHANT_RULE,
);
export type UserBody = Infer<typeof userBody>;

/** What a PATCH must come to; without a password it stays. */
export const userEdit = bodyOf(
  'UserEditRequest',
  { ...USER, password: unshown(optional(password())) },
  MERCHANT_RULE,
);
export type UserEdit = Infer<typeof userEdit>;

/** Body of `POST /users/me/password`. */
export const ownPasswordBody = named(
  'OwnPasswordRequest',
  object({
    currentPassword: CURRENT_PASSWORD,
    newPassword: required(password()),
  }),
);

/** Query of the list. */
export const userListQuery = object(
  {
    ...COLLECTION_QUERY,
    ...nameSearch('first name, last name or email'),
    role: optional(several(choice(USER_ROLES))),
    isActive: optional(booleanText()),
  },
  { strict: true },
);
