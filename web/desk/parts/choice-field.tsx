import type { ComponentProps, ComponentType } from 'react';
import { useEffect, useState } from 'react';
import { SelectField } from './fields.tsx';
import type { ChoiceOption } from '../../shared/matching-options.ts';

interface Props extends ComponentProps<typeof SelectField> {
  readonly options: readonly ChoiceOption[];
  /** Asks for further options by what is typed; absent where all are there. */
  readonly onSearch?: (typed: string) => void;
  readonly isSearching?: boolean;
}

/** A list of this length is read at a glance; in a longer one people search. */
const SHORT_LIST = 15;

/** The field that is searched, once its code is there. */
let ComboField: ComponentType<Props> | undefined;

/** Loads the field that is searched where it is wanted. Returns whether it is there: never, where it cannot be loaded. */
function useComboField(isWanted: boolean): boolean {
  const [isLoaded, setIsLoaded] = useState(ComboField !== undefined);
  useEffect(() => {
    if (!isWanted || isLoaded) return;
    void import('./combo-field.tsx').then(
      (part) => {
        ComboField = part.default;
        setIsLoaded(true);
      },
      // The menu has the same choices.
      () => undefined,
    );
  }, [isWanted, isLoaded]);
  return isWanted && isLoaded;
}

/**
 * A choice of one among records, however many: a menu for few, a field that is searched for many. A menu becomes such a field when
 * its options have arrived, keeps the focus if it had it, and stays one when they become fewer.
 */
export function ChoiceField(props: Props) {
  const { onSearch, isSearching = false, ...select } = props;
  const isLong = props.options.length > SHORT_LIST || onSearch !== undefined;
  const [wasLong, setWasLong] = useState(isLong);
  if (isLong && !wasLong) setWasLong(true);
  const [isFocused, setIsFocused] = useState(false);
  const isSearched = useComboField(isLong || wasLong);
  if (isSearched && ComboField !== undefined)
    return <ComboField {...props} isSearching={isSearching} autoFocus={isFocused} />;
  return <SelectField {...select} onFocus={() => setIsFocused(true)} onBlur={() => setIsFocused(false)} />;
}
