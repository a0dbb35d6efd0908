import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useEffect, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import { currentReachability, watchReachability } from '../shared/client.ts';
import { formatTime } from '../shared/format.ts';
import { useStreamState } from './changes.tsx';
import { useNow } from './now.ts';
import { LanguageChoice } from './parts/language-choice.tsx';
import { Button } from './parts/button.tsx';
import type { ScreenDefinition } from './screens.ts';
import { useSession } from './session.tsx';
import styles from './layout.module.css';

const STREAM_GRACE_MS = 5_000;

interface Props {
  readonly screens: readonly ScreenDefinition[];
  readonly children: ReactNode;
}

/** Navigation, who is signed in, and what the person must know of the connection; the screen below. */
export function Layout({ screens, children }: Props) {
  const { session, signOut, chooseLanguage } = useSession();
  const { t, i18n } = useLingui();
  const [path] = useLocation();
  const current = screens.find((screen) => path === screen.path || path.startsWith(`${screen.path}/`));
  const title = current === undefined ? 'Desk' : `${i18n._(current.title)} · Desk`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className={styles['layout']}>
      <a className={styles['skip']} href="#screen">
        <Trans>Skip to the screen</Trans>
      </a>
      <header className={styles['bar']}>
        <nav aria-label={t`Screens`} className={styles['nav']}>
          {screens.map((screen) => (
            <Link
              key={screen.path}
              href={screen.path}
              aria-current={screen === current ? 'page' : undefined}
              className={styles['link']}
            >
              {i18n._(screen.title)}
            </Link>
          ))}
        </nav>
        <details className={styles['account']}>
          <summary>
            <bdi>{session.user.firstName}</bdi>
          </summary>
          <div className={styles['menu']}>
            <p>
              <bdi>{session.user.email}</bdi>
              <br />
              <bdi>{session.organization.name}</bdi>
            </p>
            <LanguageChoice onChoose={chooseLanguage} />
            <Button onClick={() => void signOut()}>
              <Trans>Sign out</Trans>
            </Button>
          </div>
        </details>
      </header>
      <ConnectionStrip />
      <main id="screen" className={styles['screen']} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** Says that what is on the screen may be old, and since when. */
function ConnectionStrip() {
  const { session } = useSession();
  const { isLive, sinceMs } = useStreamState();
  const reachability = useSyncExternalStore(watchReachability, currentReachability);
  const nowMs = useNow(1_000);
  const since = sinceMs === 0 ? '' : formatTime(new Date(sinceMs), session.organization.timezone);
  const isBehind = !isLive && sinceMs > 0 && nowMs - sinceMs > STREAM_GRACE_MS;
  if (reachability === 'reachable' && !isBehind) return null;
  return (
    <div className={styles['strip']} role="status">
      {reachability === 'unreachable' ? (
        <Trans>
          The service cannot be reached. What you see was read before; what you do now is not sent.
        </Trans>
      ) : (
        <Trans>Changes have not arrived since {since}. Trying again…</Trans>
      )}
    </div>
  );
}
