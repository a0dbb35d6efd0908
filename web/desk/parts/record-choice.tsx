import { useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import type { RecordSource } from '../records.ts';
import { useRecords } from '../records.ts';
import { ChoiceField } from './choice-field.tsx';

type FieldProps = Omit<ComponentProps<typeof ChoiceField>, 'options' | 'onSearch' | 'isSearching'>;

interface Props<Item> extends FieldProps {
  readonly source: RecordSource<Item>;
  /** What is chosen where no record is. */
  readonly none: string;
  /** How a record is written in the value; its IRI by default. */
  readonly valueFor?: (item: Item) => string;
  /** Which of them are offered; the one that is chosen always is. */
  readonly isOffered?: (item: Item) => boolean;
}

/** A choice of one among the records of an organization, however many there are: beyond a page the service searches them. */
export function RecordChoice<Item extends { readonly id: string }>(props: Props<Item>) {
  const { source, none, valueFor = source.iriOf, isOffered = () => true, ...field } = props;
  const { t } = useLingui();
  const { items, search, isSearching, foundBy, chosenState } = useRecords(source, field.value);
  const unlisted = { reading: '…', deleted: t`(deleted)`, unreadable: t`(cannot be read)` };
  const options = items
    .map((item) => ({ item, value: valueFor(item), label: source.labelOf(item), foundBy: foundBy(item) }))
    .filter(({ item, value }) => value === field.value || isOffered(item))
    .sort((one, other) => one.label.localeCompare(other.label));
  const isListed = field.value === '' || options.some(({ value }) => value === field.value);
  return (
    <ChoiceField
      {...field}
      options={[
        { value: '', label: none },
        ...(isListed ? [] : [{ value: field.value, label: unlisted[chosenState] }]),
        ...options.map(({ value, label, foundBy }) => ({ value, label, foundBy })),
      ]}
      isSearching={isSearching}
      {...(search && { onSearch: search })}
    />
  );
}
