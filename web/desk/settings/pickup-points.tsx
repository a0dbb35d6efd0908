import { Trans, useLingui } from '@lingui/react/macro';
import { answer, answerWithTag, api, done } from '../../shared/client.ts';
import type { Schemas } from '../../shared/client.ts';
import { useSession } from '../session.tsx';
import { MERCHANTS, useRecord } from '../records.ts';
import { EditLink } from './edit-link.tsx';
import { addressOf, optionalContact, placeValues, usePlaceFields } from './place-fields.ts';
import { optionalText, textOf } from './record/form-field.ts';
import { useKnownOptions } from './record/known-options.ts';
import type { RecordKind } from './record/record-kind.ts';
import { keyedParams, PAGE_SIZE, PATCH_HEADERS, taggedParams } from './record/record-kind.ts';
import { RecordSection } from './record/record-section.tsx';

type Kind = RecordKind<Schemas['PickupPointMember'], Schemas['PickupPoint'], Schemas['PickupPointRequest']>;

const REQUESTS = {
  list: (page) =>
    answer(
      api.GET('/pickup-points', {
        params: { query: { page, itemsPerPage: PAGE_SIZE, 'order[createdAt]': 'asc' } },
      }),
    ),
  read: (id) => answerWithTag(api.GET('/pickup-points/{id}', { params: { path: { id } } })),
  create: (body, key) => answer(api.POST('/pickup-points', { params: keyedParams(key), body })),
  edit: (id, body, etag) =>
    answerWithTag(
      api.PATCH('/pickup-points/{id}', { params: taggedParams(id, etag), headers: PATCH_HEADERS, body }),
    ),
  fresh: {},
  valuesOf: (row) => ({
    name: row.name,
    code: row.code ?? '',
    openingHours: row.openingHours ?? '',
    merchant: row.merchant ?? '',
    ...placeValues(row),
  }),
  bodyOf: (values) => ({
    name: textOf(values, 'name'),
    code: optionalText(values, 'code'),
    openingHours: optionalText(values, 'openingHours'),
    address: addressOf(values),
    contact: optionalContact(values),
    merchant: optionalText(values, 'merchant'),
  }),
} satisfies Partial<Kind>;

/** Where parcels are picked up: staff see all points, a merchant those of its own and the organization's. */
export default function PickupPoints() {
  const { t } = useLingui();
  const { may, session } = useSession();
  const isStaff = session.user.role !== 'ROLE_MERCHANT';
  const place = usePlaceFields(true);
  const owners = useKnownOptions(MERCHANTS, t`Everybody`);
  const kind: Kind = {
    ...REQUESTS,
    name: 'pickup-points',
    columns: useColumns(isStaff),
    fields: () => [
      { name: 'name', label: t`Name`, isRequired: true },
      { name: 'code', label: t`Code`, hint: t`A short name of your own, for spreadsheets.` },
      { name: 'openingHours', label: t`Opening hours` },
      ...(isStaff ? [{ name: 'merchant', label: t`For`, kind: 'merchant' as const, options: owners }] : []),
      ...place,
    ],
    remove: may('pickup_point.delete')
      ? (id, etag) => done(api.DELETE('/pickup-points/{id}', { params: taggedParams(id, etag) }))
      : undefined,
    words: {
      plural: t`Pickup points`,
      make: t`New pickup point`,
      change: t`Pickup point`,
      empty: t`There are no pickup points yet.`,
      removal: t`Shipments that have it keep it; new ones cannot use it.`,
    },
  };
  return <RecordSection kind={kind} />;
}

/** Whose a pickup point is. */
function Owner({ iri }: { readonly iri: string | null | undefined }) {
  const merchant = useRecord(MERCHANTS, iri);
  if (iri === null || iri === undefined) return <Trans>Everybody</Trans>;
  return <bdi>{merchant?.name ?? '…'}</bdi>;
}

function useColumns(isStaff: boolean): Kind['columns'] {
  return [
    {
      key: 'name',
      title: <Trans>Name</Trans>,
      isRowHeader: true,
      // A point of the organization is everybody's: a merchant's user reads it and cannot change it.
      cell: ({ id, name, merchant }) =>
        isStaff || merchant ? <EditLink id={id}>{name}</EditLink> : <bdi>{name}</bdi>,
    },
    { key: 'code', title: <Trans>Code</Trans>, cell: ({ code }) => <bdi dir="ltr">{code ?? '–'}</bdi> },
    {
      key: 'address',
      title: <Trans>Address</Trans>,
      cell: ({ address }) => (
        <bdi>
          {address.street}, {address.city}
        </bdi>
      ),
    },
    {
      key: 'merchant',
      title: <Trans>For</Trans>,
      cell: ({ merchant }) => <Owner iri={merchant} />,
    },
  ];
}
