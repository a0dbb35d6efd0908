import { useLingui } from '@lingui/react/macro';
import { isTerminalShipment } from '../../../../domain/shipment-status.ts';
import { PRIORITY_WORDS } from '../../../shared/domain-words.ts';
import { formatAmount, formatDateTime } from '../../../shared/format.ts';
import { serverNowMs } from '../../../shared/server-clock.ts';
import type { Column } from '../../parts/table.tsx';
import { ShipmentStatusSign } from '../../parts/status-sign.tsx';
import { useSession } from '../../session.tsx';
import { ShipmentLink } from '../shipment-link.tsx';
import type { ShipmentLine } from '../reads.ts';
import { nameOf, useMerchants } from '../reads.ts';
import styles from './list.module.css';

/** What orders the list: the column's direction where it does, and what chooses it. */
export type OrderBy = (by: 'createdAt' | 'updatedAt') => Column<ShipmentLine>['order'];

/** The columns of a list of shipments; the merchant's name is for staff. */
export function useShipmentColumns(orderBy?: OrderBy): readonly Column<ShipmentLine>[] {
  const { t } = useLingui();
  const { session } = useSession();
  const zone = session.organization.timezone;
  const isStaff = session.user.role !== 'ROLE_MERCHANT';
  const order = (by: 'createdAt' | 'updatedAt') => {
    const found = orderBy?.(by);
    return found === undefined ? {} : { order: found };
  };
  const merchant: Column<ShipmentLine> = {
    key: 'merchant',
    title: t`Merchant`,
    cell: (row) => <MerchantName iri={row.merchant} />,
  };
  return [
    {
      key: 'number',
      title: t`Number`,
      isRowHeader: true,
      cell: (row) => <ShipmentLink id={row.id}>{row.trackingNumber}</ShipmentLink>,
    },
    { key: 'recipient', title: t`Recipient`, cell: (row) => <RecipientCell row={row} /> },
    { key: 'place', title: t`Place`, cell: (row) => <PlaceCell row={row} /> },
    { key: 'status', title: t`Status`, cell: (row) => <ShipmentStatusSign status={row.status} /> },
    { key: 'priority', title: t`Priority`, cell: (row) => <PriorityCell row={row} /> },
    {
      key: 'collect',
      title: t`To collect`,
      isNumber: true,
      cell: (row) => <bdi>{formatAmount(row.totalCodToCollect, row.currency)}</bdi>,
    },
    ...(isStaff ? [merchant] : []),
    { key: 'reference', title: t`Reference`, cell: (row) => <bdi>{row.externalReference}</bdi> },
    { key: 'due', title: t`Due`, cell: (row) => <DueCell row={row} zone={zone} /> },
    {
      key: 'created',
      title: t`Created`,
      ...order('createdAt'),
      cell: (row) => formatDateTime(row.createdAt, zone),
    },
    {
      key: 'updated',
      title: t`Changed`,
      ...order('updatedAt'),
      cell: (row) => formatDateTime(row.updatedAt, zone),
    },
  ];
}

function RecipientCell({ row: { recipient } }: { readonly row: ShipmentLine }) {
  return (
    <span className={styles['lines']}>
      <span>
        <bdi>{nameOf(recipient)}</bdi>
      </span>
      <span className={styles['quiet']}>
        <bdi dir="ltr">{recipient.phoneNumber}</bdi>
      </span>
    </span>
  );
}

function PlaceCell({ row: { recipient } }: { readonly row: ShipmentLine }) {
  return (
    <span className={styles['lines']}>
      <span>
        <bdi>{recipient.address.city}</bdi>
      </span>
      <span className={styles['quiet']}>
        <bdi>{recipient.address.street}</bdi>
      </span>
    </span>
  );
}

function PriorityCell({ row: { priority } }: { readonly row: ShipmentLine }) {
  const { i18n } = useLingui();
  const isNotable = priority === 'urgent' || priority === 'high';
  return <span className={isNotable ? undefined : styles['quiet']}>{i18n._(PRIORITY_WORDS[priority])}</span>;
}

function DueCell({ row, zone }: { readonly row: ShipmentLine; readonly zone: string }) {
  const { t } = useLingui();
  const { deliveryDeadline: due, status } = row;
  if (due === undefined) return null;
  const time = formatDateTime(due, zone);
  const isLate = !isTerminalShipment(status) && Date.parse(due) < serverNowMs();
  return isLate ? <span className={styles['late']}>{t`Late: ${time}`}</span> : time;
}

function MerchantName({ iri }: { readonly iri: string | undefined }) {
  const { data: merchants = [] } = useMerchants();
  if (iri === undefined) return null;
  const merchant = merchants.find(({ id }) => iri.endsWith(id));
  return <bdi>{merchant?.name}</bdi>;
}
