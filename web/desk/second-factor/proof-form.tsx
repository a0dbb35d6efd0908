import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { RejectedRequest } from '../../shared/problem.ts';
import { Button } from '../parts/button.tsx';
import { CodeField } from '../parts/code-field.tsx';
import { TextField } from '../parts/fields.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { useAction } from '../parts/use-action.ts';
import styles from './second-factor.module.css';

interface Props {
  /** Whose proof it is. */
  readonly email: string;
  /** What is asked for: the password, the code of an app that has just been set up, or both of somebody who has one. */
  readonly asks: readonly ('password' | 'code')[];
  readonly send: (password: string, code: string) => Promise<unknown>;
  readonly label: ReactNode;
  readonly kind?: 'primary' | 'danger';
  readonly acts?: ReactNode;
}

/** Asks for what proves who the person is, and sends it with the request. */
export function ProofForm({ email, asks, send, label, kind = 'primary', acts }: Props) {
  const { t } = useLingui();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const action = useAction(() => send(password, code));
  const { error } = action;
  const isAtField =
    error instanceof RejectedRequest &&
    error.status === 422 &&
    action.otherViolations(['currentPassword', 'totp']).length === 0;
  return (
    <form
      className={styles['narrow']}
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      {/* For programs that keep passwords: whose it is. */}
      <input type="hidden" autoComplete="username" value={email} />
      {asks.includes('password') && (
        <TextField
          label={t`Current password`}
          type="password"
          dir="ltr"
          value={password}
          onChange={setPassword}
          error={action.errorOf('currentPassword')}
          autoComplete="current-password"
          required
        />
      )}
      {asks.includes('code') && (
        <CodeField
          value={code}
          onChange={setCode}
          error={action.errorOf('totp')}
          isNew={!asks.includes('password')}
        />
      )}
      <div role="alert">{error !== undefined && !isAtField && <ErrorNotice error={error} />}</div>
      <div className={styles['acts']}>
        <Button type="submit" kind={kind} isPending={action.isPending}>
          {label}
        </Button>
        {acts}
      </div>
    </form>
  );
}
