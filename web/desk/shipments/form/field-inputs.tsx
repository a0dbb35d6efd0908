import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react/macro';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { RecordChoice } from '../../parts/record-choice.tsx';
import { MERCHANTS, PICKUP_POINTS } from '../../records.ts';
import type { TextName } from './form-fields.ts';
import { FORM_FIELDS } from './form-fields.ts';
import type { ShipmentValues } from './values.ts';

/** What is said at a field; `isFixed` where it can no longer be changed. */
export type FieldNotes = Readonly<
  Partial<Record<keyof ShipmentValues, { readonly text: string; readonly isFixed: boolean }>>
>;

interface Props {
  readonly values: ShipmentValues;
  readonly onChange: (changes: Partial<ShipmentValues>) => void;
  readonly errorOf: (path: string) => string | undefined;
  readonly notes?: FieldNotes;
}

/** A field's name; those that are required say so by a star. */
function useLabel(name: keyof ShipmentValues): string {
  const { i18n } = useLingui();
  const { label, isRequired = false } = FORM_FIELDS[name];
  return isRequired ? `${i18n._(label)} *` : i18n._(label);
}

interface InputProps extends Props {
  readonly name: TextName;
  readonly autoFocus?: boolean;
}

/** The input of a field whose value is a text. */
export function InputOf({ name, values, onChange, errorOf, notes, autoFocus = false }: InputProps) {
  const { path, isRequired = false, isLatin = false, isDecimal = false, type = 'text' } = FORM_FIELDS[name];
  const note = notes?.[name];
  return (
    <TextField
      label={useLabel(name)}
      type={type}
      value={values[name]}
      onChange={(value) => onChange({ [name]: value })}
      error={errorOf(path)}
      hint={note?.text ?? ''}
      readOnly={note?.isFixed === true}
      aria-required={isRequired}
      {...(isLatin && { dir: 'ltr' })}
      {...(isDecimal && { inputMode: 'decimal' as const })}
      autoComplete="off"
      autoFocus={autoFocus}
    />
  );
}

interface WordProps extends Props {
  readonly name: 'type' | 'packageSize' | 'priority';
  readonly words: Readonly<Record<string, MessageDescriptor>>;
  readonly onChoose: (word: string) => void;
}

/** One of the domain's words. */
export function WordChoice({ name, words, values, errorOf, notes, onChoose }: WordProps) {
  const { i18n } = useLingui();
  return (
    <SelectField
      label={useLabel(name)}
      value={values[name]}
      onChange={onChoose}
      error={errorOf(FORM_FIELDS[name].path)}
      hint={notes?.[name]?.text ?? ''}
      options={Object.entries(words).map(([value, label]) => ({ value, label: i18n._(label) }))}
    />
  );
}

export function MerchantChoice({ values, onChange, errorOf }: Props) {
  const { t } = useLingui();
  return (
    <RecordChoice
      label={useLabel('merchant')}
      source={MERCHANTS}
      none={t`None`}
      value={values.merchant}
      onChange={(merchant) => onChange({ merchant })}
      error={errorOf(FORM_FIELDS.merchant.path)}
    />
  );
}

/** Points of the chosen merchant and of the organization; the one that is chosen already stays in the list. */
export function PickupPointChoice({ values, onChange, errorOf, notes }: Props) {
  const { t } = useLingui();
  const { merchant, pickupPoint } = values;
  const note = notes?.pickupPoint;
  return (
    <RecordChoice
      label={useLabel('pickupPoint')}
      source={PICKUP_POINTS}
      none={t`None: the parcel is with us`}
      isOffered={(point) => merchant === '' || point.merchant === undefined || point.merchant === merchant}
      value={pickupPoint}
      onChange={(chosen) => onChange({ pickupPoint: chosen })}
      disabled={note?.isFixed === true}
      error={errorOf(FORM_FIELDS.pickupPoint.path)}
      hint={note?.text ?? ''}
    />
  );
}
