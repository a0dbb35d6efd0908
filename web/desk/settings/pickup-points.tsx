import { Trans, useLingui } from '@lingui/react/macro';
import { answer, answerWithTag, api, done, idOf } from '../../shared/client.ts';
import type { Schemas } from '../../shared/client.ts';
import { useSession } from '../session.tsx';
import { useMerchants } from '../shipments/reads.ts';
import { EditLink } from './edit-link.tsx';
import { addressOf, optionalContact, placeValues, usePlaceFields } from './place-fields.ts';
import { optionalText, textOf } from './record/form-field.ts';
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
  const merchants = useMerchants().data ?? [];
  const names = new Map(merchants.map(({ id, name }) => [id, name] as const));
  const place = usePlaceFields(true);
  const owners = [
    { value: '', label: t`Everybody` },
    ...merchants.map(({ id, name }) => ({ value: `/api/v1/merchants/${id}`, label: name })),
  ];
  const kind: Kind = {
    ...REQUESTS,
    name: 'pickup-points',
    columns: useColumns(isStaff, names),
    fields: () => [
      { name: 'name', label: t`Name`, isRequired: true },
      { name: 'code', label: t`Code`, hint: t`A short name of your own, for spreadsheets.` },
      { name: 'openingHours', label: t`Opening hours` },
      ...(isStaff ? [{ name: 'merchant', label: t`For`, kind: 'choice' as const, options: owners }] : []),
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

function useColumns(isStaff: boolean, names: ReadonlyMap<string, string>): Kind['columns'] {
  const { t } = useLingui();
  const ownerOf = (iri: string | null | undefined) =>
    iri === null || iri === undefined ? t`Everybody` : (names.get(idOf(iri)) ?? '…');
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
      cell: ({ merchant }) => <bdi>{ownerOf(merchant)}</bdi>,
    },
  ];
}
