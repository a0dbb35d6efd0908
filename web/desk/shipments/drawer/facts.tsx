import { Trans, useLingui } from '@lingui/react/macro';
import {
  FEE_PAYER_WORDS,
  HANDLING_WORDS,
  PACKAGE_SIZE_WORDS,
  PRIORITY_WORDS,
  RECIPIENT_TYPE_WORDS,
  UNIT_WORDS,
} from '../../../shared/domain-words.ts';
import {
  formatAmount,
  formatDateTime,
  formatList,
  formatNumber,
  formatWeight,
} from '../../../shared/format.ts';
import { useSession } from '../../session.tsx';
import type { Shipment } from '../reads.ts';
import { MERCHANTS, PICKUP_POINTS, useRecord } from '../../records.ts';
import { nameOf } from '../reads.ts';
import { Fact, Facts, Section } from './section.tsx';
import styles from './drawer.module.css';

interface Props {
  readonly shipment: Shipment;
}

export function Recipient({ shipment: { recipient } }: Props) {
  const { i18n } = useLingui();
  const { address } = recipient;
  return (
    <Section title={<Trans>Recipient</Trans>}>
      <Facts>
        <Fact name={i18n._(RECIPIENT_TYPE_WORDS[recipient.type])}>
          <bdi>{nameOf(recipient)}</bdi>
        </Fact>
        <Fact name={<Trans>Phone</Trans>}>
          <a href={`tel:${recipient.phoneNumber}`} dir="ltr">
            {recipient.phoneNumber}
          </a>
        </Fact>
        <Fact name={<Trans>E-mail</Trans>}>{recipient.email && <bdi dir="ltr">{recipient.email}</bdi>}</Fact>
        <Fact name={<Trans>Address</Trans>}>
          <AddressLines address={address} />
        </Fact>
      </Facts>
    </Section>
  );
}

/** An address as it is written on paper, with what helps to find it. */
function AddressLines({ address }: { readonly address: Shipment['recipient']['address'] }) {
  const { street, city, postalCode, landmark, latitude, longitude } = address;
  return (
    <>
      <div>
        <bdi>{street}</bdi>
      </div>
      <div>
        <bdi>{[postalCode, city].filter(Boolean).join(' ')}</bdi>
      </div>
      {landmark && (
        <div>
          <bdi>{landmark}</bdi>
        </div>
      )}
      <div className={styles['quiet']}>
        {latitude === undefined ? (
          <Trans>No place on the map yet</Trans>
        ) : (
          <bdi dir="ltr">
            {latitude}, {longitude}
          </bdi>
        )}
      </div>
    </>
  );
}

export function Parcel({ shipment }: Props) {
  const { i18n } = useLingui();
  const { session } = useSession();
  const zone = session.organization.timezone;
  const { scheduledAfter, scheduledBefore, deliveryDeadline, deadlineMissedAt } = shipment;
  const moment = (value: string | undefined) => value && formatDateTime(value, zone);
  const size = i18n._(PACKAGE_SIZE_WORDS[shipment.packageSize]);
  const weight = shipment.weight === undefined ? undefined : formatWeight(shipment.weight);
  const handling = shipment.handlingOptions.map((option) => i18n._(HANDLING_WORDS[option]));
  return (
    <Section title={<Trans>Parcel</Trans>}>
      <Facts>
        <Fact name={<Trans>Size</Trans>}>{formatList(weight === undefined ? [size] : [size, weight])}</Fact>
        <Fact name={<Trans>Priority</Trans>}>{i18n._(PRIORITY_WORDS[shipment.priority])}</Fact>
        <Fact name={<Trans>Handling</Trans>}>{formatList(handling)}</Fact>
        <Fact name={<Trans>Not before</Trans>}>{moment(scheduledAfter)}</Fact>
        <Fact name={<Trans>Not after</Trans>}>{moment(scheduledBefore)}</Fact>
        <Fact name={<Trans>Due</Trans>}>{moment(deliveryDeadline)}</Fact>
        <Fact name={<Trans>Deadline missed</Trans>}>{moment(deadlineMissedAt)}</Fact>
        <Names shipment={shipment} />
        <Fact name={<Trans>Reference</Trans>}>
          {shipment.externalReference && <bdi>{shipment.externalReference}</bdi>}
        </Fact>
        <Fact name={<Trans>Notes</Trans>}>
          {shipment.notes && <bdi className={styles['text']}>{shipment.notes}</bdi>}
        </Fact>
      </Facts>
    </Section>
  );
}

/** Whose parcel it is and where it is picked up. */
function Names({ shipment: { merchant, pickupPoint, pickupAddress } }: Props) {
  const merchantName = useRecord(MERCHANTS, merchant)?.name;
  const point = useRecord(PICKUP_POINTS, pickupPoint);
  return (
    <>
      <Fact name={<Trans>Merchant</Trans>}>{merchantName && <bdi>{merchantName}</bdi>}</Fact>
      <Fact name={<Trans>Pickup at</Trans>}>
        {point && (
          <bdi>
            {point.name}, {point.address.city}
          </bdi>
        )}
      </Fact>
      <Fact name={<Trans>Pickup at</Trans>}>{pickupAddress && <AddressLines address={pickupAddress} />}</Fact>
    </>
  );
}

export function Amounts({ shipment }: Props) {
  const { i18n } = useLingui();
  const { currency, feeBreakdown: fee } = shipment;
  const amount = (value: string) => <bdi>{formatAmount(value, currency)}</bdi>;
  const parts = [
    { name: <Trans>Base</Trans>, value: fee.base },
    { name: <Trans>Size</Trans>, value: fee.size },
    { name: <Trans>Weight</Trans>, value: fee.weight },
    { name: <Trans>Priority</Trans>, value: fee.priority },
  ];
  return (
    <Section title={<Trans>Amounts</Trans>}>
      <Facts>
        <Fact name={<Trans>Goods</Trans>}>{amount(shipment.codAmount)}</Fact>
        <Fact name={<Trans>Delivery fee</Trans>}>
          {amount(shipment.deliveryFee)}{' '}
          <span className={styles['quiet']}>({i18n._(FEE_PAYER_WORDS[shipment.feePayer])})</span>
        </Fact>
        <Fact name={<Trans>To collect</Trans>}>
          <span className={styles['total']}>{amount(shipment.totalCodToCollect)}</span>
        </Fact>
      </Facts>
      <details>
        <summary>
          <Trans>How the fee is made up</Trans>
        </summary>
        <Facts>
          {parts.map(({ name, value }, index) => (
            <Fact key={index} name={name}>
              {amount(value)}
            </Fact>
          ))}
        </Facts>
      </details>
    </Section>
  );
}

export function Items({ shipment: { items, currency } }: Props) {
  const { t, i18n } = useLingui();
  if (items.length === 0) return null;
  return (
    <Section title={<Trans>Items</Trans>}>
      <table className={styles['items']} aria-label={t`Items`}>
        <thead>
          <tr>
            <th scope="col">{t`Item`}</th>
            <th scope="col">{t`SKU`}</th>
            <th scope="col" className={styles['number']}>{t`Quantity`}</th>
            <th scope="col" className={styles['number']}>{t`Unit price`}</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ name, sku, quantity, unitType, unitPrice }, index) => (
            <tr key={index}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td>
                <bdi dir="ltr">{sku}</bdi>
              </td>
              <td className={styles['number']}>
                {formatNumber(quantity)} {i18n._(UNIT_WORDS[unitType])}
              </td>
              <td className={styles['number']}>
                {unitPrice !== undefined && <bdi>{formatAmount(unitPrice, currency)}</bdi>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
