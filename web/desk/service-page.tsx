import { Trans } from '@lingui/react/macro';
import { Button } from './parts/button.tsx';
import { ErrorNotice } from './parts/notice.tsx';
import styles from './sign-in.module.css';

/** Before anything is known: the service could not say who is signed in. The page asks again by itself. */
export function ServicePage({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <h1>Desk</h1>
        <div role="alert">
          <ErrorNotice error={error} />
        </div>
        <Button onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      </div>
    </main>
  );
}
