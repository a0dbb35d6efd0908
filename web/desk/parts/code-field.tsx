import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from './button.tsx';
import { TextField } from './fields.tsx';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  /** Whether the app has just been set up: there are no recovery codes yet. */
  readonly isNew?: boolean;
  /** Whether the form can be sent without one. */
  readonly isOptional?: boolean;
}

/** The code of an authenticator app, or a recovery code where the phone is lost. */
export function CodeField({ value, onChange, error, isNew = false, isOptional = false }: Props) {
  const { t } = useLingui();
  const [isRecovery, setIsRecovery] = useState(false);
  const swap = () => {
    setIsRecovery(!isRecovery);
    onChange('');
  };
  return (
    <>
      <TextField
        key={isRecovery ? 'recovery' : 'app'}
        label={isRecovery ? t`Recovery code` : t`Code of your app`}
        hint={isRecovery ? t`Each of them works once.` : t`Six digits; a new one every 30 seconds.`}
        value={value}
        onChange={onChange}
        error={error}
        dir="ltr"
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoFocus
        required={!isOptional}
      />
      {!isNew && (
        <div>
          <Button kind="quiet" onClick={swap}>
            {isRecovery ? <Trans>Use the app instead</Trans> : <Trans>No phone? Use a recovery code</Trans>}
          </Button>
        </div>
      )}
    </>
  );
}
