import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { iriOf } from '../../../domain/iri.ts';
import { parseId } from '../../../domain/ids.ts';
import { answer, api } from '../../shared/client.ts';
import { LARGEST_PAGE, readAll } from '../read-all.ts';
import { ChoiceField } from '../parts/choice-field.tsx';

interface Props {
  /** The merchant's IRI; empty for none. */
  readonly value: string;
  readonly onChange: (merchant: string) => void;
}

/** For whom rows are imported that name no merchant. */
export function MerchantChoice({ value, onChange }: Props) {
  const { t } = useLingui();
  const merchants = useQuery({
    queryKey: ['merchants', 'import-choice'],
    queryFn: () =>
      readAll((page) =>
        answer(api.GET('/merchants', { params: { query: { page, itemsPerPage: LARGEST_PAGE } } })),
      ),
  });
  const options = (merchants.data ?? []).flatMap(({ id, name }) => {
    const parsed = parseId<'merchant'>(id);
    return parsed === undefined ? [] : [{ value: iriOf('merchant', parsed), label: name }];
  });
  options.sort((one, other) => one.label.localeCompare(other.label));
  return (
    <ChoiceField
      label={t`Merchant of rows that name none`}
      value={value}
      onChange={onChange}
      options={[{ value: '', label: t`None: the organization itself` }, ...options]}
    />
  );
}
