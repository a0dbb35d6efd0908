import { Trans, useLingui } from '@lingui/react/macro';
import type { SyntheticEvent } from 'react';
import { useId, useState } from 'react';
import type { Session } from '../shared/client.ts';
import { sessions } from '../shared/client.ts';
import { RejectedRequest } from '../shared/problem.ts';
import { Button } from './parts/button.tsx';
import { Dialog } from './parts/dialog.tsx';
import { TextField } from './parts/fields.tsx';
import { LanguageChoice } from './parts/language-choice.tsx';
import { ErrorNotice } from './parts/notice.tsx';
import styles from './sign-in.module.css';

interface Props {
  readonly onSignedIn: (session: Session) => Promise<void>;
}

/** The first page of somebody who is not signed in. */
export function SignInPage({ onSignedIn }: Props) {
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <h1>Desk</h1>
        <p>
          <Trans>Sign in to see your shipments.</Trans>
        </p>
        <SignInForm email="" isFirst onSignedIn={onSignedIn} />
        <LanguageChoice />
      </div>
    </main>
  );
}

/** Over a screen whose session has ended: what was typed stays behind it, and what was sent is sent again after it. */
export function SignInDialog({ email, onSignedIn }: Props & { readonly email: string }) {
  const { t } = useLingui();
  return (
    <Dialog title={t`Sign in again`}>
      <p>
        <Trans>
          Your session has ended. What you typed is still here, and what you did last will be sent then.
        </Trans>
      </p>
      <SignInForm email={email} onSignedIn={onSignedIn} />
    </Dialog>
  );
}

interface FormProps extends Props {
  readonly email: string;
  /** Whether nothing else is on the page: the first field has the focus. A dialog gives it by itself. */
  readonly isFirst?: boolean;
}

function SignInForm({ email: known, isFirst = false, onSignedIn }: FormProps) {
  const { t } = useLingui();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const errorId = useId();
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setIsPending(true);
    setError(undefined);
    try {
      await onSignedIn(await sessions.signIn(email, password));
    } catch (caught) {
      setError(caught);
    } finally {
      setIsPending(false);
    }
  };
  const isWrong = error instanceof RejectedRequest && error.status === 401;
  return (
    <form onSubmit={(event) => void submit(event)} aria-describedby={errorId} className={styles['form']}>
      <TextField
        label={t`E-mail address`}
        type="email"
        value={email}
        onChange={setEmail}
        autoComplete="username"
        autoFocus={isFirst}
        required
      />
      <TextField
        label={t`Password`}
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        required
      />
      <div id={errorId} role="alert">
        {isWrong ? (
          <p className={styles['wrong']}>
            <Trans>There is no active user with this e-mail address and password.</Trans>
          </p>
        ) : (
          error !== undefined && <ErrorNotice error={error} />
        )}
      </div>
      <Button type="submit" kind="primary" isPending={isPending}>
        <Trans>Sign in</Trans>
      </Button>
    </form>
  );
}
