import { Plural, Trans } from '@lingui/react/macro';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { useContext, useEffect, useId, useState } from 'react';
import type { SelectField } from './fields.tsx';
import { Field } from './fields.tsx';
import styles from './combo-field.module.css';
import fields from './fields.module.css';
import type { ChoiceOption } from '../../shared/matching-options.ts';
import { matchingOptions } from '../../shared/matching-options.ts';
import { NoteTyped } from './note-typed.ts';

interface Props extends ComponentProps<typeof SelectField> {
  readonly options: readonly ChoiceOption[];
  /** Asks for further options by what is typed; absent where all are there. */
  readonly onSearch?: (typed: string) => void;
  readonly isSearching?: boolean;
}

/** More are not drawn: a further letter finds what is beyond. */
const SHOWN = 50;

/**
 * A choice that is searched by typing: the combobox with a list of WAI-ARIA. The focus stays in the field; arrows go through the
 * list, Enter chooses, Escape gives the choice back that there was.
 */
export default function ComboField({
  label,
  error,
  hint,
  value,
  onChange,
  options,
  disabled = false,
  autoFocus = false,
  onSearch,
  isSearching = false,
}: Props) {
  const id = useId();
  const combo = useCombo({ options, value, onChange, onSearch });
  const { isOpen, shown, active } = combo;
  useEffect(() => {
    if (isOpen) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active, id]);
  return (
    <div className={styles['combo']}>
      <Field id={id} label={label} error={error} hint={hint}>
        <input
          id={id}
          className={fields['input']}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen && shown[active] ? `${id}-${active}` : undefined}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-note`}
          autoComplete="off"
          dir="auto"
          disabled={disabled}
          autoFocus={autoFocus}
          placeholder={combo.chosen}
          value={combo.text}
          onChange={({ target }) => combo.type(target.value)}
          // What is typed to search is no part of the form.
          onInput={(event) => event.stopPropagation()}
          onClick={combo.open}
          onFocus={({ target }) => target.select()}
          onBlur={combo.close}
          onKeyDown={combo.onKey}
        />
      </Field>
      <Popup id={id} label={label} combo={combo}>
        <Note {...combo} isSearching={isSearching} hasMore={onSearch !== undefined} />
      </Popup>
    </div>
  );
}

interface PopupProps {
  readonly id: string;
  readonly label: string;
  readonly combo: ReturnType<typeof useCombo>;
  readonly children: ReactNode;
}

/** What is found, below the field. */
function Popup({ id, label, combo: { isOpen, shown, active, choose }, children }: PopupProps) {
  return (
    // The focus stays in the field, whatever of the list is pressed.
    <div className={styles['popup']} hidden={!isOpen} onPointerDown={(event) => event.preventDefault()}>
      <ul id={`${id}-list`} role="listbox" aria-label={label} tabIndex={-1} className={styles['list']}>
        {shown.map((option, index) => (
          <li
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className={styles['option']}
            onClick={() => choose(option)}
          >
            <bdi>{option.label}</bdi>
          </li>
        ))}
      </ul>
      <div role="status" className={styles['note']}>
        {isOpen && children}
      </div>
    </div>
  );
}

interface NoteProps {
  readonly found: number;
  readonly text: string;
  readonly isSearching: boolean;
  /** Whether the service has options that are not here. */
  readonly hasMore: boolean;
}

function Note({ found, text, isSearching, hasMore }: NoteProps) {
  if (isSearching) return <Trans>Searching…</Trans>;
  if (hasMore && text === '') return <Trans>There are more: type to find them.</Trans>;
  if (found === 0) return <Trans>Nothing is found.</Trans>;
  const more = found - SHOWN;
  if (more <= 0) return null;
  return <Plural value={more} one="# more: type to find it." other="# more: type to find them." />;
}

/** What is typed, what it finds, and which of that the keys are at. Nothing is typed while the list is closed. */
function useCombo({
  options,
  value,
  onChange,
  onSearch,
}: Pick<Props, 'options' | 'value' | 'onChange'> & { readonly onSearch: Props['onSearch'] | undefined }) {
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const noteTyped = useContext(NoteTyped);
  const isOpen = typed !== undefined;
  const chosen = options.find((option) => option.value === value)?.label ?? '';
  const found = isOpen ? matchingOptions(options, typed) : [];
  const shown = isOpen && typed.trim() === '' ? withChosen(found, value) : found.slice(0, SHOWN);
  const close = () => setTyped(undefined);
  const type = (text: string) => {
    setTyped(text);
    if (text !== '') onSearch?.(text);
    // Among all of them the keys begin at what is chosen, so that Enter changes nothing.
    const isAll = text.trim() === '';
    setActive(isAll ? withChosen(options, value).findIndex((option) => option.value === value) : 0);
  };
  const open = () => {
    if (!isOpen) type('');
  };
  const choose = (option: ChoiceOption) => {
    close();
    if (option.value === value) return;
    noteTyped();
    onChange(option.value);
  };
  const onKey = (event: KeyboardEvent) => {
    // Keys that choose among the characters of an input method.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      if (!isOpen) open();
      else if (shown.length > 0) setActive(stepped(active, step, shown.length));
    } else if (!isOpen || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    else if (event.key === 'Escape') close();
    else {
      const option = shown[active];
      if (option !== undefined) choose(option);
      else if (shown.length > 0) close();
    }
    // Neither is the form sent, nor the dialog around it closed.
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    isOpen,
    chosen,
    text: typed ?? chosen,
    shown,
    found: found.length,
    active,
    type,
    open,
    close,
    choose,
    onKey,
  };
}

/** The options that are drawn of all of them; the last is the one that is chosen, where it is beyond. */
function withChosen(options: readonly ChoiceOption[], value: string): readonly ChoiceOption[] {
  const place = options.findIndex((option) => option.value === value);
  if (place < SHOWN) return options.slice(0, SHOWN);
  return [...options.slice(0, SHOWN - 1), ...options.slice(place, place + 1)];
}

/** The place before or after one in a list that goes round; from outside of it its end or its beginning. */
function stepped(active: number, step: number, count: number): number {
  if (active < 0 || active >= count) return step > 0 ? 0 : count - 1;
  return (active + step + count) % count;
}
