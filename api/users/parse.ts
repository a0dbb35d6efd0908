import type { UserRole } from '../../domain/permission.ts';
import { USER_ROLES } from '../../domain/permission.ts';
import { booleanText, COLLECTION_QUERY } from '../http/pagination.ts';
import type { Schema } from '../schema/schema.ts';
import type { ObjectRule } from '../schema/schema-objects.ts';
import { named, violation } from '../schema/schema.ts';
import { defaulted, object, optional, required } from '../schema/schema-objects.ts';
import { boolean, choice, email, reference, text } from '../schema/schema-values.ts';

const MINIMUM_PASSWORD_LENGTH = 10;
const MAXIMUM_PASSWORD_LENGTH = 1_000;

/** A password that is to be set. Its length is its only rule (NIST SP 800-63B section 5.1.1.2). */
function password(): Schema<string> {
  const base = text({ max: MAXIMUM_PASSWORD_LENGTH, description: 'Never shown.' });
  return {
    joi: base.joi.custom((value: string, helpers) => {
      if (Array.from(value).length >= MINIMUM_PASSWORD_LENGTH) return value;
      return violation(helpers, 'too_short', `Must have at least ${MINIMUM_PASSWORD_LENGTH} characters.`);
    }),
    json: { ...base.json, minLength: MINIMUM_PASSWORD_LENGTH, format: 'password', writeOnly: true },
  };
}

const MERCHANT_RULE: ObjectRule<{ readonly role: UserRole; readonly merchant: string | null }> = {
  description: 'merchant is required for ROLE_MERCHANT and must be absent or null for other roles.',
  check: ({ role, merchant }) => {
    if (role === undefined || merchant === undefined) return undefined;
    if ((role === 'ROLE_MERCHANT') === (merchant !== null)) return undefined;
    if (merchant === null) {
      return { path: 'merchant', code: 'required', message: 'Required for a user with ROLE_MERCHANT.' };
    }
    return { path: 'merchant', code: 'rule', message: `Must be null for a user with ${role}.` };
  },
};

const FIELDS = {
  email: required(email()),
  firstName: required(text()),
  lastName: required(text()),
  role: required(choice(USER_ROLES)),
  isActive: defaulted(boolean('Whether the user can sign in.'), true),
  merchant: optional(reference('merchant')),
};

/** Body of `POST /users`. */
export const userBody = named(
  'UserRequest',
  object({ ...FIELDS, password: required(password()) }, { rules: [MERCHANT_RULE] }),
);

/** What a PATCH must come to; without a password it stays. */
export const userEdit = named(
  'UserEditRequest',
  object({ ...FIELDS, password: optional(password()) }, { rules: [MERCHANT_RULE] }),
);

/** Body of `POST /users/me/password`. */
export const ownPasswordBody = named(
  'OwnPasswordRequest',
  object({
    currentPassword: required(
      text({ max: MAXIMUM_PASSWORD_LENGTH, min: 0, description: 'The current password.' }),
    ),
    newPassword: required(password()),
  }),
);

/** Query of the list. */
export const userListQuery = object(
  { ...COLLECTION_QUERY, role: optional(choice(USER_ROLES)), isActive: optional(booleanText()) },
  { strict: true },
);
