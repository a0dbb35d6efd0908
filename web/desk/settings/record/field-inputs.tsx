import { lazy, Suspense } from 'react';
import { ChoiceField } from '../../parts/choice-field.tsx';
import { CheckField, TextField } from '../../parts/fields.tsx';
import { RecordChoice } from '../../parts/record-choice.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { DRIVERS, MERCHANTS } from '../../records.ts';
import type { FormField, FormValues } from './form-field.ts';
import styles from '../settings.module.css';

/** The map is loaded with the first form that has a place. */
const PlaceInput = lazy(() => import('./place-input.tsx'));

interface Props {
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly onChange: (values: FormValues) => void;
  readonly errorOf: (propertyPath: string) => string | undefined;
}

/** The fields in their order, those of a group below its title. */
export function FieldInputs({ fields, ...rest }: Props) {
  const groups = [...new Set(fields.map(({ group }) => group))];
  return groups.map((group) => {
    const ofGroup = fields.filter((field) => field.group === group);
    const inputs = ofGroup.map((field) => <FieldInput key={field.name} field={field} {...rest} />);
    const areNumbers = ofGroup.every(({ kind }) => kind === 'amount' || kind === 'number');
    if (group === undefined) {
      return (
        <div key="" className={styles['fields']}>
          {inputs}
        </div>
      );
    }
    return (
      <fieldset key={group} className={styles['group']}>
        <legend>{group}</legend>
        <div className={styles[areNumbers ? 'numbers' : 'fields']}>{inputs}</div>
      </fieldset>
    );
  });
}

const INPUTS = {
  text: {},
  email: { type: 'email', dir: 'ltr' },
  phone: { type: 'tel', dir: 'ltr' },
  url: { type: 'url', dir: 'ltr' },
  amount: { inputMode: 'decimal', dir: 'ltr' },
  number: { inputMode: 'decimal', dir: 'ltr' },
  password: { type: 'password', dir: 'ltr', autoComplete: 'new-password' },
} as const;

function FieldInput({
  field: { name, label, kind = 'text', hint, isRequired = false, options = [] },
  values,
  onChange,
  errorOf,
}: Omit<Props, 'fields'> & { readonly field: FormField }) {
  const value = values[name] ?? '';
  const change = (next: string) => onChange({ ...values, [name]: next });
  if (kind === 'check') {
    return (
      <CheckField label={label} value={value === 'yes'} onChange={(isOn) => change(isOn ? 'yes' : '')} />
    );
  }
  if (kind === 'place') {
    return (
      <div className={styles['wide']}>
        <Suspense fallback={<Skeleton rows={4} />}>
          <PlaceInput name={name} label={label} values={values} onChange={onChange} errorOf={errorOf} />
        </Suspense>
      </div>
    );
  }
  const shown = {
    label: isRequired ? `${label} *` : label,
    error: errorOf(name),
    value,
    onChange: change,
    ...(hint !== undefined && { hint }),
  };
  if (kind === 'merchant' || kind === 'driver') {
    const none = options[0]?.label ?? '–';
    return kind === 'merchant' ? (
      <RecordChoice {...shown} source={MERCHANTS} none={none} />
    ) : (
      <RecordChoice {...shown} source={DRIVERS} none={none} />
    );
  }
  if (kind === 'choice') {
    // What the record has is offered too, where it is not among the options any more.
    const isKnown = value === '' || options.some((option) => option.value === value);
    return <ChoiceField {...shown} options={isKnown ? options : [{ value, label: value }, ...options]} />;
  }
  return <TextField {...shown} {...INPUTS[kind]} aria-required={isRequired} />;
}
