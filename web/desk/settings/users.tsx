import { Trans, useLingui } from '@lingui/react/macro';
import { USER_ROLES } from '../../../domain/permission.ts';
import { answer, answerWithTag, api, done } from '../../shared/client.ts';
import type { Schemas } from '../../shared/client.ts';
import { ROLE_WORDS } from '../../shared/domain-words.ts';
import { DRIVERS, MERCHANTS } from '../records.ts';
import { EditLink } from './edit-link.tsx';
import type { FormField, FormValues } from './record/form-field.ts';
import { textOf } from './record/form-field.ts';
import type { RecordKind } from './record/record-kind.ts';
import { keyedParams, PAGE_SIZE, PATCH_HEADERS, taggedParams } from './record/record-kind.ts';
import { RecordSection } from './record/record-section.tsx';
import { useKnownOptions } from './record/known-options.ts';
import { linkDriver } from './user-driver.ts';

/** As the API takes it, and the driver whose phone this is: that is a field of the driver. */
type Body = Schemas['UserRequest'] & { readonly driver: string };
type Kind = RecordKind<Schemas['UserMember'], Schemas['User'], Body>;

/** Fields of an edit without those that stay. */
function patchOf({ password, driver: _, ...patch }: Partial<Body>) {
  return password === undefined || password === '' ? patch : { ...patch, password };
}

const REQUESTS = {
  list: (page) =>
    answer(
      api.GET('/users', { params: { query: { page, itemsPerPage: PAGE_SIZE, 'order[createdAt]': 'asc' } } }),
    ),
  read: (id) => answerWithTag(api.GET('/users/{id}', { params: { path: { id } } })),
  create: ({ driver: _, ...body }, key) => answer(api.POST('/users', { params: keyedParams(key), body })),
  edit: async (id, patch, etag) => {
    const saved = await answerWithTag(
      api.PATCH('/users/{id}', {
        params: taggedParams(id, etag),
        headers: PATCH_HEADERS,
        body: patchOf(patch),
      }),
    );
    if (patch.driver === undefined) return saved;
    await linkDriver(id, saved.body.driver ?? '', patch.driver);
    return answerWithTag(api.GET('/users/{id}', { params: { path: { id } } }));
  },
  remove: (id, etag) => done(api.DELETE('/users/{id}', { params: taggedParams(id, etag) })),
  valuesOf: (row) => ({
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    role: row.role,
    merchant: row.merchant ?? '',
    driver: row.driver ?? '',
    isActive: row.isActive ? 'yes' : '',
    password: '',
  }),
  bodyOf: (values) => {
    const role = USER_ROLES.find((known) => known === values['role']) ?? 'ROLE_DISPATCHER';
    return {
      email: textOf(values, 'email'),
      firstName: textOf(values, 'firstName'),
      lastName: textOf(values, 'lastName'),
      role,
      merchant: role === 'ROLE_MERCHANT' ? textOf(values, 'merchant') : null,
      driver: role === 'ROLE_DRIVER' ? textOf(values, 'driver') : '',
      isActive: values['isActive'] === 'yes',
      password: values['password'] ?? '',
    };
  },
} satisfies Partial<Kind>;

/** The people who may sign in, for admins. */
export default function Users() {
  const { t } = useLingui();
  const kind: Kind = {
    ...REQUESTS,
    name: 'users',
    columns: useColumns(),
    fields: useUserFields(),
    fresh: { role: 'ROLE_DISPATCHER', isActive: 'yes' },
    words: {
      plural: t`Users`,
      make: t`New user`,
      change: t`User`,
      empty: t`There are no users.`,
      removal: t`The person is signed out everywhere and cannot sign in again.`,
    },
  };
  return <RecordSection kind={kind} />;
}

function useColumns(): Kind['columns'] {
  const { i18n } = useLingui();
  return [
    {
      key: 'name',
      title: <Trans>Name</Trans>,
      isRowHeader: true,
      cell: ({ id, firstName, lastName }) => (
        <EditLink id={id}>
          {firstName} {lastName}
        </EditLink>
      ),
    },
    { key: 'email', title: <Trans>E-mail address</Trans>, cell: ({ email }) => <bdi dir="ltr">{email}</bdi> },
    { key: 'role', title: <Trans>Role</Trans>, cell: ({ role }) => i18n._(ROLE_WORDS[role]) },
    {
      key: 'active',
      title: <Trans>Can sign in</Trans>,
      cell: ({ isActive }) => (isActive ? <Trans>Yes</Trans> : <Trans>No</Trans>),
    },
  ];
}

function useUserFields(): (values: FormValues, isNew: boolean) => readonly FormField[] {
  const { t, i18n } = useLingui();
  const merchants = useKnownOptions(MERCHANTS, '–');
  const drivers = useKnownOptions(DRIVERS, '–');
  return (values, isNew) => [
    { name: 'firstName', label: t`First name`, isRequired: true },
    { name: 'lastName', label: t`Last name`, isRequired: true },
    { name: 'email', label: t`E-mail address`, kind: 'email', isRequired: true },
    {
      name: 'role',
      label: t`Role`,
      kind: 'choice',
      options: USER_ROLES.map((value) => ({ value, label: i18n._(ROLE_WORDS[value]) })),
    },
    ...(values['role'] === 'ROLE_MERCHANT'
      ? [
          {
            name: 'merchant',
            label: t`Merchant`,
            kind: 'merchant' as const,
            isRequired: true,
            options: merchants,
          },
        ]
      : []),
    ...(values['role'] === 'ROLE_DRIVER' && !isNew
      ? [{ name: 'driver', label: t`Driver`, kind: 'driver' as const, options: drivers }]
      : []),
    {
      name: 'password',
      label: isNew ? t`Password` : t`New password`,
      kind: 'password',
      isRequired: isNew,
      hint: isNew
        ? t`At least 12 characters.`
        : t`Empty: it stays. A new one signs the person out everywhere.`,
    },
    { name: 'isActive', label: t`Can sign in`, kind: 'check' },
  ];
}
