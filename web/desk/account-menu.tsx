import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { Link } from 'wouter';
import { Button } from './parts/button.tsx';
import { LanguageChoice } from './parts/language-choice.tsx';
import { useSession } from './session.tsx';
import styles from './layout.module.css';

/** Who is signed in, the language, and the way out. Escape and a step outside close it. */
export function AccountMenu() {
  const { t } = useLingui();
  const { session, signOut, chooseLanguage } = useSession();
  const { firstName, email } = session.user;
  const element = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (element.current !== null) element.current.open = false;
  };
  return (
    <details
      ref={element}
      className={styles['account']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || element.current?.open !== true) return;
        event.stopPropagation();
        close();
        element.current.querySelector('summary')?.focus();
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && element.current?.contains(relatedTarget) === false) close();
      }}
    >
      <summary title={t`Your account`}>
        <bdi className={styles['person']}>{firstName}</bdi> <span aria-hidden="true">▾</span>
      </summary>
      <div className={styles['menu']}>
        <p>
          <bdi>{email}</bdi>
          <br />
          <bdi>{session.organization.name}</bdi>
        </p>
        <LanguageChoice onChoose={chooseLanguage} />
        <Link href="/settings/password" onClick={close}>
          <Trans>Change your password</Trans>
        </Link>
        <Button onClick={() => void signOut()}>
          <Trans>Sign out</Trans>
        </Button>
      </div>
    </details>
  );
}
