import { Trans } from '@lingui/react/macro';
import { LanguageChoice } from '../parts/language-choice.tsx';
import { useSession } from '../session.tsx';
import styles from './settings.module.css';

/** The language of the console for this person, on every computer. */
export default function Language() {
  const { chooseLanguage } = useSession();
  return (
    <>
      <h2>
        <Trans>Language</Trans>
      </h2>
      <p className={styles['quiet']}>
        <Trans>It is kept for you, on every computer where you sign in.</Trans>
      </p>
      <div className={styles['narrow']}>
        <LanguageChoice onChoose={chooseLanguage} />
      </div>
    </>
  );
}
