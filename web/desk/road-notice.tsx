import { Trans } from '@lingui/react/macro';
import { Button } from './parts/button.tsx';
import { useSession } from './session.tsx';
import styles from './sign-in.module.css';

/** A driver has no screen of the console: it says where the app will be. */
export function RoadNotice() {
  const { session, signOut } = useSession();
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <h1>
          <Trans>Hello {session.user.firstName}</Trans>
        </h1>
        <p>
          <Trans>
            This console is for dispatchers. The drivers’ app will be at <code>/road/</code> on this address;
            until then your dispatcher sends you your stops.
          </Trans>
        </p>
        <Button onClick={() => void signOut()}>
          <Trans>Sign out</Trans>
        </Button>
      </div>
    </main>
  );
}
