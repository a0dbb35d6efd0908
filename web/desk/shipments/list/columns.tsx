import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { isTerminalShipment } from '../../../../domain/shipment-status.ts';
import { PRIORITY_WORDS } from '../../../shared/domain-words.ts';
import { formatAmount, formatDate, formatTime } from '../../../shared/format.ts';
import { serverNowMs } from '../../../shared/server-clock.ts';
import type { Column } from '../../parts/table.tsx';
import { ShipmentStatusSign } from '../../parts/status-sign.tsx';
import { useSession } from '../../session.tsx';
import { ShipmentLink } from '../shipment-link.tsx';
import type { ShipmentLine } from '../reads.ts';
import { MERCHANTS, useRecord } from '../../records.ts';
import { nameOf } from '../reads.ts';
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
    { key: 'number', title: t`Number`, isRowHeader: true, cell: (row) => <NumberCell row={row} /> },
    { key: 'recipient', title: t`Recipient`, cell: (row) => <RecipientCell row={row} /> },
    { key: 'place', title: t`Place`, cell: (row) => <PlaceCell row={row} /> },
    { key: 'status', title: t`Status`, cell: (row) => <StatusCell row={row} /> },
    {
      key: 'collect',
      title: t`To collect`,
      isNumber: true,
      cell: (row) => <bdi>{formatAmount(row.totalCodToCollect, row.currency)}</bdi>,
    },
    ...(isStaff ? [merchant] : []),
    { key: 'due', title: t`Due`, cell: (row) => <DueCell row={row} zone={zone} /> },
    {
      key: 'created',
      title: t`Created`,
      ...order('createdAt'),
      cell: (row) => <Moment moment={row.createdAt} zone={zone} />,
    },
    {
      key: 'updated',
      title: t`Changed`,
      ...order('updatedAt'),
      cell: (row) => <Moment moment={row.updatedAt} zone={zone} />,
    },
  ];
}

interface LinesProps {
  readonly first: ReactNode;
  readonly second?: ReactNode;
  readonly secondDirection?: 'auto' | 'ltr';
}

/**
 * Two lines of a row, cut where they are longer than their column; the drawer has all of it. Each has its text's own direction,
 * and so is cut at the end of the text in every language.
 */
function Lines({ first, second, secondDirection = 'auto' }: LinesProps) {
  return (
    <>
      <span dir="auto" className={styles['line']}>
        {first}
      </span>
      <span dir={secondDirection} className={`${styles['line']} ${styles['quiet']}`}>
        {second}
      </span>
    </>
  );
}

function NumberCell({ row: { id, trackingNumber, externalReference } }: { readonly row: ShipmentLine }) {
  return (
    <>
      <span className={styles['number']}>
        <ShipmentLink id={id}>{trackingNumber}</ShipmentLink>
      </span>
      <span dir="auto" className={`${styles['line']} ${styles['quiet']}`}>
        {externalReference}
      </span>
    </>
  );
}

function RecipientCell({ row: { recipient } }: { readonly row: ShipmentLine }) {
  return <Lines first={nameOf(recipient)} second={recipient.phoneNumber} secondDirection="ltr" />;
}

function PlaceCell({
  row: {
    recipient: { address },
  },
}: {
  readonly row: ShipmentLine;
}) {
  return <Lines first={address.city} second={address.street} />;
}

function StatusCell({ row: { status, priority } }: { readonly row: ShipmentLine }) {
  const { t, i18n } = useLingui();
  const words = i18n._(PRIORITY_WORDS[priority]);
  return (
    <>
      <ShipmentStatusSign status={status} />
      {priority !== 'normal' && <div className={styles['quiet']}>{t`Priority: ${words}`}</div>}
    </>
  );
}

interface MomentProps {
  readonly moment: string;
  readonly zone: string;
}

function Moment({ moment, zone }: MomentProps) {
  return <Lines first={formatDate(moment, zone)} second={formatTime(moment, zone)} />;
}

function DueCell({ row, zone }: { readonly row: ShipmentLine; readonly zone: string }) {
  const { t } = useLingui();
  const { deliveryDeadline: due, status } = row;
  if (due === undefined) return null;
  if (isTerminalShipment(status) || Date.parse(due) >= serverNowMs()) {
    return <Moment moment={due} zone={zone} />;
  }
  const time = formatTime(due, zone);
  return (
    <span className={styles['late']}>
      <Lines first={formatDate(due, zone)} second={t`${time}, late`} />
    </span>
  );
}

function MerchantName({ iri }: { readonly iri: string | undefined }) {
  const merchant = useRecord(MERCHANTS, iri);
  if (iri === undefined) return null;
  return <Lines first={merchant?.name} />;
}
