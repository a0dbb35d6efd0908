import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api, done } from '../../shared/client.ts';
import { TextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { useAction } from '../parts/use-action.ts';
import { useSession } from '../session.tsx';
import { FormFrame } from './record/form-frame.tsx';
import styles from './settings.module.css';

const EMPTY = { currentPassword: '', newPassword: '', repeated: '' };
const FIELDS = [
  { name: 'currentPassword', label: '' },
  { name: 'newPassword', label: '' },
];

/** One's own password. This session stays; all others of the person end. */
export default function Password() {
  const { t } = useLingui();
  const { email } = useSession().session.user;
  const [typed, setTyped] = useState(EMPTY);
  const [hasMistyped, setHasMistyped] = useState(false);
  const [isChanged, setIsChanged] = useState(false);
  const { currentPassword, newPassword, repeated } = typed;
  const action = useAction(() =>
    done(api.POST('/users/me/password', { body: { currentPassword, newPassword } })),
  );
  const change = (changes: Partial<typeof EMPTY>) => {
    setTyped({ ...typed, ...changes });
    setHasMistyped(false);
    setIsChanged(false);
  };
  const save = async () => {
    setHasMistyped(newPassword !== repeated);
    if (newPassword !== repeated || !(await action.run())) return;
    setTyped(EMPTY);
    setIsChanged(true);
  };
  return (
    <>
      <h2>
        <Trans>Password</Trans>
      </h2>
      <FormFrame
        label={t`Password`}
        isDirty={false}
        action={action}
        fields={FIELDS}
        onSubmit={() => void save()}
        done={
          isChanged && (
            <Notice kind="success">
              <Trans>Changed. Wherever else you were signed in, you have to sign in again.</Trans>
            </Notice>
          )
        }
      >
        {/* For programs that keep passwords: whose it is. */}
        <input type="hidden" autoComplete="username" value={email} />
        <PasswordFields typed={typed} onChange={change} errorOf={action.errorOf} hasMistyped={hasMistyped} />
      </FormFrame>
    </>
  );
}

interface FieldsProps {
  readonly typed: typeof EMPTY;
  readonly onChange: (changes: Partial<typeof EMPTY>) => void;
  readonly errorOf: (propertyPath: string) => string | undefined;
  readonly hasMistyped: boolean;
}

function PasswordFields({ typed, onChange, errorOf, hasMistyped }: FieldsProps) {
  const { t } = useLingui();
  const { currentPassword, newPassword, repeated } = typed;
  const field = { type: 'password', dir: 'ltr' } as const;
  return (
    <div className={styles['narrow']}>
      <TextField
        {...field}
        label={t`Current password`}
        autoComplete="current-password"
        value={currentPassword}
        onChange={(value) => onChange({ currentPassword: value })}
        error={errorOf('currentPassword')}
      />
      <TextField
        {...field}
        label={t`New password`}
        autoComplete="new-password"
        hint={t`At least 12 characters.`}
        value={newPassword}
        onChange={(value) => onChange({ newPassword: value })}
        error={errorOf('newPassword')}
      />
      <TextField
        {...field}
        label={t`New password again`}
        autoComplete="new-password"
        value={repeated}
        onChange={(value) => onChange({ repeated: value })}
        error={hasMistyped ? t`This is not the same.` : undefined}
      />
    </div>
  );
}
