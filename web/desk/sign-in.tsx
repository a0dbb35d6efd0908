import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import type { Session } from '../shared/client.ts';
import { sessions } from '../shared/client.ts';
import { RejectedRequest } from '../shared/problem.ts';
import { serviceText } from '../shared/service-text.ts';
import { Button } from './parts/button.tsx';
import { CodeField } from './parts/code-field.tsx';
import { Dialog } from './parts/dialog.tsx';
import { TextField } from './parts/fields.tsx';
import { LanguageChoice } from './parts/language-choice.tsx';
import { ErrorNotice } from './parts/notice.tsx';
import { useAction } from './parts/use-action.ts';
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

/** Which of the form's steps is shown: a code is asked for once the password is known to be right. */
type Step = 'password' | 'code';

function SignInForm({ email: known, isFirst = false, onSignedIn }: FormProps) {
  const [step, setStep] = useState<Step>('password');
  const [typed, setTyped] = useState({ email: known, password: '', code: '' });
  const errorId = useId();
  const signing = useAction(async () => {
    const code = step === 'code' ? typed.code : undefined;
    const session = await sessions.signIn(typed.email, typed.password, code).catch((error: unknown) => {
      const next = keyOf(error);
      if (step === 'password' && next === 'totp_required') {
        setStep('code');
        return undefined;
      }
      // The password is another one now: it is asked for again.
      if (step === 'code' && next === undefined && isUnknown(error)) setStep('password');
      throw error;
    });
    if (session !== undefined) await onSignedIn(session);
  });
  const { error } = signing;
  const back = () => {
    setStep('password');
    setTyped({ ...typed, code: '' });
    signing.clear();
  };
  const isWrongCode = keyOf(error) === 'totp_wrong' || keyOf(error) === 'totp_required';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void signing.run();
      }}
      aria-describedby={errorId}
      className={styles['form']}
    >
      {step === 'password' ? (
        <PasswordStep typed={typed} isFirst={isFirst} onChange={setTyped} />
      ) : (
        <CodeField
          value={typed.code}
          onChange={(code) => setTyped({ ...typed, code })}
          error={isWrongCode ? serviceText('totp_wrong') : undefined}
        />
      )}
      <div id={errorId} role="alert">
        {error !== undefined && !isWrongCode && <Rejection error={error} />}
      </div>
      <div className={styles['acts']}>
        <Button type="submit" kind="primary" isPending={signing.isPending}>
          <Trans>Sign in</Trans>
        </Button>
        {step === 'code' && (
          <Button onClick={back}>
            <Trans>Back</Trans>
          </Button>
        )}
      </div>
    </form>
  );
}

interface Typed {
  readonly email: string;
  readonly password: string;
  readonly code: string;
}

function PasswordStep({
  typed,
  isFirst,
  onChange,
}: {
  readonly typed: Typed;
  readonly isFirst: boolean;
  readonly onChange: (typed: Typed) => void;
}) {
  const { t } = useLingui();
  return (
    <>
      <TextField
        label={t`E-mail address`}
        type="email"
        value={typed.email}
        onChange={(email) => onChange({ ...typed, email })}
        autoComplete="username"
        autoFocus={isFirst}
        required
      />
      <TextField
        label={t`Password`}
        type="password"
        value={typed.password}
        onChange={(password) => onChange({ ...typed, password })}
        autoComplete="current-password"
        required
      />
    </>
  );
}

function Rejection({ error }: { readonly error: unknown }) {
  if (!isUnknown(error)) return <ErrorNotice error={error} />;
  return (
    <p className={styles['wrong']}>
      <Trans>There is no active user with this e-mail address and password.</Trans>
    </p>
  );
}

function keyOf(error: unknown): string | undefined {
  return error instanceof RejectedRequest ? error.problem.messageKey : undefined;
}

function isUnknown(error: unknown): boolean {
  return error instanceof RejectedRequest && error.status === 401;
}
