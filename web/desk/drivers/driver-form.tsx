import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { VEHICLE_TYPES } from '../../../domain/enumerations.ts';
import { VEHICLE_WORDS } from '../../shared/domain-words.ts';
import { RejectedRequest } from '../../shared/problem.ts';
import { Button } from '../parts/button.tsx';
import { CheckField, SelectField, TextField } from '../parts/fields.tsx';
import form from '../parts/form.module.css';
import { ErrorNotice } from '../parts/notice.tsx';
import type { ActionState } from '../parts/use-action.ts';
import { RecordChoice } from '../parts/record-choice.tsx';
import { DRIVER_USERS } from '../records.ts';
import { useSession } from '../session.tsx';
import type { DriverDraft } from './driver-edits.ts';
import { asVehicle } from './driver-edits.ts';

interface Props {
  readonly start: DriverDraft;
  /** How the sending goes: the form shows what went wrong and keeps what was typed. */
  readonly action: Pick<ActionState<unknown>, 'error' | 'isPending' | 'errorOf' | 'otherViolations'>;
  readonly onSend: (draft: DriverDraft) => void;
  readonly label: ReactNode;
}

const FIELDS = ['firstName', 'lastName', 'phoneNumber', 'vehicleType', 'user'];

export function DriverForm({ start, action, onSend, label }: Props) {
  const { t, i18n } = useLingui();
  const { may } = useSession();
  const [draft, setDraft] = useState(start);
  const change = (fields: Partial<DriverDraft>) => setDraft((before) => ({ ...before, ...fields }));
  const isAtFields =
    action.error instanceof RejectedRequest &&
    action.error.problem.violations !== undefined &&
    action.otherViolations(FIELDS).length === 0;
  return (
    <form
      className={form['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!action.isPending) onSend(draft);
      }}
    >
      <NameAndPhone draft={draft} onChange={change} errorOf={action.errorOf} />
      <SelectField
        label={t`Vehicle`}
        value={draft.vehicleType}
        onChange={(word) => change({ vehicleType: asVehicle(word) })}
        error={action.errorOf('vehicleType')}
        options={[
          { value: '', label: t`Not said` },
          ...VEHICLE_TYPES.map((value) => ({ value, label: i18n._(VEHICLE_WORDS[value]) })),
        ]}
      />
      {may('user.manage') && (
        <UserChoice value={draft.user} onChange={(user) => change({ user })} error={action.errorOf('user')} />
      )}
      <CheckField
        label={t`On duty: tasks can be assigned`}
        value={draft.isAvailable}
        onChange={(isAvailable) => change({ isAvailable })}
      />
      <div role="alert">
        {action.error !== undefined && !isAtFields && <ErrorNotice error={action.error} />}
      </div>
      <div className={form['actions']}>
        <Button type="submit" kind="primary" isPending={action.isPending}>
          {label}
        </Button>
      </div>
    </form>
  );
}

interface NameProps {
  readonly draft: DriverDraft;
  readonly onChange: (fields: Partial<DriverDraft>) => void;
  readonly errorOf: Props['action']['errorOf'];
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
