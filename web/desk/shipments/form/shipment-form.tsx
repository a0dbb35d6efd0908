import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import {
  HANDLING_OPTIONS,
  isOneOf,
  PACKAGE_SIZES,
  PRIORITIES,
  RECIPIENT_TYPES,
} from '../../../../domain/enumerations.ts';
import {
  HANDLING_WORDS,
  PACKAGE_SIZE_WORDS,
  PRIORITY_WORDS,
  RECIPIENT_TYPE_WORDS,
} from '../../../shared/domain-words.ts';
import { CheckField, TextAreaField } from '../../parts/fields.tsx';
import { useSession } from '../../session.tsx';
import type { FieldNotes } from './field-inputs.tsx';
import { InputOf, MerchantChoice, PickupPointChoice, WordChoice } from './field-inputs.tsx';
import { FORM_FIELDS } from './form-fields.ts';
import { ItemRows } from './item-rows.tsx';
import type { ShipmentValues } from './values.ts';
import styles from './form.module.css';

export interface FormProps {
  readonly values: ShipmentValues;
  readonly onChange: (changes: Partial<ShipmentValues>) => void;
  readonly errorOf: (path: string) => string | undefined;
  /** Why a field can no longer be changed, or what a change of it does not do. */
  readonly notes?: FieldNotes;
  /** Whether nothing is typed yet: the first field has the focus. */
  readonly isNew?: boolean;
}

/** Every field of a shipment that a person may give, in the order in which one is asked for on the phone. */
export function ShipmentFields(props: FormProps) {
  const { session } = useSession();
  const { currency, timezone } = session.organization;
  return (
    <>
      <RecipientGroup {...props} />
      <ParcelGroup {...props} />
      <Group title={<Trans>Cash, in {currency}</Trans>}>
        <InputOf {...props} name="codAmount" />
        <InputOf {...props} name="externalReference" />
      </Group>
      <Group title={<Trans>When, by the clock of {timezone}</Trans>} hasTimes>
        <InputOf {...props} name="scheduledAfter" />
        <InputOf {...props} name="scheduledBefore" />
      </Group>
      <Group title={<Trans>Items</Trans>}>
        <ItemRows {...props} />
      </Group>
      <NotesField {...props} />
    </>
  );
}

interface GroupProps {
  readonly title: ReactNode;
  /** Fields of a day and a time are wider than others. */
  readonly hasTimes?: boolean;
  readonly children: ReactNode;
}

function Group({ title, hasTimes = false, children }: GroupProps) {
  return (
    <fieldset className={`${styles['group']} ${hasTimes ? styles['times'] : ''}`}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function RecipientGroup(props: FormProps) {
  return (
    <Group title={<Trans>Recipient</Trans>}>
      <InputOf {...props} name="phoneNumber" autoFocus={props.isNew === true} />
      <InputOf {...props} name="firstName" />
      <InputOf {...props} name="lastName" />
      <WordChoice
        {...props}
        name="type"
        words={RECIPIENT_TYPE_WORDS}
        onChoose={(type) => isOneOf(RECIPIENT_TYPES, type) && props.onChange({ type })}
      />
      <InputOf {...props} name="street" />
      <InputOf {...props} name="postalCode" />
      <InputOf {...props} name="city" />
      <InputOf {...props} name="landmark" />
      <InputOf {...props} name="latitude" />
      <InputOf {...props} name="longitude" />
      <InputOf {...props} name="email" />
    </Group>
  );
}

function ParcelGroup(props: FormProps) {
  const { session } = useSession();
  const { values, onChange } = props;
  return (
    <Group title={<Trans>Parcel</Trans>}>
      {session.user.role !== 'ROLE_MERCHANT' && <MerchantChoice {...props} />}
      <PickupPointChoice {...props} />
      <WordChoice
        {...props}
        name="packageSize"
        words={PACKAGE_SIZE_WORDS}
        onChoose={(packageSize) => isOneOf(PACKAGE_SIZES, packageSize) && onChange({ packageSize })}
      />
      <InputOf {...props} name="weight" />
      <WordChoice
        {...props}
        name="priority"
        words={PRIORITY_WORDS}
        onChoose={(priority) => isOneOf(PRIORITIES, priority) && onChange({ priority })}
      />
      <HandlingChecks values={values} onChange={onChange} />
    </Group>
  );
}

function HandlingChecks({ values, onChange }: Pick<FormProps, 'values' | 'onChange'>) {
  const { i18n } = useLingui();
  return (
    <div role="group" aria-label={i18n._(FORM_FIELDS.handlingOptions.label)} className={styles['checks']}>
      {HANDLING_OPTIONS.map((option) => (
        <CheckField
          key={option}
          label={i18n._(HANDLING_WORDS[option])}
          value={values.handlingOptions.includes(option)}
          onChange={(isOn) =>
            onChange({
              handlingOptions: HANDLING_OPTIONS.filter((one) =>
                one === option ? isOn : values.handlingOptions.includes(one),
              ),
            })
          }
        />
      ))}
    </div>
  );
}

function NotesField({ values, onChange, errorOf }: FormProps) {
  const { i18n } = useLingui();
  const { label, path } = FORM_FIELDS.notes;
  return (
    <TextAreaField
      label={i18n._(label)}
      value={values.notes}
      onChange={(notes) => onChange({ notes })}
      error={errorOf(path)}
    />
  );
}
