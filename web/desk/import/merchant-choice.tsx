import { useLingui } from '@lingui/react/macro';
import { RecordChoice } from '../parts/record-choice.tsx';
import { MERCHANTS } from '../records.ts';

interface Props {
  /** The merchant's IRI; empty for none. */
  readonly value: string;
  readonly onChange: (merchant: string) => void;
}

/** For whom rows are imported that name no merchant. */
export function MerchantChoice({ value, onChange }: Props) {
  const { t } = useLingui();
  return (
    <RecordChoice
      label={t`Merchant of rows that name none`}
      source={MERCHANTS}
      none={t`None: the organization itself`}
      value={value}
      onChange={onChange}
    />
  );
}
