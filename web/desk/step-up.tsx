import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Session } from '../shared/client.ts';
import { sessions } from '../shared/client.ts';
import { RejectedRequest } from '../shared/problem.ts';
import { Button } from './parts/button.tsx';
import { CodeField } from './parts/code-field.tsx';
import { Dialog } from './parts/dialog.tsx';
import { TextField } from './parts/fields.tsx';
import { ErrorNotice } from './parts/notice.tsx';
import { useAction } from './parts/use-action.ts';
import styles from './sign-in.module.css';

interface Props {
  readonly session: Session;
  readonly onGiven: () => void;
  readonly onDeclined: () => void;
  /** The session itself has ended meanwhile. */
  readonly onEnded: () => void;
}

/** Asks for the password again before keys, secrets and users are changed; what was asked for is sent after it. */
export function StepUpDialog({ session, onGiven, onDeclined, onEnded }: Props) {
  const { t } = useLingui();
  const { email, secondFactor } = session.user;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  // The factor may be set up or removed elsewhere meanwhile: the service says whether a code is needed.
  const [wasCodeAsked, setWasCodeAsked] = useState(false);
  const showsCode = secondFactor === 'on' || wasCodeAsked;
  const giving = useAction(() =>
    sessions.stepUp(password, code === '' ? undefined : code).catch((error: unknown) => {
      if (!(error instanceof RejectedRequest)) throw error;
      if (asksCode(error)) setWasCodeAsked(true);
      if (error.status === 401) onEnded();
      throw error;
    }),
  );
  const others = giving.otherViolations(showsCode ? ['password', 'totp'] : ['password']);
  const isAtField =
    giving.error instanceof RejectedRequest && giving.error.status === 422 && others.length === 0;
  return (
    <Dialog title={t`Your password, please`} onClose={onDeclined} closeLabel={t`Close`}>
      <p>
        <Trans>Keys, secrets and users are changed by you alone: give your password again.</Trans>
      </p>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          void giving.run().then((isGiven) => isGiven && onGiven());
        }}
      >
        {/* For programs that keep passwords: whose it is. */}
        <input type="hidden" autoComplete="username" value={email} />
        <TextField
          label={t`Password`}
          type="password"
          dir="ltr"
          value={password}
          onChange={setPassword}
          error={giving.errorOf('password')}
          autoComplete="current-password"
          required
          data-first
        />
        {showsCode && <CodeField value={code} onChange={setCode} error={giving.errorOf('totp')} isOptional />}
        <div role="alert">
          {giving.error !== undefined && !isAtField && <ErrorNotice error={giving.error} />}
        </div>
        <div className={styles['acts']}>
          <Button type="submit" kind="primary" isPending={giving.isPending}>
            <Trans>Go on</Trans>
          </Button>
          <Button onClick={onDeclined}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function asksCode({ problem }: RejectedRequest): boolean {
  return problem.violations?.some(({ propertyPath }) => propertyPath === 'totp') ?? false;
}
