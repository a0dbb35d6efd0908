import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { WEBHOOK_EVENT_STATUSES } from '../../../domain/webhook.ts';
import { useAddressParameter } from '../address.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { DELIVERY_STATUS_WORDS } from './delivery-status.tsx';
import styles from './webhooks.module.css';

/** What the table is narrowed to; each filter is in the address. */
export function DeliveryFilters() {
  const { t, i18n } = useLingui();
  const [status = '', setStatus] = useFilter('status');
  const [from = '', setFrom] = useFilter('from');
  const [to = '', setTo] = useFilter('to');
  const [tracking = '', setTracking] = useFilter('tracking');
  return (
    <div className={styles['filters']}>
      <SelectField
        label={t`Status`}
        value={status}
        onChange={setStatus}
        options={[
          { value: '', label: t`All` },
          ...WEBHOOK_EVENT_STATUSES.map((value) => ({ value, label: i18n._(DELIVERY_STATUS_WORDS[value]) })),
        ]}
      />
      <TextField label={t`From`} type="date" value={from} onChange={setFrom} />
      <TextField label={t`To`} type="date" value={to} onChange={setTo} />
      <ShipmentFilter key={tracking} value={tracking} onChange={setTracking} />
    </div>
  );
}

/** A filter of the address; another one shows the first page again. */
function useFilter(name: string): readonly [string | undefined, (value: string) => void] {
  const [value, set] = useAddressParameter(name);
  const [, setPage] = useAddressParameter('page');
  return [
    value,
    (next) => {
      setPage(undefined);
      set(next === '' ? undefined : next);
    },
  ];
}

interface ShipmentProps {
  readonly value: string;
  readonly onChange: (trackingNumber: string) => void;
}

/** A tracking number is looked up when it is complete, not at each letter. */
function ShipmentFilter({ value, onChange }: ShipmentProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState(value);
  return (
    <form
      className={styles['lookup']}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed.trim().toUpperCase());
      }}
    >
      <TextField
        label={t`Tracking number`}
        type="search"
        dir="ltr"
        value={typed}
        onChange={(next) => {
          setTyped(next);
          if (next === '' && value !== '') onChange('');
        }}
      />
      <Button type="submit">
        <Trans>Show</Trans>
      </Button>
    </form>
  );
}
