import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useState } from 'react';
import { PRIORITIES, SHIPMENT_STATUSES } from '../../../../domain/enumerations.ts';
import { PRIORITY_WORDS, SHIPMENT_STATUS_WORDS } from '../../../shared/domain-words.ts';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { RecordChoice } from '../../parts/record-choice.tsx';
import { MERCHANTS } from '../../records.ts';
import { useSession } from '../../session.tsx';
import type { Filters } from './filters.ts';
import styles from './list.module.css';

const TYPING_MS = 400;

interface Props {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>, options?: { readonly replace: boolean }) => void;
}

/** What the list can be narrowed by. */
export function FilterBar({ filters, onChange }: Props) {
  const { t, i18n } = useLingui();
  const { session } = useSession();
  return (
    <div role="search" className={styles['filters']}>
      <SearchField value={filters.search} onChange={(search) => onChange({ search }, { replace: true })} />
      <SelectField
        label={t`Status`}
        value={filters.status}
        onChange={(status) => onChange({ status })}
        options={[
          { value: '', label: t`All` },
          { value: 'open', label: t`Not ended` },
          { value: 'ended', label: t`Ended` },
          ...SHIPMENT_STATUSES.map((value) => ({ value, label: i18n._(SHIPMENT_STATUS_WORDS[value]) })),
        ]}
      />
      <SelectField
        label={t`Priority`}
        value={filters.priority}
        onChange={(priority) => onChange({ priority })}
        options={[
          { value: '', label: t`All` },
          ...PRIORITIES.map((value) => ({ value, label: i18n._(PRIORITY_WORDS[value]) })),
        ]}
      />
      {session.user.role !== 'ROLE_MERCHANT' && (
        <MerchantFilter value={filters.merchant} onChange={(merchant) => onChange({ merchant })} />
      )}
      <TextField
        label={t`Created from`}
        type="date"
        value={filters.from}
        onChange={(from) => onChange({ from })}
      />
      <TextField
        label={t`Created until`}
        type="date"
        value={filters.until}
        onChange={(until) => onChange({ until })}
      />
    </div>
  );
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Searches when the typing pauses, and immediately on Enter. */
function SearchField({ value, onChange }: FieldProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  // Back, or a link, changed the address.
  if (value !== shown) {
    setShown(value);
    setTyped(value);
  }
  const search = useEffectEvent((text: string) => {
    if (text === value) return;
    setShown(text);
    onChange(text);
  });
  useEffect(() => {
    const timer = setTimeout(() => search(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      label={t`Search`}
      type="search"
      maxLength={100}
      placeholder={t`Name, phone, number, reference`}
      value={typed}
      onChange={setTyped}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && typed !== value) {
          setShown(typed);
          onChange(typed);
        }
      }}
    />
  );
}

function MerchantFilter({ value, onChange }: FieldProps) {
  const { t } = useLingui();
  return (
    <RecordChoice
      label={t`Merchant`}
      source={MERCHANTS}
      none={t`All`}
      valueFor={({ id }) => id}
      value={value}
      onChange={onChange}
    />
  );
}
