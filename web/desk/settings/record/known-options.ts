import type { RecordSource } from '../../records.ts';
import { useRecords } from '../../records.ts';

/** The options of a choice among records, `none` first: those whose names are known before anything is searched. */
export function useKnownOptions<Item extends { readonly id: string }>(
  source: RecordSource<Item>,
  none: string,
): readonly { readonly value: string; readonly label: string }[] {
  const { items } = useRecords(source, '');
  return [
    { value: '', label: none },
    ...items.map((item) => ({ value: source.iriOf(item), label: source.labelOf(item) })),
  ];
}
