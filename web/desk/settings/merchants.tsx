import { Trans, useLingui } from '@lingui/react/macro';
import { FEE_PAYERS } from '../../../domain/enumerations.ts';
import { answer, answerWithTag, api, done } from '../../shared/client.ts';
import type { Schemas } from '../../shared/client.ts';
import { FEE_PAYER_WORDS } from '../../shared/domain-words.ts';
import { useSession } from '../session.tsx';
import { EditLink } from './edit-link.tsx';
import { optionalAddress, optionalContact, placeValues, usePlaceFields } from './place-fields.ts';
import { textOf } from './record/form-field.ts';
import type { RecordKind } from './record/record-kind.ts';
import { keyedParams, PAGE_SIZE, PATCH_HEADERS, taggedParams } from './record/record-kind.ts';
import { RecordSection } from './record/record-section.tsx';

type Kind = RecordKind<Schemas['MerchantMember'], Schemas['Merchant'], Schemas['MerchantRequest']>;

const REQUESTS = {
  list: (page) =>
    answer(
      api.GET('/merchants', {
        params: { query: { page, itemsPerPage: PAGE_SIZE, 'order[createdAt]': 'asc' } },
      }),
    ),
  read: (id) => answerWithTag(api.GET('/merchants/{id}', { params: { path: { id } } })),
  create: (body, key) => answer(api.POST('/merchants', { params: keyedParams(key), body })),
  edit: (id, body, etag) =>
    answerWithTag(
      api.PATCH('/merchants/{id}', { params: taggedParams(id, etag), headers: PATCH_HEADERS, body }),
    ),
} satisfies Partial<Kind>;

/** The merchants whose shipments the organization delivers. */
export default function Merchants() {
  const { t, i18n } = useLingui();
  const { may } = useSession();
  const place = usePlaceFields(false);
  const payers = FEE_PAYERS.map((value) => ({ value, label: i18n._(FEE_PAYER_WORDS[value]) }));
  const kind: Kind = {
    ...REQUESTS,
    name: 'merchants',
    columns: [
      {
        key: 'name',
        title: <Trans>Name</Trans>,
        isRowHeader: true,
        cell: ({ id, name }) => <EditLink id={id}>{name}</EditLink>,
      },
      { key: 'city', title: <Trans>City</Trans>, cell: ({ address }) => <bdi>{address?.city ?? '–'}</bdi> },
      {
        key: 'phone',
        title: <Trans>Phone</Trans>,
        cell: ({ contact }) => <bdi dir="ltr">{contact?.phoneNumber ?? '–'}</bdi>,
      },
      {
        key: 'payer',
        title: <Trans>Fee</Trans>,
        cell: ({ feePayer }) => i18n._(FEE_PAYER_WORDS[feePayer]),
      },
    ],
    fields: () => [
      { name: 'name', label: t`Name`, isRequired: true },
      { name: 'feePayer', label: t`Fee`, kind: 'choice', options: payers, hint: t`For new shipments.` },
      ...place,
    ],
    fresh: { feePayer: 'recipient' },
    valuesOf: (row) => ({ name: row.name, feePayer: row.feePayer, ...placeValues(row) }),
    bodyOf: (values) => ({
      name: textOf(values, 'name'),
      feePayer: FEE_PAYERS.find((payer) => payer === values['feePayer']) ?? null,
      contact: optionalContact(values),
      address: optionalAddress(values),
    }),
    remove: may('merchant.delete')
      ? (id, etag) => done(api.DELETE('/merchants/{id}', { params: taggedParams(id, etag) }))
      : undefined,
    words: {
      plural: t`Merchants`,
      make: t`New merchant`,
      change: t`Merchant`,
      empty: t`There are no merchants yet.`,
      removal: t`Its users can no longer sign in. Its shipments and pickup points stay.`,
    },
  };
  return <RecordSection kind={kind} />;
}
