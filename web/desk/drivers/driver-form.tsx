import { useLingui } from '@lingui/react/macro';
import { VEHICLE_TYPES } from '../../../domain/enumerations.ts';
import { VEHICLE_WORDS } from '../../shared/domain-words.ts';
import type { DraftFormProps } from '../parts/draft-form.tsx';
import { DraftForm } from '../parts/draft-form.tsx';
import { CheckField, SelectField, TextField } from '../parts/fields.tsx';
import form from '../parts/form.module.css';
import { RecordChoice } from '../parts/record-choice.tsx';
import { DRIVER_USERS } from '../records.ts';
import { useSession } from '../session.tsx';
import type { DriverDraft } from './driver-edits.ts';
import { asVehicle } from './driver-edits.ts';

const FIELDS = ['firstName', 'lastName', 'phoneNumber', 'vehicleType', 'user'];

export function DriverForm(props: DraftFormProps<DriverDraft>) {
  const { t, i18n } = useLingui();
  const { may } = useSession();
  const { errorOf } = props.action;
  return (
    <DraftForm {...props} fields={FIELDS}>
      {(draft, change) => (
        <>
          <NameAndPhone draft={draft} onChange={change} errorOf={errorOf} />
          <SelectField
            label={t`Vehicle`}
            value={draft.vehicleType}
            onChange={(word) => change({ vehicleType: asVehicle(word) })}
            error={errorOf('vehicleType')}
            options={[
              { value: '', label: t`Not said` },
              ...VEHICLE_TYPES.map((value) => ({ value, label: i18n._(VEHICLE_WORDS[value]) })),
            ]}
          />
          {may('user.manage') && (
            <UserChoice value={draft.user} onChange={(user) => change({ user })} error={errorOf('user')} />
          )}
          <CheckField
            label={t`On duty: tasks can be assigned`}
            value={draft.isAvailable}
            onChange={(isAvailable) => change({ isAvailable })}
          />
        </>
      )}
    </DraftForm>
  );
}

interface NameProps {
  readonly draft: DriverDraft;
  readonly onChange: (fields: Partial<DriverDraft>) => void;
  readonly errorOf: DraftFormProps<DriverDraft>['action']['errorOf'];
}

function NameAndPhone({ draft, onChange, errorOf }: NameProps) {
  const { t } = useLingui();
  return (
    <>
      <div className={form['pair']}>
        <TextField
          label={t`First name`}
          value={draft.firstName}
          onChange={(firstName) => onChange({ firstName })}
          error={errorOf('firstName')}
          required
        />
        <TextField
          label={t`Last name`}
          value={draft.lastName}
          onChange={(lastName) => onChange({ lastName })}
          error={errorOf('lastName')}
          required
        />
      </div>
      <TextField
        label={t`Phone`}
        type="tel"
        dir="ltr"
        hint={t`With the country, for example +33 6 12 34 56 78`}
        value={draft.phoneNumber}
        onChange={(phoneNumber) => onChange({ phoneNumber })}
        error={errorOf('phoneNumber')}
        required
      />
    </>
  );
}

interface UserProps {
  readonly value: string;
  readonly onChange: (user: string) => void;
  readonly error: string | undefined;
}

/** Users who may sign in as a driver; each belongs to one driver only. */
function UserChoice({ value, onChange, error }: UserProps) {
  const { t } = useLingui();
  return (
    <RecordChoice
      label={t`Signs in as`}
      hint={t`A user with the role Driver; make one under Settings, Users.`}
      source={DRIVER_USERS}
      none={t`Nobody`}
      isOffered={({ driver }) => driver === undefined}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
